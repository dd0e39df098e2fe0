/* There is a rollup for each hour and each day, in UTC (behavior 6.7). */

const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/** The start of the hour of a moment; both in milliseconds since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR;
}

/** The start of the UTC day of a moment; both in milliseconds since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/** A period, in milliseconds since 1970. @property until exclusive; without it, the period has no end */
export interface Stretch {
  since: number;
  until?: number;
}
