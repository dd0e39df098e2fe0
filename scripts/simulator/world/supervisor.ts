import { StorageFault } from "../../../src/errors.ts";
import type { Fault, Ledger, SimRequest } from "../ledger.ts";
import type { Part } from "./due-times.ts";
import { operate } from "./operator.ts";
import { Process } from "./process.ts";
import { look } from "./reader.ts";
import { Gone, type Server, type SimReport, type Surroundings } from "./server.ts";

/** How long an operator waits for the next attempt; milliseconds. */
const ASK_AGAIN_AFTER = 3000;

/** While one of these lasts, no call of a job is accepted. */
const UNREACHABLE = ["suspend", "network-gone", "no-descriptors"] as const;

/** Lets jobs call, operators ask and faults happen. Each request and each fault of a process meets the next node. */
export class Supervisor {
  readonly #processes: Process[];
  /** Counts requests and faults of processes. */
  #requests = 0;
  #faults = 0;

  constructor(private readonly around: Surroundings) {
    const { nodes = 1 } = around.ledger.scenario;
    const changed = (part: Part) => {
      for (const server of this.#servers()) server.refreshPart(part);
    };
    this.#processes = Array.from({ length: nodes }, (_, node) => new Process(around, node, changed));
  }

  /** The process that the next request reaches: a process that listens, if any does. */
  readonly server = (): Server | undefined => {
    const at = this.#requests++ % this.#processes.length;
    const servers = [...this.#processes.slice(at), ...this.#processes.slice(0, at)].map((one) =>
      one.server(),
    );
    return servers.find((server) => server?.isListening()) ?? servers.find((server) => server);
  };

  /** Plans the whole scenario and starts the first lives. */
  begin(): void {
    const { scenario } = this.around.ledger;
    for (const { name, checkins = [], starts = [] } of scenario.monitors) {
      for (const { at, ...checkin } of checkins) this.#time.at(at, () => this.#checkIn(name, checkin));
      for (const { at, ...start } of starts) this.#time.at(at, () => this.#start(name, start));
    }
    for (const request of scenario.requests ?? [])
      this.#time.at(request.at, () => void this.#operate(request));
    for (const at of scenario.looks ?? []) this.#time.at(at, () => void this.#look());
    for (const fault of scenario.faults) this.#plan(fault);
    for (const process of this.#processes) process.start();
  }

  /** Ends the scenario with a clean stop. */
  end(): void {
    for (const process of this.#processes) process.end();
  }

  hasEnded(): boolean {
    return this.#processes.every((process) => process.hasEnded());
  }

  get #time() {
    return this.around.machine.time;
  }

  #servers(): Server[] {
    return this.#processes.flatMap((process) => process.server() ?? []);
  }

  readonly #observers = {
    refresh: () => {
      for (const server of this.#servers()) server.refresh();
    },
    pulse: () => {
      for (const server of this.#servers()) server.pulse();
    },
  };

  #plan(fault: Fault): void {
    const { machine } = this.around;
    if (fault.kind === "kill") {
      const process = this.#nextProcess();
      this.#time.at(fault.at, () => process?.kill(fault));
      machine.stayDenseDuring({ kind: fault.kind, from: fault.at, to: fault.at }, this.#observers);
      return;
    }
    const { from, to } = fault;
    if (fault.kind === "restart") {
      const process = this.#nextProcess();
      this.#time.at(from, () => process?.restart(to));
    }
    if (fault.kind === "stall") {
      const process = this.#nextProcess();
      this.#time.at(from, () => process?.server()?.freeze(to));
    }
    if (fault.kind === "suspend") {
      this.#time.at(from, () => {
        this.#time.suspended += to - from;
        for (const server of this.#servers()) server.freeze(to);
      });
    }
    // After the clock or the disk has changed, what is due is due at another time.
    machine.stayDenseDuring(fault, this.#observers);
  }

  #nextProcess(): Process | undefined {
    return this.#processes[this.#faults++ % this.#processes.length];
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
    for (let isRepeated = false; ; ) {
      try {
        const server = this.server();
        if (!server) throw new Gone("no process runs");
        entry.accepted = await server.operate((parts) =>
          operate(request, { ...parts, ledger, organizationId, isRepeated }),
        );
        entry.to = this.#time.now;
        for (const one of this.#servers()) one.lookAtWindows();
        return;
      } catch (error) {
        if (this.hasEnded() || !(error instanceof Gone || error instanceof StorageFault)) throw error;
        isRepeated = true;
      }
      await new Promise<void>((resolve) => this.#time.at(this.#time.now + ASK_AGAIN_AFTER, resolve));
    }
  }

  /** A reader who gets no answer sees nothing. */
  async #look(): Promise<void> {
    const { ledger, organizationId } = this.around;
    const from = this.#time.now;
    try {
      const seen = await this.server()?.operate((parts) => look(organizationId, parts));
      if (seen) ledger.looks.push({ ...seen, from, to: this.#time.now });
    } catch (error) {
      if (!(error instanceof Gone || error instanceof StorageFault)) throw error;
    }
  }

  #checkIn(monitor: string, checkin: { status: "ok" | "fail"; rid?: string }): void {
    const call = { monitor, at: this.#time.now, ...checkin, accepted: false };
    this.around.ledger.checkins.push(call);
    this.#report(call, { kind: "checkin", ...checkin });
  }

  #start(monitor: string, start: { rid?: string; hangs?: true }): void {
    const call = { monitor, at: this.#time.now, ...start, accepted: false };
    this.around.ledger.starts.push(call);
    this.#report(call, { kind: "start", ...start });
  }

  #report(call: { monitor: string; accepted: boolean }, report: SimReport): void {
    const { machine, ledger } = this.around;
    const isReachable = !UNREACHABLE.some((kind) => machine.has(kind));
    const server = isReachable ? this.server() : undefined;
    if (!server?.isListening()) return;
    void server.report(ledger.monitorIds.get(call.monitor) ?? "", report).then((accepted) => {
      call.accepted = accepted;
    });
  }
}
