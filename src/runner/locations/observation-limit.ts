import type { Clock } from "../../clock.ts";
import { KEPT_FOR, type SentObservation } from "../../domain/locations/protocol.ts";

/** Some observations. @property cost of recording them; a usual observation costs 1 */
export interface Load {
  count: number;
  cost: number;
}

/** Limits how many observations a location sends (behavior 13.37). */
interface ObservationLimit {
  /**
   * Counts observations.
   *
   * @param nominal how many the monitors of the location give per second
   * @returns 0 if they conform, otherwise after how many seconds they can; then nothing is counted
   */
  take(location: number, load: Load, nominal: number): number;
  /** Takes back what was counted, because the database could not take the observations. */
  giveBack(location: number, load: Load): void;
}

/** How many times its nominal rate a location may send in the long run, and how many observations per second beside that. */
const RATE_FACTOR = 4;
const EXTRA_RATE = 1;

/** Observations that a location may send in addition to all of `KEPT_FOR`. */
const EXTRA_BURST = 1000;

/** The cost that a location may cause per second, and for how many seconds at once: a probe stays below this. */
const FASTEST = 2500;
const FASTEST_FOR = 4;

export function createObservationLimit(clock: Pick<Clock, "monotonic">): ObservationLimit {
  /** By location. */
  const buckets = new Map<number, { kept: Bucket; fast: Bucket }>();

  function bucketsOf(location: number) {
    const known = buckets.get(location) ?? { kept: createBucket(clock), fast: createBucket(clock) };
    buckets.set(location, known);
    return known;
  }

  return {
    take(location, { count, cost }, nominal) {
      const { kept, fast } = bucketsOf(location);
      const rate = RATE_FACTOR * nominal + EXTRA_RATE;
      const fastRate = Math.max(FASTEST, rate);
      const keptFor = kept.waitFor(count, { rate, size: (nominal * KEPT_FOR) / 1000 + EXTRA_BURST });
      const fastFor = fast.waitFor(cost, { rate: fastRate, size: fastRate * FASTEST_FOR });
      const wait = Math.max(keptFor, fastFor);
      if (wait > 0) return Math.ceil(wait);
      kept.add(count);
      fast.add(cost);
      return 0;
    },
    giveBack(location, { count, cost }) {
      const { kept, fast } = bucketsOf(location);
      kept.add(-count);
      fast.add(-cost);
    },
  };
}

type Bucket = ReturnType<typeof createBucket>;

/** A token bucket whose size and rate may change. */
function createBucket(clock: Pick<Clock, "monotonic">) {
  let used = 0;
  /** In milliseconds of the monotonic clock. */
  let at = clock.monotonic();
  return {
    /** @param rate per second @returns after how many seconds there is room */
    waitFor(count: number, { rate, size }: { rate: number; size: number }): number {
      const now = clock.monotonic();
      used = Math.max(0, used - ((now - at) * rate) / 1000);
      at = now;
      return Math.max(0, (used + count - size) / rate);
    },
    add(count: number): void {
      used = Math.max(0, used + count);
    },
  };
}

/** A digest is computed of each DNS record: of so many, that costs as much as to record an observation without any. */
const RECORDS = 10;

/** The cost of recording some observations; a usual one costs 1 (behavior 13.37). */
export function costOf(observations: readonly Pick<SentObservation, "evidence">[]): number {
  return observations.reduce((sum, { evidence }) => sum + 1 + Math.floor(recordsIn(evidence) / RECORDS), 0);
}

/** Counts before the evidence is validated, which has a cost too. */
function recordsIn(evidence: unknown): number {
  const lookups = Object(Object(evidence).answer).lookups;
  if (!Array.isArray(lookups)) return 0;
  return lookups.reduce((sum: number, lookup) => sum + lengthOf(Object(lookup).values), 0);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
