import type { Clock } from "../../clock.ts";
import { StorageFault } from "../../errors.ts";

/** A check-in that waits longer than this is refused, so that its job learns it within 10 s; milliseconds. */
const MAX_WAIT = 8500;
const LOOK_EVERY = 500;

interface WaitingCheckin {
  since: number;
  reject(error: unknown): void;
}

/** Limits how long check-ins wait for a database that does not answer. What is refused may still be recorded. */
export function createCheckinDeadline(clock: Pick<Clock, "monotonic" | "after">) {
  /** The oldest first. */
  const waiting = new Set<WaitingCheckin>();
  let isLooking = false;

  function look(): void {
    const overdue = clock.monotonic() - MAX_WAIT;
    for (const one of waiting) {
      if (one.since > overdue) break;
      waiting.delete(one);
      one.reject(new StorageFault(new Error(`the check-in was not written within ${MAX_WAIT} ms`)));
    }
    isLooking = waiting.size > 0;
    if (isLooking) clock.after(LOOK_EVERY, look);
  }

  return {
    /** @param reject is called with a `StorageFault`, unless the function that this returns is called in time */
    begin(reject: (error: unknown) => void): () => void {
      const one = { since: clock.monotonic(), reject };
      waiting.add(one);
      if (!isLooking) look();
      return () => waiting.delete(one);
    },
  };
}
