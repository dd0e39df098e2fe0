import type { PlannedRollup } from "../../domain/monitors/recording-plan.ts";
import { dayOf } from "../../domain/results/rollup.ts";
import { statusCodes } from "../status-codes.ts";
import { HOUR, type RollupUnit } from "./rollup-unit.ts";

/** An addition to a rollup. @property start hours since 1970 @property status its code */
export interface RollupRow {
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
export function rollupRows(
  unit: RollupUnit,
  rollups: readonly PlannedRollup[],
  pkOf: (monitorId: string) => number,
): RollupRow[] {
  const counted = unit === "hourly" ? rollups.filter(({ count }) => count > 0) : rollups;
  return counted.map(({ monitorId, hour, status, ...rollup }) => ({
    ...rollup,
    monitorPk: pkOf(monitorId),
    start: (unit === "hourly" ? hour : dayOf(hour)) / HOUR,
    status: statusCodes[status],
  }));
}
