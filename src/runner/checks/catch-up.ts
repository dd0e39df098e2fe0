/** How long it may take to start all that is overdue, in milliseconds, and how long from one start to the next. */
const CATCH_UP_WITHIN = 8000;
const LONGEST_GAP = 1;

/**
 * Spreads the starts of overdue checks, as after a restart: thousands in one millisecond would be late one for the
 * other.
 *
 * @property overdue how many there are now @property left whether there are more, for which there is no room yet
 * @returns when each of them starts, in milliseconds since 1970
 */
export type CatchUp = (now: number, seen: { overdue: number; left: boolean }) => (at: number) => number;

export function createCatchUp(): CatchUp {
  let end = 0;
  return (now, { overdue, left }) => {
    // An end that is too far off was put back with the clock.
    if (end < now || end > now + CATCH_UP_WITHIN) end = now + CATCH_UP_WITHIN;
    const gap = Math.min(LONGEST_GAP, (end - now) / Math.max(1, overdue));
    if (!left) end = 0;
    return (at) => now + at * gap;
  };
}
