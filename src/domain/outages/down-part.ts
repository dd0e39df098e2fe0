/** A stretch of an outage in which its monitor was in group down. Times are milliseconds since 1970; `to` is null while it lasts. */
export interface DownStretch {
  from: number;
  to: number | null;
}

/** The part of an outage in which its monitor was down. @property since when it first was @property ms how long it was, in all */
export interface DownPart {
  since: number;
  ms: number;
}

/**
 * The part of an outage that lies between two moments (behavior 14.53).
 *
 * @param stretches of the outage, the first one first
 * @param to the end of the outage, or now
 * @returns null if the monitor was not down
 */
export function downPart(
  stretches: readonly DownStretch[],
  { from = Number.NEGATIVE_INFINITY, to }: { from?: number; to: number },
): DownPart | null {
  const within = stretches
    .map((one) => ({ from: Math.max(from, one.from), to: Math.min(to, one.to ?? to) }))
    .filter((one) => one.from <= one.to);
  const [first] = within;
  return first ? { since: first.from, ms: within.reduce((sum, one) => sum + one.to - one.from, 0) } : null;
}

/**
 * When a monitor has been down for a time in all.
 *
 * @param ms how long it must have been down
 * @returns milliseconds since 1970; infinite if it is not down for that long by now, nor will be while it stays as it is
 */
export function downFor(
  stretches: readonly DownStretch[],
  { from, ms }: { from: number; ms: number },
): number {
  let left = ms;
  for (const stretch of stretches) {
    const begin = Math.max(from, stretch.from);
    if (stretch.to === null || stretch.to - begin >= left) return begin + left;
    left -= Math.max(0, stretch.to - begin);
  }
  return Number.POSITIVE_INFINITY;
}
