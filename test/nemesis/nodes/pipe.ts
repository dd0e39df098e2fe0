import type { Socket } from "node:net";
import type { Weather } from "./database-proxy.ts";

/** One direction of a connection. It forwards data, the end and errors in order, each when it is due. */
export class Pipe {
  /** @property dueAt milliseconds of the monotonic clock */
  readonly #waiting: { send: () => void; dueAt: number }[] = [];
  #weather: Exclude<Weather, "cut"> = "fair";
  #timer: Timer | undefined;

  constructor(from: Socket, to: Socket) {
    from.on("data", (chunk: Buffer) => this.#add(() => to.write(chunk)));
    from.on("end", () => this.#add(() => to.end()));
    from.on("error", () => this.#add(() => to.destroy()));
    from.on("close", () => this.#add(() => to.destroySoon()));
  }

  become(weather: Exclude<Weather, "cut">): void {
    this.#weather = weather;
    this.#forward();
  }

  /** Forgets what it has not forwarded. */
  stop(): void {
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
  }

  #add(send: () => void): void {
    const delay = typeof this.#weather === "object" ? this.#weather.delay : 0;
    this.#waiting.push({ send, dueAt: performance.now() + delay });
    this.#forward();
  }

  #forward(): void {
    clearTimeout(this.#timer);
    if (this.#weather === "black hole") return;
    const now = performance.now();
    while ((this.#waiting[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= now) this.#waiting.shift()?.send();
    const next = this.#waiting[0];
    if (next) this.#timer = setTimeout(() => this.#forward(), next.dueAt - now);
  }
}
