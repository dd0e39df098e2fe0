const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** By how much the wall clock may differ between two looks from what the monotonic clock says. */
const TOLERANCE = MINUTE;

/** How long it must be steady after a jump. */
const TRUSTED_AFTER = HOUR;

/** For how long the service may have been stopped without a doubt of the clock that it starts with. */
const LONGEST_STOP = DAY;

/** Judges whether the wall clock may decide what is deleted. A clock that is wrong is mostly put right within the hour. */
export interface SteadyClock {
  /**
   * To be called every few seconds.
   *
   * @param wall milliseconds since 1970
   * @param monotonic milliseconds of a clock that never jumps
   */
  isSteady(wall: number, monotonic: number): boolean;
}

/** @param knownAt when the clock was last known to be steady, before the start; null if it never was */
export function createSteadyClock(knownAt: number | null): SteadyClock {
  let offset: number | undefined;
  let steadySince = Number.NEGATIVE_INFINITY;

  function jumped(wall: number, monotonic: number): boolean {
    if (offset !== undefined) return Math.abs(wall - monotonic - offset) > TOLERANCE;
    return knownAt !== null && wall - knownAt > LONGEST_STOP;
  }

  return {
    isSteady(wall, monotonic) {
      if (jumped(wall, monotonic)) steadySince = monotonic;
      offset = wall - monotonic;
      return monotonic - steadySince >= TRUSTED_AFTER;
    },
  };
}
