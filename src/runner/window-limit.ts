import type { Clock } from "../clock.ts";

/** Limits how often each key may do something in any period of a length: a sliding log. */
export interface WindowLimit {
  /** Counts one request. @returns 0 if it conforms, otherwise after how many seconds the next one can */
  take(key: string): number;
}

/** Above this number of keys, the least recently used ones are dropped. */
const MAX_KEYS = 10_000;

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
