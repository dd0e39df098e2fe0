import { RESULT_COLUMNS, type ResultRow, type Stretch } from "../../results/result-items.ts";
import type { Sql } from "../../tx.ts";

const DAY = 24 * 60 * 60 * 1000;

/** How many numbers from the end of a day are read: about a block of the index on numbers. */
const WINDOW = 4096;

/** The results of some monitors with some statuses, by their codes. */
export interface Selection {
  monitorPks: number[];
  statuses: number[];
}

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const READ_DAYS = `SELECT ${RESULT_COLUMNS} FROM check_results
  WHERE monitor_pk = ANY($1) AND status = ANY($2) AND created_at >= $3 AND created_at < $4 AND pk < $5
  ORDER BY created_at / ${DAY} DESC, pk DESC LIMIT $6`;

/**
 * A page of the results of some days, of a stretch of time or of the whole days.
 *
 * @property since the start of the first day, in milliseconds since 1970 @property until the start of the last day
 * @property before only results with a smaller number
 */
export interface DaysPage extends Stretch {
  since: number;
  until: number;
  before?: number | undefined;
  limit: number;
}

/** The newest results of some days that are rows. */
export function readRows(
  { query }: Sql,
  { monitorPks, statuses }: Selection,
  { since, until, before = Number.MAX_SAFE_INTEGER, limit, ...stretch }: DaysPage,
): Promise<ResultRow[]> {
  const { from, to } = within({ from: since, to: until + DAY }, stretch);
  return query(READ_DAYS, [monitorPks, statuses, from, to, before, limit]);
}

/** The part of some days that is in a stretch of time. */
function within(days: { from: number; to: number }, { from = days.from, to = days.to }: Stretch) {
  return { from: Math.max(days.from, from), to: Math.min(days.to, to) };
}

const READ_NEWEST = `SELECT ${RESULT_COLUMNS} FROM check_results
  WHERE monitor_pk = ANY($1) AND status = ANY($2) AND created_at >= $3 AND created_at < $4 AND pk >= $5 AND pk < $6
  ORDER BY pk DESC LIMIT $7`;

/**
 * The newest results of a day among its last results of all organizations.
 *
 * @property end a number near the last one of the day
 * @property before only results with a smaller number
 */
export function readNewestOfDay(
  { query }: Sql,
  { monitorPks, statuses }: Selection,
  {
    day,
    end,
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...stretch
  }: Stretch & { day: number; end: number; before?: number | undefined; limit: number },
): Promise<ResultRow[]> {
  const { from, to } = within({ from: day, to: day + DAY }, stretch);
  return query(READ_NEWEST, [monitorPks, statuses, from, to, end - WINDOW, before, limit]);
}
