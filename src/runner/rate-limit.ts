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
