import type { PlannedRollup } from "../../domain/monitors/recording-plan.ts";
import { dayOf, type OpenHour } from "../../domain/results/rollup.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import type { Sql } from "../tx.ts";

/** An addition to the rollups of an hour and of its day, with the number of its monitor. */
export type NewRollup = Omit<PlannedRollup, "monitorId"> & { monitorPk: number };

/** An addition to a rollup. @property start hours since 1970 @property status its code */
interface RollupRow {
  monitorPk: number;
  start: number;
  location: number;
  status: number;
  count: number;
  latencyCount: number;
  latencySum: number;
  latencySquares: number;
  shortest: number | null;
  longest: number | null;
}

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
 * The rows to add to the rollups of an hour or of its day. A row without a count says that the day has results, which do not
 * count.
 */
export function rollupRows(unit: RollupUnit, rollups: readonly NewRollup[]): RollupRow[] {
  const counted = unit === "hourly" ? rollups.filter(({ count }) => count > 0) : rollups;
  return counted.map(({ hour, status, ...rollup }) => ({
    ...rollup,
    start: (unit === "hourly" ? hour : dayOf(hour)) / HOUR,
    status: statusCodes[status],
  }));
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
