import { RANGES, type Range, rangeStart } from "../../domain/results/range.ts";
import { dayOf, hourOf, type Stretch } from "../../domain/results/rollup.ts";
import { type StatusCount, sumByStatus, uptime } from "../../domain/results/uptime.ts";
import { HOUR, type RollupUnit } from "../results/rollup-unit.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Sql } from "../tx.ts";

/*
 * The rollups of a monitor are one text, because there may be thousands: `start,status,count;…` with starts in hours since
 * 1970.
 */

/** An aggregate over rollups, for `readCounts`. */
export const COUNTS = "string_agg(start || ',' || status || ',' || count, ';') FILTER (WHERE count > 0)";

/** @param text null if there are no rollups */
export function readCounts(text: string | null): StatusCount[] {
  if (text === null) return [];
  return text.split(";").map((rollup) => {
    const [start, status, count] = rollup.split(",");
    return { start: Number(start) * HOUR, status: statusOfCode(Number(status)), count: Number(count) };
  });
}

/** The rollups with which the history of a range is made. */
export function unitOf(range: Range): RollupUnit {
  return range === "1d" || range === "7d" ? "hourly" : "daily";
}

/** The largest start of a rollup, in hours since 1970. */
export const LAST_START = 2 ** 31 - 1;

const DAY = 24 * HOUR;

/** The hours that `uptimes` and the history of a range of hours need: all of 7 days, and the first day of 30 and of 90 days. */
const FIND_HOURS = `SELECT ${COUNTS} AS counts FROM hourly_totals
  WHERE monitor_pk = $1 AND (start >= $2 OR start >= $3 AND start < $4 OR start >= $5 AND start < $6)`;

const FIND_DAYS = `SELECT ${COUNTS} AS counts FROM daily_totals WHERE monitor_pk = $1 AND start >= $2`;

/** How many results of each status a monitor has in the trailing 90 days, in any order. */
export async function findCounts(
  { query }: Sql,
  monitorPk: number,
  now: number,
): Promise<Record<RollupUnit, StatusCount[]>> {
  const find = async (text: string, starts: number[]) => {
    const [row] = await query<{ counts: string | null }>(text, [
      monitorPk,
      ...starts.map((start) => start / HOUR),
    ]);
    return readCounts(row?.counts ?? null);
  };
  const [week, month, all] = [firstDay("7d", now), firstDay("30d", now), firstDay("90d", now)];
  return {
    hourly: await find(FIND_HOURS, [week.since, month.since, month.end, all.since, all.end]),
    daily: await find(FIND_DAYS, [dayOf(all.since)]),
  };
}

const FIND_STRETCH: Record<RollupUnit, string> = {
  hourly: `SELECT ${COUNTS} AS counts FROM hourly_totals WHERE monitor_pk = $1 AND start >= $2 AND start < $3`,
  daily: `SELECT ${COUNTS} AS counts FROM daily_totals WHERE monitor_pk = $1 AND start >= $2 AND start < $3`,
};

/** The results of each status in a stretch of time, in any order. @property since the start of a rollup */
export async function findCountsBetween(
  { query }: Sql,
  monitorPk: number,
  { unit, since, until }: Required<Stretch> & { unit: RollupUnit },
): Promise<StatusCount[]> {
  const starts = [since / HOUR, Math.ceil(until / HOUR)];
  const [row] = await query<{ counts: string | null }>(FIND_STRETCH[unit], [monitorPk, ...starts]);
  return readCounts(row?.counts ?? null);
}

/** The hours of the first day of a range, in milliseconds since 1970. */
function firstDay(range: Range, now: number): { since: number; end: number } {
  const since = hourOf(rangeStart(range, now));
  return { since, end: dayOf(since) + DAY };
}

/** The uptime over each range: by the hour on its first day, then by the day. */
export function uptimes(
  { hourly, daily }: Record<RollupUnit, StatusCount[]>,
  now: number,
): Record<Range, string | null> {
  const entries = RANGES.map((range) => {
    const { since, end } = firstDay(range, now);
    const hours = hourly.filter(({ start }) => start >= since && start < end);
    const days = daily.filter(({ start }) => start >= end);
    return [range, uptime(sumByStatus(days, sumByStatus(hours)))];
  });
  return Object.fromEntries(entries);
}
