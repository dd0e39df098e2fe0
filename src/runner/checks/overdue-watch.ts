import type { Cancel, Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { createFaultLog } from "../fault-log.ts";

/** Milliseconds between two counts. */
const COUNT_EVERY = 5000;

/** Counts the monitors that wait for a check for longer than their interval (behavior 1.61). */
export interface OverdueWatch {
  start(): void;
  /** As of the last count. */
  count(): number;
  /** Waits for the count under way. */
  stop(): Promise<void>;
}

export function createOverdueWatch({
  store,
  clock,
  log,
}: {
  store: Pick<Store, "overdue">;
  clock: Pick<Clock, "now" | "every">;
  log: Pick<Logger, "warn" | "info" | "error">;
}): OverdueWatch {
  const faults = createFaultLog(log, "overdue monitors could not be counted");
  let cancel: Cancel | undefined;
  let counting: Promise<void> = Promise.resolve();
  let overdue = 0;

  async function count(): Promise<void> {
    const before = overdue;
    overdue = await store.overdue.count(clock.now());
    if (overdue > 0 && before === 0)
      log.warn({ monitors: overdue }, "monitors wait for a check for longer than their interval");
    if (overdue === 0 && before > 0)
      log.info("no monitor waits for a check for longer than its interval any more");
  }

  return {
    count: () => overdue,
    start() {
      cancel = clock.every(COUNT_EVERY, () => {
        counting = count().then(faults.succeeded, faults.failed);
        return counting;
      });
    },
    async stop() {
      cancel?.();
      await counting;
    },
  };
}
