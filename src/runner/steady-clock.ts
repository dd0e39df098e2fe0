import type { Clock } from "../clock.ts";

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A smaller jump makes no difference to what is old enough to be deleted. */
const TOLERANCE = MINUTE;

/** How long the clock must run without a jump before it is trusted again. */
const TRUSTED_AFTER = HOUR;

/** After a longer stop of the service, its clock is not trusted at first. */
const MAX_STOP = DAY;

/** Decides whether the wall clock may decide what is deleted. A wrong clock is mostly corrected within an hour. */
export interface SteadyClock {
  isSteady(): boolean;
  stop(): void;
}

/** @param knownAt when the clock was last known to be steady, before the start; null if it never was */
export function createSteadyClock(
  clock: Pick<Clock, "now" | "monotonic" | "onJump">,
  knownAt: number | null,
): SteadyClock {
  const isDoubtful = knownAt !== null && clock.now() - knownAt > MAX_STOP;
  let steadySince = isDoubtful ? clock.monotonic() : Number.NEGATIVE_INFINITY;
  const stop = clock.onJump(({ from, to }) => {
    if (Math.abs(to - from) > TOLERANCE) steadySince = clock.monotonic();
  });
  return { isSteady: () => clock.monotonic() - steadySince >= TRUSTED_AFTER, stop };
}
