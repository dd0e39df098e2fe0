/** A time in ISO 8601. @param time milliseconds since 1970 */
export function iso(time: number): string {
  return new Date(time).toISOString();
}

/** @param time milliseconds since 1970 */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time);
}
