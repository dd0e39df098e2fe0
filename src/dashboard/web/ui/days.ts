import { isEnglish, locale } from "../languages/locale.ts";

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

/** A day in the reader's zone, from its start to the start of the next one; milliseconds since 1970. */
export interface CalendarDay {
  start: number;
  end: number;
  /** Whether it is in the month, and not in the rest of the first or last week. */
  isInMonth: boolean;
}

const DAYS_IN_WEEK = 7;

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

/** The week that contains a moment. */
export function weekAt(at: number): CalendarDay[] {
  const found = weeksOf(monthOf(at)).find((week) => week.some(({ start, end }) => start <= at && at < end));
  return found ?? [];
}

/** From 1 for Monday to 7 for Sunday: the day that a week begins with for the reader; Monday in English. */
let firstOfWeek: number | undefined;

function findFirstOfWeek(): number {
  if (isEnglish) return 1;
  // Firefox does not know it.
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?(): { firstDay: number } };
  return getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? 1;
}

/** The weeks of a month. */
export function weeksOf(month: string): CalendarDay[][] {
  const { year, at } = partsOf(month);
  firstOfWeek ??= findFirstOfWeek();
  const before = (new Date(year, at, 1).getDay() + DAYS_IN_WEEK - firstOfWeek) % DAYS_IN_WEEK;
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

function partsOf(month: string): { year: number; at: number } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { year, at: number - 1 };
}
