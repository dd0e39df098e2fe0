import { and, eq, gte, lt, sql } from "drizzle-orm";
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
import type { Queries } from "../open.ts";
import { HERE } from "../results/result-row.ts";
import { hourlyRollups, type locationStates } from "../schema.ts";
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
  tx: Queries,
  { pk, baseline, start, restart }: StoredBaseline & { pk: number },
  now: number,
): Baseline {
  const currentStart = baselineStart(now);
  if (start === currentStart) return baseline;
  const list = (stretch: Stretch) => listLatenciesAfter(tx, pk, restart, stretch);
  const isNear = start < currentStart && start >= baselineStart(currentStart);
  if (isNear) return list({ since: start, until: currentStart }).reduce(dropFromBaseline, baseline);
  // After a pause, some of the hours to drop may be deleted. After the clock was set back, some dropped hours count again.
  return list({ since: currentStart }).reduce(addHourToBaseline, emptyBaseline);
}

/** The latency sums of each hour of a stretch, without those of the previous target. */
function listLatenciesAfter(
  tx: Queries,
  pk: number,
  restart: Restart | null,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): LatencySums[] {
  if (!restart || restart.hour < since) return listLatencies(tx, pk, { since, until });
  if (until <= restart.hour) return [];
  const latencies = listLatencies(tx, pk, { since: restart.hour, until });
  return [...latencies, dropFromBaseline(emptyBaseline, restart.before)];
}

/** The latency sums of each hour of a stretch. */
function listLatencies(
  tx: Queries,
  pk: number,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): LatencySums[] {
  const { monitorPk, location, start, latencyCount, latencySum, latencySquares } = hourlyRollups;
  return tx
    .select({
      count: sql<number>`sum(${latencyCount})`,
      sum: sql<number>`sum(${latencySum})`,
      sumOfSquares: sql<number>`sum(${latencySquares})`,
    })
    .from(hourlyRollups)
    .where(and(eq(monitorPk, pk), eq(location, HERE), gte(start, since / HOUR), lt(start, until / HOUR)))
    .groupBy(start)
    .all();
}
