/* Days in the reader's zone, such as `2026-11-24`, as `date` fields have them. */

/** @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  const date = new Date(at);
  const pad = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/**
 * The start of a day, or of one after it. A day has 23 or 25 hours if clocks change.
 *
 * @returns milliseconds since 1970; null for a text that is no day
 */
export function startOf(day: string, after = 0): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + after).getTime();
}
