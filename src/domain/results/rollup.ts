/* Rollups are by the hour and by the day, in UTC. */

const HOUR = 60 * 60 * 1000;

/** The beginning of the hour of a moment; both in milliseconds since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR;
}

/** The beginning of the day (UTC) of a moment; both in milliseconds since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / (24 * HOUR)) * 24 * HOUR;
}

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  since: number;
  until?: number;
}
