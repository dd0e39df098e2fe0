import { windowsFrom } from "../../../domain/maintenance/windows.ts";
import { parsedTimes, type TimesBody } from "./maintenance-values.ts";

/** A day in the reader's zone, from its start to the start of the next one; milliseconds since 1970. */
export interface CalendarDay {
  start: number;
  end: number;
  /** Whether it is in the month, and not in the rest of the first or last week. */
  isInMonth: boolean;
}

/** The part of a window on one day. */
export interface CalendarEntry {
  id: string;
  title: string;
  startsAt: number;
  endsAt: number;
}

/** @property createdAt ISO 8601 */
type Shown = TimesBody & { id: string; title: string; createdAt: string };

const DAYS_IN_WEEK = 7;
/** A cron expression may have a run each minute. */
const MAX_WINDOWS = 10;

/** A month as `2026-11`. */
export function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`;
}

/** @param step 1 for the next month, -1 for the previous one */
export function monthBeside(month: string, step: number): string {
  const { year, at } = partsOf(month);
  return monthOf(new Date(year, at + step, 1).getTime());
}

/** The month of a text of four and two digits; undefined for another text. */
export function parseMonth(text: string | null): string | undefined {
  return text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** The weeks of a month, from Monday to Sunday. */
export function weeksOf(month: string): CalendarDay[][] {
  const { year, at } = partsOf(month);
  const before = (new Date(year, at, 1).getDay() + DAYS_IN_WEEK - 1) % DAYS_IN_WEEK;
  const count = new Date(year, at + 1, 0).getDate();
  const weeks = Math.ceil((before + count) / DAYS_IN_WEEK);
  // A day has 23 or 25 hours if clocks change.
  const startOf = (day: number) => new Date(year, at, 1 - before + day).getTime();
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: DAYS_IN_WEEK }, (_, weekday) => {
      const day = week * DAYS_IN_WEEK + weekday;
      return {
        start: startOf(day),
        end: startOf(day + 1),
        isInMonth: day >= before && day < before + count,
      };
    }),
  );
}

/** The windows of a day, soonest first, of each maintenance only the first ones. Windows before it was created are none. */
export function entriesOn({ start, end }: CalendarDay, maintenances: readonly Shown[]): CalendarEntry[] {
  return maintenances
    .flatMap(({ id, title, createdAt, ...times }) =>
      windowsFrom(parsedTimes(times), start, MAX_WINDOWS)
        .filter(({ startsAt, endsAt }) => startsAt < end && endsAt > Date.parse(createdAt))
        .map((window) => ({ id, title, ...window })),
    )
    .sort((a, b) => a.startsAt - b.startsAt);
}

/** The first entries of a day, and how many more there are: an empty text without others. */
export function shortList(
  entries: readonly CalendarEntry[],
  most: number,
): { shown: CalendarEntry[]; rest: string } {
  const shown = entries.slice(0, most);
  const hidden = entries.length - shown.length;
  const counts = Map.groupBy(entries, ({ id }) => id);
  const isCut = [...counts.values()].some((one) => one.length === MAX_WINDOWS);
  return { shown, rest: hidden === 0 ? "" : isCut ? "and more" : `and ${hidden} more` };
}

function partsOf(month: string): { year: number; at: number } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { year, at: number - 1 };
}
