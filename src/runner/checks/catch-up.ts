/** All overdue checks start within this time, and not later one after another than this gap; milliseconds. */
const CATCH_UP_WITHIN = 8000;
const LONGEST_GAP = 1;

/**
 * Spreads the starts of overdue checks, for example after a restart: thousands in the same millisecond would delay each
 * other (behavior 1.12).
 *
 * @param now milliseconds of a monotonic clock
 * @property overdue how many there are now @property moreWaiting whether more are overdue than may start now
 * @returns the delay of each check, by its place among them, in milliseconds
 */
export type CatchUp = (
  now: number,
  scan: { overdue: number; moreWaiting: boolean },
) => (place: number) => number;

export function createCatchUp(): CatchUp {
  let end = Number.NEGATIVE_INFINITY;
  return (now, { overdue, moreWaiting }) => {
    if (end < now) end = now + CATCH_UP_WITHIN;
    const gap = Math.min(LONGEST_GAP, (end - now) / Math.max(1, overdue));
    if (!moreWaiting) end = Number.NEGATIVE_INFINITY;
    return (place) => place * gap;
  };
}
