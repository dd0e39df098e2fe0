import type { Socket } from "node:net";
import type { Weather } from "./proxy.ts";

/** One direction of a connection. It forwards data, the end and errors in order, each when it is due. */
export class Pipe {
  /** @property dueAt milliseconds of the monotonic clock */
  readonly #waiting: { send: () => void; dueAt: number }[] = [];
  #weather: Exclude<Weather, "cut"> = "fair";
  #cancel = () => {};

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
    this.#cancel();
  }

  #add(send: () => void): void {
    const delay = typeof this.#weather === "object" ? this.#weather.delay : 0;
    this.#waiting.push({ send, dueAt: performance.now() + delay });
    this.#forward();
  }

  #forward(): void {
    this.#cancel();
    if (this.#weather === "black hole") return;
    const now = performance.now();
    while ((this.#waiting[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= now) this.#waiting.shift()?.send();
    const next = this.#waiting[0];
    if (next) this.#cancel = later(() => this.#forward(), next.dueAt - now);
  }
}

/** Runs work after some milliseconds. Timers are exact to one, so the rest of a fraction is spent in turns. @returns cancels it */
function later(work: () => void, delay: number): () => void {
  if (delay < 1) {
    const turn = setImmediate(work);
    return () => clearImmediate(turn);
  }
  const timer = setTimeout(work, Math.floor(delay));
  return () => clearTimeout(timer);
}
