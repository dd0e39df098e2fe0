import type { Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { createFaultLog } from "../fault-log.ts";
import { createLoop, type Loop } from "../loop.ts";

/** Milliseconds between two counts. */
const COUNT_EVERY = 5000;

/** After a count, this many times as long as it took belongs to the checks: to count 100,000 takes some tenths of a second. */
const REST = 50;

/** Counts the monitors that wait for a check for longer than their interval (behavior 1.61). */
export interface OverdueWatch extends Pick<Loop, "start" | "stop"> {
  /** As of the last count. */
  count(): number;
}

export function createOverdueWatch({
  store,
  clock,
  log,
}: {
  store: Pick<Store, "overdue">;
  clock: Clock;
  log: Logger;
}): OverdueWatch {
  let overdue = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  async function count(): Promise<void> {
    const [before, start] = [overdue, clock.monotonic()];
    if (start < restsUntil) return;
    overdue = await store.overdue.count(clock.now());
    const end = clock.monotonic();
    restsUntil = end + REST * (end - start);
    if (overdue > 0 && before === 0)
      log.warn({ monitors: overdue }, "monitors wait for a check for longer than their interval");
    if (overdue === 0 && before > 0)
      log.info("no monitor waits for a check for longer than its interval any more");
  }

  const loop = createLoop({
    clock,
    every: COUNT_EVERY,
    task: count,
    faults: createFaultLog(log, "overdue monitors could not be counted"),
  });

  return { ...loop, count: () => overdue };
}
