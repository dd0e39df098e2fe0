import type { Clock } from "../../clock.ts";

/** Limits failed sign-ins: at most some in any period, for each of several keys (behavior 19.21). */
export interface AttemptLimit {
  /**
   * Counts an attempt before it is judged, so that many at once count too.
   *
   * @returns 0, or after how many seconds the next one is accepted; then it is not counted
   */
  begin(keys: readonly string[]): number;
  /** Counts a failure that was judged already, also above the limit. */
  count(keys: readonly string[]): void;
  /** The attempt was no failure after all. */
  takeBack(keys: readonly string[]): void;
  forget(key: string): void;
}

const MOST = 10;
const PERIOD = 15 * 60 * 1000;

/**
 * Above this number of keys, a key is dropped: the least recently used key if it counts no more, else a key with the fewest attempts. Many
 * new keys can't push out a key that somebody guesses at.
 */
const MAX_KEYS = 10_000;

export function createAttemptLimit(clock: Pick<Clock, "monotonic">): AttemptLimit {
  /** The times of attempts, the oldest first. */
  const times = new Map<string, number[]>();

  function recentOf(key: string, now: number): number[] {
    return (times.get(key) ?? []).filter((at) => at > now - PERIOD);
  }

  /** The keys with one attempt, with two, and so on, the least recently used first. */
  const byCount = Array.from({ length: MOST }, () => new Set<string>());

  /** @param used the key that was used now, which stays */
  function drop(used: string, now: number): void {
    const [oldest = used] = times.keys();
    const isOver = recentOf(oldest, now).length === 0;
    const others = byCount.values().flatMap((keys) => keys.values().filter((key) => key !== used));
    forget(isOver ? oldest : (others.next().value ?? oldest));
  }

  function forget(key: string): void {
    times.delete(key);
    for (const keys of byCount) keys.delete(key);
  }

  function save(key: string, recent: number[], now: number): void {
    // A key moves to the end when it is used.
    times.delete(key);
    if (recent.length > 0) times.set(key, recent);
    for (const keys of byCount) keys.delete(key);
    if (recent.length > 0) byCount[recent.length - 1]?.add(key);
    if (times.size > MAX_KEYS) drop(key, now);
  }

  return {
    begin(keys) {
      const now = clock.monotonic();
      const waits = keys.map((key) => {
        const recent = recentOf(key, now);
        const [oldest = now] = recent;
        return recent.length < MOST ? 0 : oldest + PERIOD - now;
      });
      const wait = Math.max(...waits);
      if (wait > 0) return Math.ceil(wait / 1000);
      for (const key of keys) save(key, [...recentOf(key, now), now], now);
      return 0;
    },
    count(keys) {
      const now = clock.monotonic();
      for (const key of keys) save(key, [...recentOf(key, now), now].slice(-MOST), now);
    },
    takeBack(keys) {
      const now = clock.monotonic();
      for (const key of keys) save(key, recentOf(key, now).slice(0, -1), now);
    },
    forget,
  };
}
