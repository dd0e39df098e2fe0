import {
  type Baseline,
  baselineStart,
  dropLatencies,
  joinLatencies,
  type LatencySums,
  noLatency,
  openLatencies,
  type Restart,
} from "../../domain/checks/latency-baseline.ts";
import type { PlannedRollup } from "../../domain/monitors/recording-plan.ts";
import type { OpenHour, Stretch } from "../../domain/results/rollup.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import type { Tables } from "../tables/tables.ts";
import type { Sql } from "../tx.ts";

/** An addition to the rollups of an hour and of its day, with the number of its monitor. */
export type NewRollup = Omit<PlannedRollup, "monitorId"> & { monitorPk: number };

/** An addition to a rollup. @property start hours since 1970 @property status its code */
type RollupRow = Omit<NewRollup, "hour" | "status"> & { start: number; status: number };

/** The fields of a row in the order of the columns of the tables. */
export const ROLLUP_FIELDS = [
  "monitorPk",
  "start",
  "location",
  "status",
  "count",
  "latencyCount",
  "latencySum",
  "latencySquares",
  "shortest",
  "longest",
] as const satisfies (keyof RollupRow)[];

/** The beginning of a statement that adds rows to rollups; then follow the rows, and `ON_CONFLICT`. */
export const INSERT_INTO: Record<RollupUnit, string> = {
  hourly: `INSERT INTO hourly_rollups AS rollup (monitor_pk, start, location, status, count,
    latency_count, latency_sum, latency_squares, shortest, longest)`,
  daily: `INSERT INTO daily_rollups AS rollup (monitor_pk, start, location, status, count,
    latency_count, latency_sum, latency_squares, shortest, longest)`,
};

/** The engines have no function in common for the least of two numbers. */
export const ON_CONFLICT = `ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET
    count = rollup.count + excluded.count, latency_count = rollup.latency_count + excluded.latency_count,
    latency_sum = rollup.latency_sum + excluded.latency_sum,
    latency_squares = rollup.latency_squares + excluded.latency_squares,
    shortest = CASE WHEN rollup.shortest <= excluded.shortest OR excluded.shortest IS NULL
      THEN rollup.shortest ELSE excluded.shortest END,
    longest = CASE WHEN rollup.longest >= excluded.longest OR excluded.longest IS NULL
      THEN rollup.longest ELSE excluded.longest END`;

/**
 * The rows to add to the rollups of hours and of days. A row of a day without a count says that the day has results, which do
 * not count.
 */
export function rollupRows(rollups: readonly NewRollup[]): Record<RollupUnit, RollupRow[]> {
  const rows = rollups.map(({ hour, status, ...rollup }) => {
    return { ...rollup, start: hour / HOUR, status: statusCodes[status] };
  });
  return {
    hourly: rows.filter(({ count }) => count > 0),
    daily: rows.map((row) => ({ ...row, start: row.start - (row.start % 24) })),
  };
}

/** The open hour of a monitor as it is stored: hours since 1970, the code of the status. All are null without one. */
export interface OpenColumns {
  openStart: number | null;
  openStatus: number | null;
  openCount: number | null;
  openLatencyCount: number | null;
  openLatencySum: number | null;
  openLatencySquares: number | null;
  openShortest: number | null;
  openLongest: number | null;
}

/** The columns of `OpenColumns`, of `monitor_states`. */
export const OPEN_COLUMNS = `open_start AS "openStart", open_status AS "openStatus", open_count AS "openCount",
  open_latency_count AS "openLatencyCount", open_latency_sum AS "openLatencySum",
  open_latency_squares AS "openLatencySquares", open_shortest AS "openShortest", open_longest AS "openLongest"`;

export function openHourOf(row: OpenColumns): OpenHour | null {
  const { openStart, openStatus } = row;
  if (openStart === null || openStatus === null) return null;
  return {
    hour: openStart * HOUR,
    status: statusOfCode(openStatus),
    count: row.openCount ?? 0,
    latencyCount: row.openLatencyCount ?? 0,
    latencySum: row.openLatencySum ?? 0,
    latencySquares: row.openLatencySquares ?? 0,
    shortest: row.openShortest,
    longest: row.openLongest,
  };
}

