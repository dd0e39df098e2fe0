/* Months of reports, such as `2026-10`; in UTC, like the days of histories. */

const MOST = 13;

/** The present month and those before it, latest first. @param now milliseconds since 1970 */
export function offeredMonths(now: number): string[] {
  const date = new Date(now);
  return Array.from({ length: MOST }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}

/** The start of a month and that of the next one, ISO 8601. */
export function boundsOf(month: string): { from: string; to: string } {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  return { from: start.toISOString(), to: end.toISOString() };
}

/** A month in words, such as `October 2026`. */
export function monthLabel(month: string, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
