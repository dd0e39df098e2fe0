import {
  INSERT_INTO,
  type NewRollup,
  ON_CONFLICT,
  ROLLUP_FIELDS,
  type RollupUnit,
  rollupRows,
} from "../../results/hour-columns.ts";
import type { PostgresTx } from "../connections.ts";
import { arraysOf } from "../values.ts";

/** One sum for each rollup, because a statement can change a row only once. */
const ROWS = `SELECT monitor_pk, start, location, status, sum(count), sum(latency_count), sum(latency_sum),
    sum(latency_squares), min(shortest), max(longest)
  FROM unnest($1::integer[], $2::integer[], $3::smallint[], $4::smallint[], $5::integer[], $6::integer[],
      $7::bigint[], $8::bigint[], $9::integer[], $10::integer[])
    AS added (monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest,
      longest)
  GROUP BY monitor_pk, start, location, status`;

const ADD: Record<RollupUnit, string> = {
  hourly: `${INSERT_INTO.hourly} ${ROWS} ${ON_CONFLICT}`,
  daily: `${INSERT_INTO.daily} ${ROWS} ${ON_CONFLICT}`,
};

/** Adds to the rollups of hours and days, with the next statement of the transaction of the results. */
export async function addToRollups({ queue }: PostgresTx, rollups: readonly NewRollup[]): Promise<void> {
  const rows = rollupRows(rollups);
  for (const unit of ["hourly", "daily"] as const)
    if (rows[unit].length > 0) void queue(ADD[unit], arraysOf(rows[unit], ROLLUP_FIELDS));
}
