import { StorageFault } from "../../../src/errors.ts";
import type { Fault, Ledger, SimRequest } from "../ledger.ts";
import { operate } from "./operator.ts";
import { look } from "./reader.ts";
import { createServer, Gone, type Server, type Surroundings } from "./server.ts";

/** After a start that failed, the service manager starts the server again; milliseconds. */
const RESTART_AFTER = 5000;

/** How long an operator waits for the next attempt; milliseconds. */
const ASK_AGAIN_AFTER = 3000;

/** While one of these lasts, no call of a job is accepted. */
const UNREACHABLE = ["suspend", "network-gone", "no-descriptors"] as const;

/** Lets jobs call and faults happen, and starts the server whenever it should run. */
export class Supervisor {
  #server: Server | undefined;
  #bornAt = 0;
  #hasEnded = false;

  constructor(private readonly around: Surroundings) {}

  /** The present life, which may not listen. */
  readonly server = (): Server | undefined => this.#server;

  /** Plans the whole scenario and starts the first life. */
  begin(): void {
    const { scenario } = this.around.ledger;
    for (const { name, checkins = [] } of scenario.monitors)
      for (const { at, status } of checkins) this.#time.at(at, () => this.#checkIn(name, status));
    for (const request of scenario.requests ?? [])
      this.#time.at(request.at, () => void this.#operate(request));
    for (const at of scenario.looks ?? []) this.#time.at(at, () => void this.#look());
    for (const fault of scenario.faults) this.#plan(fault);
    this.#start();
  }

  /** Ends the scenario with a clean stop. */
  end(): void {
    const server = this.#server;
    if (!server?.isAlive()) this.#hasEnded = true;
    else void server.stop().then(() => this.#close(server, "end"));
  }

  hasEnded(): boolean {
    return this.#hasEnded;
  }

  get #time() {
    return this.around.machine.time;
  }

  #start(): void {
    if (this.#server || this.#hasEnded) return;
    this.around.machine.stayDense();
    this.#bornAt = this.#time.now;
    const server = createServer(this.around, () => this.#record("kill"));
    this.#server = server;
    server.start().catch(() => this.#fail(server));
  }

  /** As the process ends if its start fails, for example because the disk is full. */
  #fail(server: Server): void {
    this.#record("stop");
    server.abandon();
    this.#free(server);
    this.#time.at(this.#time.now + RESTART_AFTER, () => this.#start());
  }

  #close(server: Server, end: "stop" | "end"): void {
    this.#record(end);
    this.#free(server, () => {
      if (end === "end") this.#hasEnded = true;
    });
  }

  #record(end: Ledger["lives"][number]["end"]): void {
    this.around.ledger.lives.push({ from: this.#bornAt, to: this.#time.now, end });
  }

  /** In a later event, because calls of the store may still run in this one. */
  #free(server: Server, then = () => {}): void {
    this.#time.at(this.#time.now, () => {
      server.close();
      if (this.#server === server) this.#server = undefined;
      then();
    });
  }

  readonly #observers = {
    refresh: () => this.#server?.refresh(),
    pulse: () => this.#server?.pulse(),
  };

  #plan(fault: Fault): void {
    const { machine } = this.around;
    if (fault.kind === "kill") {
      this.#time.at(fault.at, () => this.#kill(fault));
      machine.stayDenseDuring({ kind: fault.kind, from: fault.at, to: fault.at }, this.#observers);
      return;
    }
    const { from, to } = fault;
    if (fault.kind === "restart") this.#time.at(from, () => this.#restart(to));
    if (fault.kind === "stall") this.#time.at(from, () => this.#server?.freeze(to));
    if (fault.kind === "suspend") {
      this.#time.at(from, () => {
        this.#time.suspended += to - from;
        this.#server?.freeze(to);
      });
    }
    // After the clock or the disk has changed, what is due is due at another time.
    machine.stayDenseDuring(fault, this.#observers);
  }

  #kill({ step, downMs }: Extract<Fault, { kind: "kill" }>): void {
    const server = this.#server;
    if (!server?.isListening()) return;
    server.killAt(step, () => {
      this.#free(server);
      this.#time.at(this.#time.now + Math.max(1, downMs), () => this.#start());
    });
  }

  #restart(to: number): void {
    const server = this.#server;
    if (!server?.isListening()) return;
    void server.stop().then(() => {
      this.#close(server, "stop");
      this.#time.at(Math.max(to, this.#time.now + 1), () => this.#start());
    });
  }

  /** An operator tries again until the server answers. */
  async #operate(request: SimRequest): Promise<void> {
    const { ledger, organizationId } = this.around;
    const entry: Ledger["requests"][number] = {
      request,
      from: this.#time.now,
      to: this.#time.now,
      accepted: false,
    };
    ledger.requests.push(entry);
    for (;;) {
      try {
        const server = this.#server;
        if (!server) throw new Gone("no process runs");
        entry.accepted = await server.operate((parts) =>
          operate(request, { ...parts, ledger, organizationId }),
        );
        entry.to = this.#time.now;
        this.#server?.lookAtWindows();
        return;
      } catch (error) {
        if (this.#hasEnded || !(error instanceof Gone || error instanceof StorageFault)) throw error;
      }
      await new Promise<void>((resolve) => this.#time.at(this.#time.now + ASK_AGAIN_AFTER, resolve));
    }
  }

  /** A reader who gets no answer sees nothing. */
  async #look(): Promise<void> {
    const { ledger, organizationId } = this.around;
    const from = this.#time.now;
    try {
      const seen = await this.#server?.operate((parts) => look(organizationId, parts));
      if (seen) ledger.looks.push({ ...seen, from, to: this.#time.now });
    } catch (error) {
      if (!(error instanceof Gone || error instanceof StorageFault)) throw error;
    }
  }

  #checkIn(monitor: string, status: "ok" | "fail"): void {
    const { machine, ledger } = this.around;
    const call: Ledger["checkins"][number] = { monitor, at: this.#time.now, status, accepted: false };
    ledger.checkins.push(call);
    const isReachable = !UNREACHABLE.some((kind) => machine.has(kind));
    if (!isReachable || !this.#server?.isListening()) return;
    void this.#server.checkIn(ledger.monitorIds.get(monitor) ?? "", status).then((accepted) => {
      call.accepted = accepted;
    });
  }
}
