import type { Observation } from "../domain/checks/observation.ts";
import type { Beginning, Check, CheckReport, Order } from "./probe-messages.ts";
import type { ProbeSettings } from "./probe-settings.ts";

/** Runs checks away from the main thread. */
export interface ProbeThread {
  /**
   * @param onSockets gets how many sockets a check that takes longer holds at most from then on
   * @throws where the thread dies before the check has ended: that says nothing of the target
   */
  run(check: Check, onSockets?: (sockets: number) => void): Promise<Observation>;
  /** Ends a check that was given to `run`, or that waits for its time: its observation is then inconclusive. */
  cancel(check: Check): void;
  /** Resolves when the thread has answered. @throws where it dies before */
  ping(): Promise<void>;
  /** How many sockets its checks hold, those included that the system has not given up yet. */
  sockets(): number;
  stop(): void;
}

interface Waiting {
  check: Check;
  onSockets: ((sockets: number) => void) | undefined;
  resolve(observation: Observation): void;
  reject(error: Error): void;
}

/** A thread that dies is followed by another after this many milliseconds. */
const PAUSE_BEFORE_REPLACEMENT = 1000;

const CANCELLED: Observation = { outcome: "inconclusive", message: "the check was cancelled" };

/**
 * @param entry the file of the thread, `probe-worker.ts`
 * @param onDeath told when the thread has died of itself and will be replaced
 */
export function startProbeThread(
  entry: URL,
  settings: ProbeSettings,
  onDeath: (cause: string) => void,
): ProbeThread {
  const waiting = new Map<number, Waiting>();
  const tickets = new Map<Check, number>();
  /** What this turn of the event loop has ordered: a message costs more than what is in it. */
  let orders: Order[] = [];
  const pings = new Map<number, PromiseWithResolvers<void>>();
  let lastTicket = 0;
  let stopped = false;
  let sockets = sharedCount();
  let worker: Worker | undefined = spawn();

  function spawn(): Worker {
    const spawned = new Worker(entry);
    // Those of a thread that died closed with it.
    sockets = sharedCount();
    spawned.postMessage({ settings, sockets } satisfies Beginning);
    spawned.onmessage = ({ data: reports }: MessageEvent<CheckReport[]>) => {
      for (const report of reports) {
        const { ticket } = report;
        if ("observation" in report) settle(ticket)?.resolve(report.observation);
        else if ("sockets" in report) waiting.get(ticket)?.onSockets?.(report.sockets);
        else answer(ticket);
      }
    };
    spawned.onerror = ({ message }) => bury(spawned, message);
    spawned.addEventListener("close", () => bury(spawned, "it ended"));
    return spawned;
  }

  function bury(dead: Worker, cause: string): void {
    if (stopped || dead !== worker) return;
    dead.terminate();
    worker = undefined;
    onDeath(cause);
    const error = new Error(`the probe thread died: ${cause}`);
    for (const ticket of [...waiting.keys()]) settle(ticket)?.reject(error);
    for (const { reject } of pings.values()) reject(error);
    pings.clear();
    orders = [];
    setTimeout(() => {
      if (!stopped) worker = spawn();
    }, PAUSE_BEFORE_REPLACEMENT);
  }

  function answer(ticket: number): void {
    pings.get(ticket)?.resolve();
    pings.delete(ticket);
  }

  function settle(ticket: number): Waiting | undefined {
    const settled = waiting.get(ticket);
    waiting.delete(ticket);
    if (settled) tickets.delete(settled.check);
    return settled;
  }

  function send(order: Order): void {
    if (orders.push(order) === 1) queueMicrotask(flush);
  }

  function flush(): void {
    if (orders.length > 0) worker?.postMessage(orders);
    orders = [];
  }

  return {
    async run(check, onSockets) {
      if (!worker) throw new Error("the probe thread is being replaced");
      const { promise, resolve, reject } = Promise.withResolvers<Observation>();
      const ticket = ++lastTicket;
      waiting.set(ticket, { check, onSockets, resolve, reject });
      tickets.set(check, ticket);
      send({ ticket, check });
      return promise;
    },
    cancel(check) {
      const ticket = tickets.get(check);
      if (ticket === undefined) return;
      settle(ticket)?.resolve(CANCELLED);
      send({ ticket, cancel: true });
    },
    async ping() {
      if (!worker) throw new Error("the probe thread is being replaced");
      const ticket = ++lastTicket;
      const answered = Promise.withResolvers<void>();
      pings.set(ticket, answered);
      send({ ticket, ping: true });
      return answered.promise;
    },
    sockets: () => Atomics.load(sockets, 0),
    stop() {
      stopped = true;
      worker?.terminate();
    },
  };
}

function sharedCount(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
