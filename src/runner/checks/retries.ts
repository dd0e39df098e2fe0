import type { Slot } from "../../store/monitors/monitors.ts";

/** As many failed runs in a row may be a short fault of ours; from then on each pause is twice as long, in milliseconds. */
const SHORT_FAULTS = 3;
const SHORTEST_PAUSE = 1000;

/** How often monitors are dropped that are no longer checked, in milliseconds. */
const SWEEP_EVERY = 60 * 60 * 1000;

/**
 * Spaces out the checks that give no result, because of a fault of ours: at first they are repeated soon, and no
 * oftener than the interval of the monitor if the fault lasts.
 */
export interface Retries {
  /** Whether a check that failed waits for its next run. Any change of the monitor gives it another slot. */
  isWaiting(check: Slot): boolean;
  /** @param interval of the monitor, in seconds */
  failed(check: Slot, interval: number): void;
  /** A check of the monitor gave a result. */
  succeeded(pk: number): void;
}

/** @param monotonic milliseconds of a clock that is never put back */
export function createRetries(monotonic = () => performance.now()): Retries {
  /** By monitor. */
  const failures = new Map<number, { slot: number; count: number; until: number }>();
  let sweptAt = monotonic();

  function sweep(now: number): void {
    if (now < sweptAt + SWEEP_EVERY) return;
    sweptAt = now;
    for (const [pk, { until }] of failures) if (now > until + SWEEP_EVERY) failures.delete(pk);
  }

  return {
    isWaiting({ pk, nextCheckAt }) {
      const last = failures.get(pk);
      return last !== undefined && last.slot === nextCheckAt && monotonic() < last.until;
    },
    failed({ pk, nextCheckAt: slot }, interval) {
      const now = monotonic();
      sweep(now);
      const last = failures.get(pk);
      const count = last?.slot === slot ? last.count + 1 : 1;
      const pause = SHORTEST_PAUSE * 2 ** Math.max(0, count - SHORT_FAULTS);
      failures.set(pk, { slot, count, until: now + Math.min(pause, interval * 1000) });
    },
    succeeded: (pk) => void failures.delete(pk),
  };
}
