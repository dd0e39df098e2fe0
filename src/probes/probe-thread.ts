import type { Observation } from "../domain/observation.ts";
import type { Check, CheckOrder, CheckReport } from "./probe-messages.ts";
import type { ProbeSettings } from "./probe-settings.ts";

/** Runs checks away from the main thread. */
export interface ProbeThread {
  /** @throws where the thread dies before the check has ended: that says nothing of the target */
  run(check: Check): Promise<Observation>;
  stop(): void;
}

interface Waiting {
  resolve(observation: Observation): void;
  reject(error: Error): void;
}

/** A thread that dies is followed by another after this many milliseconds. */
const PAUSE_BEFORE_REPLACEMENT = 1000;

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
  let tickets = 0;
  let stopped = false;
  let worker: Worker | undefined = spawn();

  function spawn(): Worker {
    const spawned = new Worker(entry);
    spawned.postMessage(settings);
    spawned.onmessage = ({ data }: MessageEvent<CheckReport>) => {
      waiting.get(data.ticket)?.resolve(data.observation);
      waiting.delete(data.ticket);
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
    for (const { reject } of waiting.values()) reject(new Error(`the probe thread died: ${cause}`));
    waiting.clear();
    setTimeout(() => {
      if (!stopped) worker = spawn();
    }, PAUSE_BEFORE_REPLACEMENT);
  }

  return {
    async run(check) {
      if (!worker) throw new Error("the probe thread is being replaced");
      const { promise, resolve, reject } = Promise.withResolvers<Observation>();
      const ticket = tickets++;
      waiting.set(ticket, { resolve, reject });
      worker.postMessage({ ...check, ticket } satisfies CheckOrder);
      return promise;
    },
    stop() {
      stopped = true;
      worker?.terminate();
    },
  };
}
