import type { Detail } from "../../domain/checks/observation.ts";
import { HERE_ID } from "../../domain/locations/location.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { statusesOf } from "../../domain/monitors/status.ts";
import { type Range, rangeStart } from "../../domain/results/range.ts";
import { dayOf, hourOf } from "../../domain/results/rollup.ts";
import { isBad } from "../../domain/results/uptime.ts";
import type { KnownPlaces } from "../locations/known-places.ts";
import type { LatencyPoint, LocationLatencies } from "../monitors/monitor-report.ts";
import type { MeasuredLatency } from "../results/latency.ts";
import { readDetails } from "../results/results.ts";
import { HOUR, type RollupUnit } from "../results/rollup-unit.ts";
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

/** The latencies of successful checks: by ten minutes for a day, by the hour for 7 and 30 days, by the day for 90 days. */
export async function listLatencies(
  tx: Tx,
  monitor: Monitor,
  range: Range,
  now: number,
): Promise<LatencyPoint[]> {
  if (range === "1d") return pointsOfResults(await latenciesOf(tx, monitor, now));
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

/** The same by location, for a monitor that is not checked only from this server. */
export async function listLatenciesByLocation(
  tx: Tx,
  monitor: Monitor,
  { range, known }: { range: Range; known: KnownPlaces },
  now: number,
): Promise<LocationLatencies[]> {
  if (range === "1d") {
    const results = await latenciesOf(tx, monitor, now);
    return latenciesOfResults(results, await readDetails(tx, results));
  }
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

/** The latencies of the successful results of a monitor on the last day. */
function latenciesOf({ reads }: Tx, { pk, type }: Monitor, now: number): Promise<MeasuredLatency[]> {
  const statuses = statusesOf[type].filter((status) => !isBad(status));
  return reads.latenciesSince({ monitorPk: pk, statuses }, rangeStart("1d", now));
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

/** The latencies of some results by ten minutes, in the order of time. */
function pointsOfResults(results: readonly MeasuredLatency[]): LatencyPoint[] {
  const steps = Map.groupBy(results, ({ createdAt }) => Math.floor(createdAt / STEP) * STEP);
  return [...steps]
    .flatMap(([start, group]) => pointOf(start, group))
    .sort((one, other) => one.start - other.start);
}

function pointOf(start: number, results: readonly MeasuredLatency[]): LatencyPoint[] {
  const latencies = results.flatMap(({ latencyMs }) => latencyMs ?? []);
  if (latencies.length === 0) return [];
  const mean = latencies.reduce((sum, latency) => sum + latency) / latencies.length;
  return [{ start, mean, shortest: Math.min(...latencies), longest: Math.max(...latencies) }];
}

/** By the name that the location had at the time. Results of before the monitor had other locations have none. */
function latenciesOfResults(
  results: readonly MeasuredLatency[],
  details: ReadonlyMap<number, Detail>,
): LocationLatencies[] {
  const locationOf = ({ detailPk }: MeasuredLatency) => {
    const location = details.get(detailPk ?? 0)?.location;
    return typeof location === "string" ? location : HERE_ID;
  };
  return [...Map.groupBy(results, locationOf)]
    .map(([location, some]) => ({ location, points: pointsOfResults(some) }))
    .filter(({ points }) => points.length > 0);
}
