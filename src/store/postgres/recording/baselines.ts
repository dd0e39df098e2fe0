import { HERE } from "../../../domain/locations/location.ts";
import type { Baseline } from "../../../domain/checks/latency-baseline.ts";
import type { LatencySums } from "../../../domain/checks/latency-sums.ts";
import { currentBaseline, neededHours, type StoredBaseline } from "../../results/baselines.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import { arraysOf } from "../arrays.ts";
import type { Sql } from "../connections.ts";

/** @property now milliseconds since 1970 */
interface Wanted {
  pk: number;
  stored: StoredBaseline;
  now: number;
}

/** The subquery has an index scan for each monitor: a join may read the whole table. */
const LIST_LATENCIES = `SELECT wanted.pk, hours.count, hours.sum, hours.squares AS "sumOfSquares"
  FROM unnest($1::integer[], $2::integer[], $3::integer[]) AS wanted (pk, since, until)
  CROSS JOIN LATERAL (
    SELECT sum(latency_count) AS count, sum(latency_sum) AS sum, sum(latency_squares) AS squares
    FROM hourly_rollups
    WHERE monitor_pk = wanted.pk AND start >= wanted.since AND start < wanted.until AND location = $4
  ) AS hours
  WHERE hours.count IS NOT NULL`;

const LARGEST_HOUR = 2 ** 31 - 1;

/** The baselines of some monitors at a moment, by the number of the monitor: see `currentBaseline`. */
export async function loadBaselines(sql: Sql, wanted: readonly Wanted[]): Promise<Map<number, Baseline>> {
  const stretches = wanted.flatMap(({ pk, stored, now }) => {
    const hours = neededHours(stored, now);
    if (!hours) return [];
    return [{ pk, since: hours.since / HOUR, until: Math.min(hours.until / HOUR, LARGEST_HOUR) }];
  });
  const sums = await listLatencies(sql, stretches);
  return new Map(
    wanted.map(({ pk, stored, now }) => {
      const ofMonitor = sums.get(pk);
      return [pk, currentBaseline(stored, now, ofMonitor ? [ofMonitor] : [])];
    }),
  );
}

async function listLatencies(
  sql: Sql,
  stretches: { pk: number; since: number; until: number }[],
): Promise<Map<number, LatencySums>> {
  if (stretches.length === 0) return new Map();
  const values = [...arraysOf(stretches, ["pk", "since", "until"]), HERE];
  const rows = await sql.query<LatencySums & { pk: number }>(LIST_LATENCIES, values);
  return new Map(rows.map(({ pk, ...sums }) => [pk, sums]));
}
