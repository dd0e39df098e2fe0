import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { isBad } from "../../../domain/results/uptime.ts";
import type { KnownPlaces } from "../../locations/known-places.ts";
import type { LatencyPoint, LocationLatencies } from "../../monitors/monitor-report.ts";
import {
  type LocatedTimings,
  latenciesOfResults,
  latenciesOfRollups,
  type RollupPoint,
} from "../../results/latency-by-location.ts";
import { pointsOfResults, pointsOfRollups } from "../../results/latency-points.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";

type Monitor = { pk: number; type: MonitorType };

/** The latencies of successful checks: by ten minutes for a day, by the hour for 7 and 30 days, by the day for 90 days. */
export async function listLatencies(
  sql: Sql,
  monitor: Monitor,
  range: Range,
  now: number,
): Promise<LatencyPoint[]> {
  const since = rangeStart(range, now);
  if (range === "1d") return fromResults(sql, monitor, since);
  return range === "90d"
    ? fromRollups(sql, "daily", monitor.pk, dayOf(since))
    : fromRollups(sql, "hourly", monitor.pk, hourOf(since));
}

const LATENCIES: Record<RollupUnit, string> = {
  hourly: `SELECT start, sum(latency_sum)::float8 / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_rollups WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0 GROUP BY start ORDER BY start`,
  daily: `SELECT start, sum(latency_sum)::float8 / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_rollups WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0 GROUP BY start ORDER BY start`,
};

const BY_LOCATION: Record<RollupUnit, string> = {
  hourly: `SELECT location, start, sum(latency_sum)::float8 / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_rollups WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0
    GROUP BY location, start ORDER BY location, start`,
  daily: `SELECT location, start, sum(latency_sum)::float8 / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_rollups WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0
    GROUP BY location, start ORDER BY location, start`,
};

/** The same by location, for a monitor that is not checked only from this server. */
export async function listLatenciesByLocation(
  { query }: Sql,
  { pk, type }: Monitor,
  { range, known }: { range: Range; known: KnownPlaces },
  now: number,
): Promise<LocationLatencies[]> {
  const since = rangeStart(range, now);
  if (range === "1d")
    return latenciesOfResults(await query<LocatedTimings>(LOCATED_RESULTS, [pk, successful(type), since]));
  const [unit, start] =
    range === "90d" ? (["daily", dayOf(since)] as const) : (["hourly", hourOf(since)] as const);
  return latenciesOfRollups(await query<RollupPoint>(BY_LOCATION[unit], [pk, start / HOUR]), known);
}

async function fromRollups(
  sql: Sql,
  unit: RollupUnit,
  monitorPk: number,
  since: number,
): Promise<LatencyPoint[]> {
  return pointsOfRollups(await sql.query<LatencyPoint>(LATENCIES[unit], [monitorPk, since / HOUR]));
}

const RESULTS = `SELECT timings, created_at AS "createdAt" FROM check_results
  WHERE monitor_pk = $1 AND status = ANY($2) AND created_at >= $3`;

async function fromResults(sql: Sql, { pk, type }: Monitor, since: number): Promise<LatencyPoint[]> {
  return pointsOfResults(await sql.query(RESULTS, [pk, successful(type), since]));
}

const LOCATED_RESULTS = `SELECT timings, created_at AS "createdAt", text FROM check_results
  LEFT JOIN details ON details.pk = detail_pk
  WHERE check_results.monitor_pk = $1 AND status = ANY($2) AND created_at >= $3`;

function successful(type: MonitorType): number[] {
  return statusesOf[type].filter((status) => !isBad(status)).map((status) => statusCodes[status]);
}