export function openColumns(open: OpenHour | null): OpenColumns {
  if (!open) return NO_OPEN_HOUR;
  return {
    openStart: open.hour / HOUR,
    openStatus: statusCodes[open.status],
    openCount: open.count,
    openLatencyCount: open.latencyCount,
    openLatencySum: open.latencySum,
    openLatencySquares: open.latencySquares,
    openShortest: open.shortest,
    openLongest: open.longest,
  };
}

const NO_OPEN_HOUR: OpenColumns = {
  openStart: null,
  openStatus: null,
  openCount: null,
  openLatencyCount: null,
  openLatencySum: null,
  openLatencySquares: null,
  openShortest: null,
  openLongest: null,
};

const ADD_TO_HOURS = `${INSERT_INTO.hourly}
  SELECT monitor_pk, open_start, 0, open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) AND open_start IS NOT NULL
  ${ON_CONFLICT}`;

const ADD_TO_DAYS = `${INSERT_INTO.daily}
  SELECT monitor_pk, open_start / 24 * 24, 0, open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) AND open_start IS NOT NULL
  ${ON_CONFLICT}`;

/** The latencies of `openLatencies`. The first hour of a new baseline is 30 days earlier. */
const ADD_TO_BASELINES = `INSERT INTO location_states AS state
    (monitor_pk, location, baseline_count, baseline_sum, baseline_squares, baseline_start)
  SELECT monitor_pk, 0, open_latency_count, open_latency_sum, open_latency_squares, open_start - 30 * 24
  FROM monitor_states
  WHERE monitor_pk = ANY($1::integer[]) AND open_latency_count > 0
    AND open_status IN (${statusCodes.up}, ${statusCodes.degraded})
  ON CONFLICT (monitor_pk, location) DO UPDATE SET
    baseline_count = state.baseline_count + excluded.baseline_count,
    baseline_sum = state.baseline_sum + excluded.baseline_sum,
    baseline_squares = state.baseline_squares + excluded.baseline_squares`;

/** The beginning of a statement; then follows which of them. */
export const CLOSE_OPEN_HOURS = `UPDATE monitor_states SET open_start = NULL, open_status = NULL, open_count = NULL,
    open_latency_count = NULL, open_latency_sum = NULL, open_latency_squares = NULL,
    open_shortest = NULL, open_longest = NULL`;

const CLOSE = `${CLOSE_OPEN_HOURS} WHERE monitor_pk = ANY($1::integer[]) AND open_start IS NOT NULL`;

/** Folds the open hours of some monitors, whose states are locked, into their rollups and baselines. */
export async function foldOpenHours({ query }: Sql, monitorPks: readonly number[]): Promise<void> {
  if (monitorPks.length === 0) return;
  for (const text of [ADD_TO_HOURS, ADD_TO_DAYS, ADD_TO_BASELINES, CLOSE]) await query(text, [monitorPks]);
}

/** Rollups store their start in hours since 1970. */
export const HOUR = 60 * 60 * 1000;

export type RollupUnit = "hourly" | "daily";

export interface StoredBaseline {
  baseline: Baseline;
  /** The beginning of its first hour, in milliseconds since 1970. */
  start: number;
  /** The latest change of the target; null if it never changed. */
  restart: Restart | null;
}

export type BaselineColumns = Pick<
  Tables["locationStates"]["$inferSelect"],
  | "baselineCount"
  | "baselineSum"
  | "baselineSquares"
  | "baselineStart"
  | "restartHour"
  | "restartCount"
  | "restartSum"
  | "restartSquares"
>;

/** The same columns without a row. */
export type NoBaseline = { [Column in keyof BaselineColumns]: null };

