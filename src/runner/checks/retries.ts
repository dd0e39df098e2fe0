import type { Clock } from "../../clock.ts";
import type { Slot } from "../../store/store.ts";

/** The first failures may be a short fault of this machine. Each pause after them is twice as long; milliseconds. */
const SHORT_FAULTS = 3;
const SHORTEST_PAUSE = 1000;

/** How often the entries of monitors are deleted that are no longer checked, in milliseconds. */
const SWEEP_EVERY = 60 * 60 * 1000;

/**
 * Postpones checks whose slot stays due because nothing was recorded for it. Any change of the monitor gives it another
 * slot, which is not postponed.
 */
export interface Retries {
  isWaiting(check: Slot): boolean;
  /** When a postponed check may start, in milliseconds of the monotonic clock; a past time if it is not postponed. */
  waitsUntil(check: Slot): number;
  /**
   * Because of a fault of this machine the check gave no result. It is repeated soon, and at most once per interval if the fault
   * lasts. @param interval of the monitor, in seconds
   */
  failed(check: Slot, interval: number): void;
  /** The network of this machine was offline. It is repeated when the network is back, and at most once per interval until then. */
  offline(check: Slot, interval: number): void;
  /** The network is back. */
  online(): void;
  /** The result is held in memory. @param pause milliseconds until the next slot */
  held(check: Slot, pause: number): void;
  /** Whether a result of the slot was held: when it is written, the monitor gets a later slot. */
  wasHeld(check: Slot): boolean;
  /** The result is recorded. */
  succeeded(pk: number): void;
}

interface Postponed {
  slot: number;
  failures: number;
  until: number;
  isOffline?: true;
  isHeld?: true;
}

export function createRetries(clock: Pick<Clock, "monotonic">): Retries {
  /** By monitor. */
  const waiting = new Map<number, Postponed>();
  let sweptAt = clock.monotonic();

  function sweep(now: number): void {
    if (now < sweptAt + SWEEP_EVERY) return;
    sweptAt = now;
    for (const [pk, { until }] of waiting) if (now > until + SWEEP_EVERY) waiting.delete(pk);
  }

  function postpone(
    { pk, nextCheckAt: slot }: Slot,
    { pause, ...why }: { pause: number; failures: number; isOffline?: true; isHeld?: true },
  ) {
    const now = clock.monotonic();
    sweep(now);
    waiting.set(pk, { slot, ...why, until: now + pause });
  }

  function waitsUntil({ pk, nextCheckAt }: Slot): number {
    const last = waiting.get(pk);
    return last?.slot === nextCheckAt ? last.until : Number.NEGATIVE_INFINITY;
  }

  return {
    // Most scans ask this for thousands of checks, of which none is postponed.
    isWaiting: (check) => waiting.size > 0 && clock.monotonic() < waitsUntil(check),
    waitsUntil,
    failed(check, interval) {
      const last = waiting.get(check.pk);
      const failures = last?.slot === check.nextCheckAt ? last.failures + 1 : 1;
      const pause = SHORTEST_PAUSE * 2 ** Math.max(0, failures - SHORT_FAULTS);
      postpone(check, { pause: Math.min(pause, interval * 1000), failures });
    },
    offline: (check, interval) => postpone(check, { pause: interval * 1000, failures: 0, isOffline: true }),
    online() {
      for (const [pk, { isOffline }] of waiting) if (isOffline) waiting.delete(pk);
    },
    held: (check, pause) => postpone(check, { pause, failures: 0, isHeld: true }),
    wasHeld: ({ pk, nextCheckAt }) =>
      waiting.get(pk)?.slot === nextCheckAt && waiting.get(pk)?.isHeld === true,
    succeeded: (pk) => void waiting.delete(pk),
  };
}
