import {
  type Baseline,
  baselineStart,
  dropLatencies,
  joinLatencies,
  type LatencySums,
  noLatency,
  type Restart,
} from "../../domain/checks/latency-baseline.ts";
import { type OpenHour, openLatencies, type Stretch } from "../../domain/results/rollup.ts";
import type { Tables } from "../tables/tables.ts";
import { HOUR } from "./open-hours.ts";

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
 * @param row null if nothing is stored
 * @returns null if there is neither
 */
export function wholeBaseline(row: BaselineColumns | null, open: OpenHour | null): StoredBaseline | null {
  const latencies = openLatencies(open);
  if (row) {
    const stored = baselineOf(row);
    return { ...stored, baseline: joinLatencies(stored.baseline, latencies) };
  }
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
