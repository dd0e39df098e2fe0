import {
  addHourToBaseline,
  type Baseline,
  baselineStart,
  dropFromBaseline,
  emptyBaseline,
  type Restart,
} from "../../../domain/checks/latency-baseline.ts";
import type { LatencySums } from "../../../domain/checks/latency-sums.ts";
import type { Stretch } from "../../../domain/results/rollup.ts";
import { type Database, prepared } from "../open.ts";
import { HERE } from "../results/result-row.ts";
import type { locationStates } from "../schema.ts";
import { HOUR } from "./rollups.ts";

export interface StoredBaseline {
  baseline: Baseline;
  /** The beginning of its first hour, in milliseconds since 1970. */
  start: number;
  /** The latest change of the target; null if it never changed. */
  restart: Restart | null;
}

export type BaselineColumns = Pick<
  typeof locationStates.$inferSelect,
  | "baselineCount"
  | "baselineSum"
  | "baselineSquares"
  | "baselineStart"
  | "restartHour"
  | "restartCount"
  | "restartSum"
  | "restartSquares"
>;

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
 * The baseline of a monitor without the hours that have left its window. A baseline includes every hour after its first
 * one, also hours in the future, which exist after the clock was set back.
 *
 * @param now milliseconds since 1970
 */
export function currentBaseline(
  db: Database,
  { pk, baseline, start, restart }: StoredBaseline & { pk: number },
  now: number,
): Baseline {
  const currentStart = baselineStart(now);
  if (start === currentStart) return baseline;
  const list = (stretch: Stretch) => listLatenciesAfter(db, pk, restart, stretch);
  const isNear = start < currentStart && start >= baselineStart(currentStart);
  if (isNear) return list({ since: start, until: currentStart }).reduce(dropFromBaseline, baseline);
  // After a pause, some of the hours to drop may be deleted. After the clock was set back, some dropped hours count again.
  return list({ since: currentStart }).reduce(addHourToBaseline, emptyBaseline);
}

/** The latency sums of each hour of a stretch, without those of the previous target. */
function listLatenciesAfter(
  db: Database,
  pk: number,
  restart: Restart | null,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): LatencySums[] {
  if (!restart || restart.hour < since) return listLatencies(db, pk, { since, until });
  if (until <= restart.hour) return [];
  const latencies = listLatencies(db, pk, { since: restart.hour, until });
  return [...latencies, dropFromBaseline(emptyBaseline, restart.before)];
}

const LIST_LATENCIES = `SELECT sum(latency_count) AS count, sum(latency_sum) AS sum, sum(latency_squares) AS sumOfSquares
  FROM hourly_rollups WHERE monitor_pk = ? AND location = ? AND start >= ? AND start < ? GROUP BY start`;

/** The latency sums of each hour of a stretch. */
function listLatencies(
  db: Database,
  pk: number,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): LatencySums[] {
  const list = prepared<LatencySums, [number, number, number, number]>(db, LIST_LATENCIES);
  return list.all(pk, HERE, since / HOUR, until / HOUR);
}
