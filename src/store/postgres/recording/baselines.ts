import type { Baseline, LatencySums } from "../../../domain/checks/latency-baseline.ts";
import { baselineKey, type WantedBaseline } from "../../recording/recording-engine.ts";
import { currentBaseline, HOUR, neededHours } from "../../results/hour-columns.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

/** The subquery has an index scan for each monitor: a join may read the whole table. */
const LIST_LATENCIES = `SELECT wanted.pk, wanted.location, hours.count, hours.sum, hours.squares AS "sumOfSquares"
  FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::smallint[])
    AS wanted (pk, since, until, location)
  CROSS JOIN LATERAL (
    SELECT sum(latency_count) AS count, sum(latency_sum) AS sum, sum(latency_squares) AS squares
    FROM hourly_totals
    WHERE monitor_pk = wanted.pk AND start >= wanted.since AND start < wanted.until
      AND location = wanted.location
  ) AS hours
  WHERE hours.count IS NOT NULL`;

type BaselineKey = Pick<WantedBaseline, "pk" | "location">;

const MAX_HOUR = 2 ** 31 - 1;

/** Some baselines at a moment, by `baselineKey`: see `currentBaseline`. */
export async function loadBaselines(
  sql: Sql,
  wanted: readonly WantedBaseline[],
): Promise<Map<string, Baseline>> {
  const stretches = wanted.flatMap(({ pk, location, stored, now }) => {
    const hours = neededHours(stored, now);
    if (!hours) return [];
    return [{ pk, location, since: hours.since / HOUR, until: Math.min(hours.until / HOUR, MAX_HOUR) }];
  });
  const sums = await listLatencies(sql, stretches);
  return new Map(
    wanted.map(({ pk, location, stored, now }) => {
      const key = baselineKey({ pk, location });
      const own = sums.get(key);
      return [key, currentBaseline(stored, now, own ? [own] : [])];
    }),
  );
}

async function listLatencies(
  sql: Sql,
  stretches: (BaselineKey & { since: number; until: number })[],
): Promise<Map<string, LatencySums>> {
  if (stretches.length === 0) return new Map();
  const values = arraysOf(stretches, ["pk", "since", "until", "location"]);
  const rows = await sql.query<LatencySums & BaselineKey>(LIST_LATENCIES, values);
  return new Map(rows.map(({ pk, location, ...sums }) => [baselineKey({ pk, location }), sums]));
}
