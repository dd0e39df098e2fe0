import type { Fault, Ledger } from "../ledger.ts";
import { createServer, type LifeContext, type Server, type Surroundings } from "./server.ts";

/** After a start that failed, the service manager starts the server again; milliseconds. */
const RESTART_AFTER = 5000;

/** One node: the lives of a server process, one after the other, as a service manager starts it. */
export class Process {
  #server: Server | undefined;
  #bornAt = 0;
  #hasEnded = false;

  constructor(
    private readonly around: Surroundings,
    private readonly node: number,
    private readonly changed: LifeContext["changed"],
  ) {}

  /** The present life, which may not listen. */
  readonly server = (): Server | undefined => this.#server;

  start(): void {
    if (this.#server || this.#hasEnded) return;
    this.around.machine.stayDense();
    this.#bornAt = this.#time.now;
    const server = createServer(this.around, { changed: this.changed, onDeath: () => this.#record("kill") });
    this.#server = server;
    server.start().catch(() => this.#fail(server));
  }

  /** Ends for good, with a clean stop. */
  end(): void {
    const server = this.#server;
    if (!server?.isAlive()) this.#hasEnded = true;
    else void server.stop().then(() => this.#close(server, "end"));
  }

  hasEnded(): boolean {
    return this.#hasEnded;
  }

  kill({ step, call, downMs }: Extract<Fault, { kind: "kill" }>): void {
    const server = this.#server;
    if (!server?.isListening()) return;
    server.killAt({ step, call }, () => {
      this.#free(server);
      this.#time.at(this.#time.now + Math.max(1, downMs), () => this.start());
    });
  }

  /** A clean stop, and a start at `to`. */
  restart(to: number): void {
    const server = this.#server;
    if (!server?.isListening()) return;
    void server.stop().then(() => {
      this.#close(server, "stop");
      this.#time.at(Math.max(to, this.#time.now + 1), () => this.start());
    });
  }

  get #time() {
    return this.around.machine.time;
  }

  /** As the process ends if its start fails, for example because the disk is full. */
  #fail(server: Server): void {
    this.#record("stop");
    server.abandon();
    this.#free(server);
    this.#time.at(this.#time.now + RESTART_AFTER, () => this.start());
  }

  #close(server: Server, end: "stop" | "end"): void {
    this.#record(end);
    this.#free(server, () => {
      if (end === "end") this.#hasEnded = true;
    });
  }

  #record(end: Ledger["lives"][number]["end"]): void {
    const { node } = this;
    this.around.ledger.lives.push({ node, from: this.#bornAt, to: this.#time.now, end });
  }

  /** In a later event, because calls of the store may still run in this one. */
  #free(server: Server, then = () => {}): void {
    this.#time.at(this.#time.now, () => {
      server.close();
      if (this.#server === server) this.#server = undefined;
      then();
    });
  }
}
