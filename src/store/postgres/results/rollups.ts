import type { RollupAddition } from "../../../domain/results/rollup.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

/** The sum of some results for one rollup. @property start hours since 1970 @property status its code */
interface Sum {
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

const COLUMNS = [
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
] as const;

const addTo = (table: string) => `INSERT INTO ${table} AS rollup (monitor_pk, start, location, status, count,
    latency_count, latency_sum, latency_squares, shortest, longest)
  SELECT monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest, longest
  FROM unnest($1::integer[], $2::integer[], $3::smallint[], $4::smallint[], $5::integer[], $6::integer[],
      $7::bigint[], $8::bigint[], $9::integer[], $10::integer[])
    AS added (monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest,
      longest)
  ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET
    count = rollup.count + excluded.count, latency_count = rollup.latency_count + excluded.latency_count,
    latency_sum = rollup.latency_sum + excluded.latency_sum,
    latency_squares = rollup.latency_squares + excluded.latency_squares,
    shortest = least(rollup.shortest, excluded.shortest), longest = greatest(rollup.longest, excluded.longest)`;

const ADD_TO_HOURS = addTo("hourly_rollups");
const ADD_TO_DAYS = addTo("daily_rollups");

/** The addition of one result. @property status its code */
interface Added {
  monitorPk: number;
  location: number;
  status: number;
  addition: RollupAddition;
}

/**
 * Adds results to their hours and days, within the transaction of the results. For those that do not count, the rollup of the
 * day has a row without a count, which says that the day has results.
 */
export async function addToRollups(sql: Sql, results: readonly Added[]): Promise<void> {
  if (results.length === 0) return;
  const counted = results.filter(({ addition }) => addition.isCounted);
  const [hours, days] = [sumsOf(counted, "hour"), sumsOf(results, "day")];
  if (hours.length > 0) await sql.query(ADD_TO_HOURS, arraysOf(hours, COLUMNS));
  await sql.query(ADD_TO_DAYS, arraysOf(days, COLUMNS));
}

/** One sum for each rollup, because a statement can change a row only once. */
function sumsOf(results: readonly Added[], unit: "hour" | "day"): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { monitorPk, location, status, addition } of results) {
    const start = addition[unit] / HOUR;
    const key = `${monitorPk} ${start} ${location} ${status}`;
    const sum = sums.get(key) ?? emptySum({ monitorPk, start, location, status });
    sums.set(key, sum);
    if (addition.isCounted) add(sum, addition.tenths);
  }
  return [...sums.values()];
}

function emptySum(key: Pick<Sum, "monitorPk" | "start" | "location" | "status">): Sum {
  const nothing = {
    count: 0,
    latencyCount: 0,
    latencySum: 0,
    latencySquares: 0,
    shortest: null,
    longest: null,
  };
  return { ...key, ...nothing };
}

function add(sum: Sum, tenths: number | null): void {
  sum.count++;
  if (tenths === null) return;
  sum.latencyCount++;
  sum.latencySum += tenths;
  sum.latencySquares += tenths * tenths;
  sum.shortest = Math.min(sum.shortest ?? tenths, tenths);
  sum.longest = Math.max(sum.longest ?? tenths, tenths);
}
