/** Bounds how often something may happen, for each of many that do it. */
export interface RateLimit {
  /** Counts once. @param now milliseconds @returns 0, or after how many seconds it may be tried again where it is too often */
  take(key: string, now: number): number;
  /** What it did no longer counts. */
  forget(key: string): void;
}

/** More are not kept: of those that were least recently heard of, it is forgotten what they did. */
const MOST_KEPT = 10_000;

/** @param burst how often at once, after a pause @param perSecond how often in the long run */
export function createRateLimit({ burst, perSecond }: { burst: number; perSecond: number }): RateLimit {
  const gap = 1000 / perSecond;
  /** When each would be back to having done nothing; by a hash, as a key may be a part of a long URL that would be kept. */
  const clear = new Map<number | bigint, number>();
  // Whoever could foresee it could use up what is somebody else's.
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  return {
    take(key, now) {
      const hash = Bun.hash(key, seed);
      // A moment that is too far off was put back with the clock.
      const at = Math.min(Math.max(clear.get(hash) ?? 0, now), now + burst * gap);
      const late = at + gap - (now + burst * gap);
      clear.delete(hash);
      clear.set(hash, late > 0 ? at : at + gap);
      const [oldest] = clear.keys();
      if (clear.size > MOST_KEPT && oldest !== undefined) clear.delete(oldest);
      return late > 0 ? Math.ceil(late / 1000) : 0;
    },
    forget(key) {
      clear.delete(Bun.hash(key, seed));
    },
  };
}
