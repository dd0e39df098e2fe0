import { groupOf } from "../monitors/status.ts";
import { DAY, dayOf } from "../results/rollup.ts";
import { type StatusCount, sumByStatus } from "../results/status-counts.ts";
import { isBad, uptime } from "../results/uptime.ts";
import type { DayLevel, PublicDay } from "./public-page.ts";

/** A day (UTC) of the history of a page. @property start milliseconds since 1970 */
export interface HistoryDay {
  start: number;
  date: string;
  /** Those that were shown already, by level and uptime: components share them, because most are equal. */
  shown: Map<string, PublicDay>;
}

/** The days of a page, the oldest first; the last one contains `now`. */
export function daysOf(count: number, now: number): HistoryDay[] {
  const first = firstDay(count, now);
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * DAY;
    return { start, date: new Date(start).toISOString().slice(0, 10), shown: new Map() };
  });
}

/** The start of the oldest day. */
export function firstDay(count: number, now: number): number {
  return dayOf(now) - (count - 1) * DAY;
}

/** @param counts those of the day */
export function showDay({ date, shown }: HistoryDay, counts: readonly StatusCount[]): PublicDay {
  const day = { date, level: levelOfDay(counts), uptime: uptime(sumByStatus(counts)) };
  const key = `${day.level} ${day.uptime}`;
  const known = shown.get(key) ?? day;
  shown.set(key, known);
  return known;
}

/** A day is `down` if more than one in so many results lowers the uptime. */
const ONE_IN = 20;

/** Behavior 15.27. */
function levelOfDay(counts: readonly StatusCount[]): DayLevel {
  const all = sum(counts);
  if (all === 0) return "none";
  const bad = sum(counts.filter(({ status }) => isBad(status)));
  if (bad * ONE_IN > all) return "down";
  return bad > 0 || counts.some(isOfWarning) ? "partial" : "good";
}

function isOfWarning({ status, count }: StatusCount): boolean {
  return count > 0 && groupOf(status) === "warning";
}

function sum(counts: readonly StatusCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
