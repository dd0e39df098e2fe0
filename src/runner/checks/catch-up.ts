/** All overdue checks start within this time, and not later one after another than this gap; milliseconds. */
const CATCH_UP_WITHIN = 8000;
const MAX_GAP = 1;

/** If more are overdue at the end of that time, they start within this time; milliseconds. */
const SHORTEST_WINDOW = 500;

/** Checks are claimed only if they start within this time, because they hold their sockets from then on; milliseconds. */
const CLAIM_AHEAD = 500;

/**
 * Spreads the starts of overdue checks, for example after a restart: thousands in the same millisecond would delay each
 * other (behavior 1.12). While the machine can't keep up, checks become overdue as fast as others start: they start as
 * fast as they come, in addition to the others.
 */
export interface CatchUp {
  /**
   * @param now milliseconds of a monotonic clock
   * @property overdue how many there are now @property fitting how many of them may start now
   * @returns the delays of those that start now, the most overdue first, in milliseconds
   */
  plan(now: number, scan: { overdue: number; fitting: number }): number[];
  /** The same for checks that the last scan left, at the pace of that scan. */
  more(now: number, fitting: number): number[];
}

export function createCatchUp(): CatchUp {
  /** When all are to be started. */
  let end = Number.NEGATIVE_INFINITY;
  /** The time after the last start. */
  let free = Number.NEGATIVE_INFINITY;
  /** How many the last scan left. */
  let left = 0;
  let scannedAt = 0;
  /** Checks for each millisecond. */
  let pace = 1 / MAX_GAP;

  /** @param start of the next check @returns checks for each millisecond */
  function paceOf(overdue: number, { now, start }: { now: number; start: number }): number {
    const arrived = left > 0 ? Math.max(0, overdue - left) : 0;
    if (left === 0) end = now + CATCH_UP_WITHIN;
    const arrivals = arrived / Math.max(1, now - scannedAt);
    const backlog = (overdue - arrived) / Math.max(SHORTEST_WINDOW, end - start);
    return Math.max(1 / MAX_GAP, arrivals + backlog);
  }

  /** @returns the delays of those that start now */
  function take(now: number, overdue: number, fitting: number): number[] {
    const start = Math.max(now, free);
    const gap = 1 / pace;
    const count = Math.min(fitting, Math.max(0, Math.ceil((now + CLAIM_AHEAD - start) / gap)));
    free = start + count * gap;
    left = Math.max(0, overdue - count);
    return Array.from({ length: count }, (_, place) => start - now + place * gap);
  }

  return {
    plan(now, { overdue, fitting }) {
      pace = paceOf(overdue, { now, start: Math.max(now, free) });
      scannedAt = now;
      return take(now, overdue, fitting);
    },
    more: (now, fitting) => take(now, left, fitting),
  };
}
