import type { Clock } from "../../clock.ts";
import { KEPT_FOR } from "../../domain/locations/protocol.ts";

/**
 * Limits how many observations a location sends: a token bucket with room for what its monitors give in the time for which
 * a probe keeps observations, and some more for re-checks (behavior 13.37).
 */
export interface ObservationLimit {
  /**
   * Counts observations.
   *
   * @param nominal how many the monitors of the location give per second
   * @returns 0 if they conform, otherwise after how many seconds they can; then nothing is counted
   */
  take(location: number, count: number, nominal: number): number;
  /** Takes back what was counted, because the database could not take the observations. */
  giveBack(location: number, count: number): void;
}

/** How many times its nominal rate a location may send in the long run, and how many observations per second beside that. */
const RATE_FACTOR = 4;
const EXTRA_RATE = 1;

/** How many observations a location may send at once, beside those of `KEPT_FOR`. */
const EXTRA_BURST = 1000;

interface Bucket {
  /** How many observations were taken that have not been made up for since. */
  used: number;
  /** In milliseconds of the monotonic clock. */
  at: number;
}

export function createObservationLimit(clock: Pick<Clock, "monotonic">): ObservationLimit {
  const buckets = new Map<number, Bucket>();
  return {
    take(location, count, nominal) {
      const rate = RATE_FACTOR * nominal + EXTRA_RATE;
      const burst = (nominal * KEPT_FOR) / 1000 + EXTRA_BURST;
      const now = clock.monotonic();
      const before = buckets.get(location) ?? { used: 0, at: now };
      const used = Math.max(0, before.used - ((now - before.at) * rate) / 1000);
      const excess = used + count - burst;
      buckets.set(location, { used: excess > 0 ? used : used + count, at: now });
      return excess > 0 ? Math.ceil(excess / rate) : 0;
    },
    giveBack(location, count) {
      const bucket = buckets.get(location);
      if (bucket) bucket.used = Math.max(0, bucket.used - count);
    },
  };
}
