import { DAY } from "../duration.ts";
import { groupOf } from "../monitors/status.ts";
import { dayOf, type Stretch } from "../results/rollup.ts";
import { isBad, type StatusCount, type StatusCounts, sumByStatus, uptime } from "../results/uptime.ts";
import type { ComponentStatus } from "./component-status.ts";
import { DAY_LEVELS, type DayLevel, type PublicDay } from "./public-page.ts";

/** The days before yesterday, which hardly change. Times are milliseconds since 1970. */
export interface SettledHistory extends Required<Stretch> {
  /** By the ID of the monitor. */
  byMonitor: ReadonlyMap<string, SettledDays>;
}

/** The settled days of one monitor. @property days the oldest first @property counts of all these days */
export interface SettledDays {
  days: PublicDay[];
  counts: StatusCounts;
}

/** The start of the oldest day of a page. @param days of the page @param now milliseconds since 1970 */
export function firstDay(days: number, now: number): number {
  return dayOf(now) - (days - 1) * DAY;
}

/** The days of a page before yesterday. */
export function settledStretch(days: number, now: number): Required<Stretch> {
  return { since: firstDay(days, now), until: dayOf(now) - DAY };
}

/** Settles the days of one monitor after another. Equal days are one object, because most days of a page are equal. */
export function createSettler(stretch: Required<Stretch>): (counts: readonly StatusCount[]) => SettledDays {
  const show = createDays(stretch);
  return (counts) => ({ days: show(counts), counts: sumByStatus(counts) });
}

/** Shows some days of one component after another, the oldest first. */
export function createDays({
  since,
  until,
}: Required<Stretch>): (counts: readonly StatusCount[]) => PublicDay[] {
  const days = Array.from({ length: (until - since) / DAY }, (_, index) => {
    const start = since + index * DAY;
    return { start, date: new Date(start).toISOString().slice(0, 10), shown: new Map<string, PublicDay>() };
  });
  return (counts) => {
    const byDay = Map.groupBy(counts, ({ start }) => start);
    return days.map((day) => showDay(day, byDay.get(day.start) ?? []));
  };
}

const LEVEL_NOW: Partial<Record<ComponentStatus, DayLevel>> = {
  major_outage: "down",
  degraded_performance: "partial",
};

/** The days of a component. Today is at least as bad as its status now (behavior 17.1). @param days the last is today */
export function withToday(days: PublicDay[], status: ComponentStatus): PublicDay[] {
  const today = days.at(-1);
  const level = LEVEL_NOW[status];
  if (!today || !level || DAY_LEVELS.indexOf(level) <= DAY_LEVELS.indexOf(today.level)) return days;
  return [...days.slice(0, -1), { ...today, level }];
}

/** @param shown the days that were shown already, by level and uptime @param counts of the day */
function showDay(
  { date, shown }: { date: string; shown: Map<string, PublicDay> },
  counts: readonly StatusCount[],
): PublicDay {
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
