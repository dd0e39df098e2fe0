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
import type { Database } from "../open.ts";
import { firstResultSince } from "../results/first-result-since.ts";

type Monitor = { pk: number; type: MonitorType };

/** The latencies of successful checks: by ten minutes for a day, by the hour for 7 and 30 days, by the day for 90 days. */
export function listLatencies(db: Database, monitor: Monitor, range: Range, now: number): LatencyPoint[] {
  const since = rangeStart(range, now);
  if (range === "1d") return fromResults(db, monitor, since);
  return range === "90d"
    ? fromRollups(db, "daily", monitor.pk, dayOf(since))
    : fromRollups(db, "hourly", monitor.pk, hourOf(since));
}

const LATENCIES: Record<RollupUnit, string> = {
  hourly: `SELECT start, sum(latency_sum) / cast(sum(latency_count) AS real) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_rollups WHERE monitor_pk = ? AND start >= ? AND latency_count > 0 GROUP BY start ORDER BY start`,
  daily: `SELECT start, sum(latency_sum) / cast(sum(latency_count) AS real) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_rollups WHERE monitor_pk = ? AND start >= ? AND latency_count > 0 GROUP BY start ORDER BY start`,
};

const BY_LOCATION: Record<RollupUnit, string> = {
  hourly: `SELECT location, start, sum(latency_sum) / cast(sum(latency_count) AS real) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_rollups WHERE monitor_pk = ? AND start >= ? AND latency_count > 0
    GROUP BY location, start ORDER BY location, start`,
  daily: `SELECT location, start, sum(latency_sum) / cast(sum(latency_count) AS real) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_rollups WHERE monitor_pk = ? AND start >= ? AND latency_count > 0
    GROUP BY location, start ORDER BY location, start`,
};

/** The same by location, for a monitor that is not checked only from this server. */
export function listLatenciesByLocation(
  db: Database,
  monitor: Monitor,
  { range, known }: { range: Range; known: KnownPlaces },
  now: number,
): LocationLatencies[] {
  const since = rangeStart(range, now);
  if (range === "1d") return latenciesOfResults(listResults(db, monitor, since));
  const [unit, start] =
    range === "90d" ? (["daily", dayOf(since)] as const) : (["hourly", hourOf(since)] as const);
  const rollups = db.$client.query<RollupPoint, [number, number]>(BY_LOCATION[unit]);
  return latenciesOfRollups(rollups.all(monitor.pk, start / HOUR), known);
}

function fromRollups(db: Database, unit: RollupUnit, monitorPk: number, since: number): LatencyPoint[] {
  const rollups = db.$client.query<LatencyPoint, [number, number]>(LATENCIES[unit]);
  return pointsOfRollups(rollups.all(monitorPk, since / HOUR));
}

/** The results of one status are consecutive in the index, so that only those of the range are read. */
const RESULTS = `SELECT timings, created_at AS createdAt FROM check_results
  WHERE monitor_pk = ? AND status IN (SELECT value FROM json_each(?)) AND pk >= ? AND created_at >= ?`;

function fromResults(db: Database, monitor: Monitor, since: number): LatencyPoint[] {
  const list = db.$client.query<Omit<LocatedTimings, "text">, ResultsOf>(RESULTS);
  return pointsOfResults(list.all(...resultsOf(db, monitor, since)));
}

const LOCATED_RESULTS = `SELECT timings, check_results.created_at AS createdAt, text FROM check_results
  LEFT JOIN details ON details.pk = detail_pk
  WHERE check_results.monitor_pk = ? AND status IN (SELECT value FROM json_each(?))
    AND check_results.pk >= ? AND check_results.created_at >= ?`;

function listResults(db: Database, monitor: Monitor, since: number): LocatedTimings[] {
  const list = db.$client.query<LocatedTimings, ResultsOf>(LOCATED_RESULTS);
  return list.all(...resultsOf(db, monitor, since));
}

type ResultsOf = [pk: number, statuses: string, first: number, since: number];

/** The parameters that select the successful results of a monitor. */
function resultsOf(db: Database, { pk, type }: Monitor, since: number): ResultsOf {
  const successful = statusesOf[type].filter((status) => !isBad(status)).map((status) => statusCodes[status]);
  return [pk, JSON.stringify(successful), firstResultSince(db, since), since];
}
