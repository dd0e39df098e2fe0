import { HERE_ID } from "../../domain/locations/location.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { statusesOf } from "../../domain/monitors/status.ts";
import { type Range, rangeStart } from "../../domain/results/range.ts";
import { dayOf, hourOf } from "../../domain/results/rollup.ts";
import { isBad } from "../../domain/results/uptime.ts";
import type { KnownPlaces } from "../locations/known-places.ts";
import type { LatencyPoint, LocationLatencies } from "../monitors/monitor-report.ts";
import { HOUR, type RollupUnit } from "../results/rollup-unit.ts";
import { unpackTimings } from "../results/timings.ts";
import { statusCodes } from "../status-codes.ts";
import type { Tx } from "../tx.ts";

type Monitor = { pk: number; type: MonitorType };

const LATENCIES: Record<RollupUnit, string> = {
  hourly: `SELECT start, CAST(sum(latency_sum) AS double precision) / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_totals WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0 GROUP BY start ORDER BY start`,
  daily: `SELECT start, CAST(sum(latency_sum) AS double precision) / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_totals WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0 GROUP BY start ORDER BY start`,
};

const RESULTS = `SELECT timings, created_at AS "createdAt" FROM check_results
  WHERE monitor_pk = $1 AND status = ANY($2) AND pk >= $3 AND created_at >= $4`;

/** The latencies of successful checks: by ten minutes for a day, by the hour for 7 and 30 days, by the day for 90 days. */
export async function listLatencies(
  tx: Tx,
  monitor: Monitor,
  range: Range,
  now: number,
): Promise<LatencyPoint[]> {
  if (range === "1d") return pointsOfResults(await tx.query(RESULTS, await resultsOf(tx, monitor, now)));
  const { unit, start } = rollupsOf(range, now);
  return (await tx.query<LatencyPoint>(LATENCIES[unit], [monitor.pk, start])).map(pointOfRollup);
}

const BY_LOCATION: Record<RollupUnit, string> = {
  hourly: `SELECT location, start, CAST(sum(latency_sum) AS double precision) / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_totals WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0
    GROUP BY location, start ORDER BY location, start`,
  daily: `SELECT location, start, CAST(sum(latency_sum) AS double precision) / sum(latency_count) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_totals WHERE monitor_pk = $1 AND start >= $2 AND latency_count > 0
    GROUP BY location, start ORDER BY location, start`,
};

const LOCATED_RESULTS = `SELECT timings, check_results.created_at AS "createdAt", text FROM check_results
  LEFT JOIN details ON details.pk = detail_pk
  WHERE check_results.monitor_pk = $1 AND status = ANY($2)
    AND check_results.pk >= $3 AND check_results.created_at >= $4`;

/** The same by location, for a monitor that is not checked only from this server. */
export async function listLatenciesByLocation(
  tx: Tx,
  monitor: Monitor,
  { range, known }: { range: Range; known: KnownPlaces },
  now: number,
): Promise<LocationLatencies[]> {
  if (range === "1d")
    return latenciesOfResults(await tx.query(LOCATED_RESULTS, await resultsOf(tx, monitor, now)));
  const { unit, start } = rollupsOf(range, now);
  return latenciesOfRollups(await tx.query(BY_LOCATION[unit], [monitor.pk, start]), known);
}

/** @returns the first rollup of a range, in hours since 1970 */
function rollupsOf(range: Range, now: number): { unit: RollupUnit; start: number } {
  const since = rangeStart(range, now);
  return range === "90d"
    ? { unit: "daily", start: dayOf(since) / HOUR }
    : { unit: "hourly", start: hourOf(since) / HOUR };
}

/** The parameters that select the successful results of a monitor on the last day. */
async function resultsOf({ reads }: Tx, { pk, type }: Monitor, now: number): Promise<unknown[]> {
  const since = rangeStart("1d", now);
  const successful = statusesOf[type].filter((status) => !isBad(status)).map((status) => statusCodes[status]);
  return [pk, successful, await reads.firstResultSince(since), since];
}

const TENTHS = 10;
const STEP = 10 * 60 * 1000;

/** The latencies of rollups are in tenths of a millisecond, their starts in hours since 1970. */
function pointOfRollup({ start, mean, shortest, longest }: LatencyPoint): LatencyPoint {
  return {
    start: start * HOUR,
    mean: mean / TENTHS,
    shortest: shortest / TENTHS,
    longest: longest / TENTHS,
  };
}

/** Deleted locations have no name and are left out. */
function latenciesOfRollups(
  rollups: readonly (LatencyPoint & { location: number })[],
  known: KnownPlaces,
): LocationLatencies[] {
  return [...Map.groupBy(rollups, ({ location }) => location)].flatMap(([location, points]) => {
    const name = known.get(location)?.name;
    return name === undefined ? [] : [{ location: name, points: points.map(pointOfRollup) }];
  });
}

interface Timed {
  timings: Uint8Array | null;
  createdAt: number;
}

/** The latencies of some results by ten minutes, in the order of time. */
function pointsOfResults(results: readonly Timed[]): LatencyPoint[] {
  const steps = Map.groupBy(results, ({ createdAt }) => Math.floor(createdAt / STEP) * STEP);
  return [...steps]
    .flatMap(([start, group]) => pointOf(start, group))
    .sort((one, other) => one.start - other.start);
}

function pointOf(start: number, results: readonly Timed[]): LatencyPoint[] {
  const latencies = results.flatMap(({ timings }) => unpackTimings(timings).latencyMs ?? []);
  if (latencies.length === 0) return [];
  const mean = latencies.reduce((sum, latency) => sum + latency) / latencies.length;
  return [{ start, mean, shortest: Math.min(...latencies), longest: Math.max(...latencies) }];
}

/** @property text the detail in JSON */
type LocatedResult = Timed & { text: string | null };

/** By the name that the location had at the time. */
function latenciesOfResults(results: readonly LocatedResult[]): LocationLatencies[] {
  const names = new Map<string | null, string>();
  const nameOf = ({ text }: LocatedResult) => {
    const name = names.get(text) ?? locationIn(text);
    names.set(text, name);
    return name;
  };
  return [...Map.groupBy(results, nameOf)]
    .map(([location, some]) => ({ location, points: pointsOfResults(some) }))
    .filter(({ points }) => points.length > 0);
}

/** Results of before the monitor had other locations have none. */
function locationIn(text: string | null): string {
  const location = text === null ? undefined : JSON.parse(text).location;
  return typeof location === "string" ? location : HERE_ID;
}
