import type { Clock } from "../clock.ts";

/** Limits how often each key may do something: the generic cell rate algorithm (GCRA). */
export interface RateLimit {
  /** Counts one request. @returns 0 if it conforms, otherwise after how many seconds the next one can */
  take(key: string): number;
  /** Takes one request back, which does not count any more. */
  giveBack(key: string): void;
  /** Resets a key. */
  forget(key: string): void;
}

/** Above this number of keys, the least recently used ones are dropped. */
const MAX_KEYS = 10_000;

/** @param burst requests at once after a pause @param perSecond requests in the long run */
export function createRateLimit({
  burst,
  perSecond,
  clock,
}: {
  burst: number;
  perSecond: number;
  clock: Pick<Clock, "monotonic">;
}): RateLimit {
  const emissionInterval = 1000 / perSecond;
  const burstTolerance = burst * emissionInterval;
  /** The theoretical arrival time (TAT) of the next request, by hash: a key can be part of a long URL. */
  const arrivalTimes = new Map<number | bigint, number>();
  // Secret, so that nobody can construct a key with the hash of another and use up its limit.
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;

  /** A key moves to the end when it is used, so that the first one is the least recently used. */
  function save(hash: number | bigint, arrivalTime: number): void {
    arrivalTimes.delete(hash);
    arrivalTimes.set(hash, arrivalTime);
    if (arrivalTimes.size <= MAX_KEYS) return;
    const [oldest] = arrivalTimes.keys();
    if (oldest !== undefined) arrivalTimes.delete(oldest);
  }

  return {
    take(key) {
      const hash = Bun.hash(key, seed);
      const now = clock.monotonic();
      const arrivalTime = Math.max(arrivalTimes.get(hash) ?? now, now);
      const wait = arrivalTime + emissionInterval - burstTolerance - now;
      save(hash, wait > 0 ? arrivalTime : arrivalTime + emissionInterval);
      return wait > 0 ? Math.ceil(wait / 1000) : 0;
    },
    giveBack(key) {
      const hash = Bun.hash(key, seed);
      const arrivalTime = arrivalTimes.get(hash);
      if (arrivalTime !== undefined) arrivalTimes.set(hash, arrivalTime - emissionInterval);
    },
    forget: (key) => void arrivalTimes.delete(Bun.hash(key, seed)),
  };
}

/** Limits how often each key may do something in any period of a length: a sliding log. */
interface WindowLimit {
  /** Counts one request. @returns 0 if it conforms, otherwise after how many seconds the next one can */
  take(key: string): number;
}

/**
 * Exact, unlike a rate limit, which allows a burst and then more. It keeps the times of `most` requests of each key.
 *
 * @param period milliseconds
 */
export function createWindowLimit({
  most,
  period,
  clock,
}: {
  most: number;
  period: number;
  clock: Pick<Clock, "monotonic">;
}): WindowLimit {
  /** The times of the requests that conformed, the oldest first. */
  const times = new Map<string, number[]>();

  return {
    take(key) {
      const now = clock.monotonic();
      const recent = (times.get(key) ?? []).filter((at) => at > now - period);
      const [oldest] = recent;
      const wait = recent.length < most || oldest === undefined ? 0 : oldest + period - now;
      if (wait === 0) recent.push(now);
      // A key moves to the end when it is used, so that the first one is the least recently used.
      times.delete(key);
      times.set(key, recent);
      const [first] = times.keys();
      if (times.size > MAX_KEYS && first !== undefined) times.delete(first);
      return Math.ceil(wait / 1000);
    },
  };
}
