const DAY = 86_400_000;

/** A range of days, such as `2026-11-24`, in the reader's zone; both are included. */
export interface Days {
  from: string;
  to: string;
}

/** The last 30 days, today included. @param now milliseconds since 1970 */
export function offeredDays(now: number): Days {
  return { from: dayOf(now - 29 * DAY), to: dayOf(now) };
}

/** The address of an export; null if the days are not valid. @param path of the export, without a query */
export function csvAddress(path: string, { from, to }: Days): string | null {
  const start = startOf(from, 0);
  const end = startOf(to, 1);
  if (start === null || end === null || start >= end) return null;
  return `${path}?${new URLSearchParams({ from: iso(start), to: iso(end) })}`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  const pad = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The start of a day in the reader's zone, or of one after it. A day has 23 or 25 hours if clocks change. */
function startOf(day: string, after: number): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + after).getTime();
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