/** The columns of `BaselineColumns`, of `location_states`. */
export const BASELINE_COLUMNS = `baseline_count AS "baselineCount", baseline_sum AS "baselineSum",
  baseline_squares AS "baselineSquares", baseline_start AS "baselineStart", restart_hour AS "restartHour",
  restart_count AS "restartCount", restart_sum AS "restartSum", restart_squares AS "restartSquares"`;

/** The latency sums of each hour of a location of a monitor, from `$3` to before `$4`, in hours since 1970. */
export const LIST_LATENCIES = `SELECT sum(latency_count) AS count, sum(latency_sum) AS sum,
    sum(latency_squares) AS "sumOfSquares"
  FROM hourly_totals WHERE monitor_pk = $1 AND location = $2 AND start >= $3 AND start < $4 GROUP BY start`;

export function baselineOf(row: BaselineColumns): StoredBaseline {
  const { baselineCount: count, baselineSum: sum, baselineSquares: sumOfSquares, restartHour } = row;
  const before = {
    count: row.restartCount ?? 0,
    sum: row.restartSum ?? 0,
    sumOfSquares: row.restartSquares ?? 0,
  };
  return {
    baseline: { count, sum, sumOfSquares },
    start: row.baselineStart * HOUR,
    restart: restartHour === null ? null : { hour: restartHour * HOUR, before },
  };
}

/**
 * The baseline of this server: what is stored, with the latencies of the open hour.
 *
 * @returns null if there is neither
 */
export function wholeBaseline(
  row: BaselineColumns | NoBaseline,
  open: OpenHour | null,
): StoredBaseline | null {
  const stored = row.baselineCount === null ? null : baselineOf(row);
  const latencies = openLatencies(open);
  if (stored) return { ...stored, baseline: joinLatencies(stored.baseline, latencies) };
  return open && latencies.count > 0
    ? { baseline: latencies, start: baselineStart(open.hour), restart: null }
    : null;
}

/** The part of the baseline of this server that is stored with it. */
export function settledBaseline({
  baseline,
  openHour,
}: {
  baseline: Baseline;
  openHour: OpenHour | null;
}): Baseline {
  return dropLatencies(baseline, openLatencies(openHour));
}

/**
 * The hours whose latencies `currentBaseline` needs: hours that left the window, or hours in it.
 *
 * @param now milliseconds since 1970
 * @returns null if it needs none
 */
export function neededHours({ start, restart }: StoredBaseline, now: number): Required<Stretch> | null {
  const currentStart = baselineStart(now);
  if (start === currentStart) return null;
  const { since, until } = changedStretch(start, currentStart);
  if (restart && until <= restart.hour) return null;
  return { since: Math.max(since, restart?.hour ?? since), until };
}

/**
 * A baseline without the hours that have left its window. A baseline includes every hour after its first one, also hours
 * in the future, which exist after the clock was set back.
 *
 * @param now milliseconds since 1970
 * @param hours the latencies in the rollups of `neededHours`
 */
export function currentBaseline(
  { baseline, start, restart }: StoredBaseline,
  now: number,
  hours: readonly LatencySums[],
): Baseline {
  const currentStart = baselineStart(now);
  if (start === currentStart) return baseline;
  const { since, until } = changedStretch(start, currentStart);
  const hasRestart = restart && restart.hour >= since && restart.hour < until;
  // Without the hours of the previous target.
  const changed = hasRestart ? [...hours, dropLatencies(noLatency, restart.before)] : hours;
  return isNear(start, currentStart)
    ? changed.reduce(dropLatencies, baseline)
    : changed.reduce(joinLatencies, noLatency);
}

/** The hours to drop, or to add to an empty baseline. */
function changedStretch(start: number, currentStart: number): Required<Stretch> {
  if (isNear(start, currentStart)) return { since: start, until: currentStart };
  return { since: currentStart, until: Number.MAX_SAFE_INTEGER };
}

/**
 * Whether the hours to drop all exist. After a pause, some of them may be deleted. After the clock was set back, some
 * dropped hours count again.
 */
function isNear(start: number, currentStart: number): boolean {
  return start < currentStart && start >= baselineStart(currentStart);
}
