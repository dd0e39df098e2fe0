/** A time in ISO 8601. @param time milliseconds since 1970 */
export function iso(time: number): string {
  return new Date(time).toISOString();
}

/** @param time milliseconds since 1970 */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time);
}

/* Times of requests (behavior 7.20). */

/**
 * Parses an ISO 8601 time with an offset (behavior 7.20). The years 0000 to 9999 are valid, because the API writes
 * four digits.
 *
 * @returns milliseconds since 1970; null for any other text
 */
export function parseTime(text: string): number | null {
  const [, day = "", time, fraction = "", hours, minutes = "00"] = TIME.exec(text) ?? [];
  if (!isDay(day)) return null;
  const offset = hours?.toUpperCase() === "Z" ? "Z" : `${hours}:${minutes}`;
  const moment = Date.parse(`${day}T${time}${fraction.replace(",", ".").slice(0, 4)}${offset}`);
  return moment >= FIRST_MOMENT && moment <= LAST_MOMENT ? moment : null;
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)((?<=:\d\d:\d\d)[.,]\d+)?(Z|[+-]\d\d)(?::?(\d\d))?$/i;
const FIRST_MOMENT = Date.parse("0000-01-01T00:00:00Z");
const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether a day exists: `Date.parse` reads February 30 as March 2. */
function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
