import type { Detail } from "../../domain/checks/observation.ts";
import { HERE_ID } from "../../domain/locations/location.ts";
import { type LatencyPoint, latencyPoints, type TimedCheck } from "../../domain/results/latency-points.ts";
import type { ReportPlan } from "../../domain/results/report-plan.ts";
import type { KnownPlaces } from "../locations/known-places.ts";
import type { LocationLatencies } from "../monitors/monitor-report.ts";
import { readDetails } from "../results/results.ts";
import { HOUR, type RollupUnit } from "../results/rollup-unit.ts";
import type { Sql } from "../tx.ts";

/** A check of a report. @property detailPk names its location */
export interface ReportCheck extends TimedCheck {
  detailPk: number | null;
}

type Plan = Pick<ReportPlan, "stretch" | "latencies" | "step" | "hasPhases">;

/** @property pk of the monitor @property checks the successful ones of the stretch, if the plan needs results */
interface Source {
  pk: number;
  checks: readonly ReportCheck[];
}

const OF_ROLLUPS = `start, CAST(sum(latency_sum) AS double precision) / sum(latency_count) AS mean,
    min(shortest) AS shortest, max(longest) AS longest`;
const IN_STRETCH = "monitor_pk = $1 AND start >= $2 AND start < $3 AND latency_count > 0";

const LATENCIES: Record<RollupUnit, string> = {
  hourly: `SELECT ${OF_ROLLUPS} FROM hourly_totals WHERE ${IN_STRETCH} GROUP BY start ORDER BY start`,
  daily: `SELECT ${OF_ROLLUPS} FROM daily_totals WHERE ${IN_STRETCH} GROUP BY start ORDER BY start`,
};

/** The latencies of the successful checks of a monitor, by the steps of a plan. */
export async function listLatencies(sql: Sql, { pk, checks }: Source, plan: Plan): Promise<LatencyPoint[]> {
  if (checks.length > 0) return latencyPoints(checks, plan);
  const unit = rollupsOf(plan);
  return (await sql.query<LatencyPoint>(LATENCIES[unit], [pk, ...startsOf(plan, unit)])).map(pointOfRollup);
}

const BY_LOCATION: Record<RollupUnit, string> = {
  hourly: `SELECT location, ${OF_ROLLUPS} FROM hourly_totals WHERE ${IN_STRETCH}
    GROUP BY location, start ORDER BY location, start`,
  daily: `SELECT location, ${OF_ROLLUPS} FROM daily_totals WHERE ${IN_STRETCH}
    GROUP BY location, start ORDER BY location, start`,
};

/** The same by location, for a monitor that is not checked only from this server. */
export async function listLatenciesByLocation(
  sql: Sql,
  { pk, checks }: Source,
  plan: Plan,
  known: KnownPlaces,
): Promise<LocationLatencies[]> {
  if (checks.length > 0) return latenciesOfChecks(checks, await readDetails(sql, checks), plan);
  const unit = rollupsOf(plan);
  return latenciesOfRollups(await sql.query(BY_LOCATION[unit], [pk, ...startsOf(plan, unit)]), known);
}

/** Results may be deleted before the rollups of their hours. */
function rollupsOf({ latencies }: Plan): RollupUnit {
  return latencies === "daily" ? "daily" : "hourly";
}

/** The first start of a rollup of a stretch, and the first one after it, in hours since 1970. */
function startsOf({ stretch: { since, until }, latencies }: Plan, unit: RollupUnit): [number, number] {
  const length = unit === "daily" ? 24 * HOUR : HOUR;
  // In place of results, only whole hours.
  const first = latencies === "results" ? Math.ceil(since / length) : Math.floor(since / length);
  return [(first * length) / HOUR, Math.ceil(until / HOUR)];
}

const TENTHS = 10;

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

/** By the name that the location had at the time. Results of before the monitor had other locations have none. */
function latenciesOfChecks(
  checks: readonly ReportCheck[],
  details: ReadonlyMap<number, Detail>,
  plan: Plan,
): LocationLatencies[] {
  const locationOf = ({ detailPk }: ReportCheck) => {
    const location = details.get(detailPk ?? 0)?.location;
    return typeof location === "string" ? location : HERE_ID;
  };
  return [...Map.groupBy(checks, locationOf)]
    .map(([location, some]) => ({
      location,
      points: latencyPoints(some, { step: plan.step, hasPhases: false }),
    }))
    .filter(({ points }) => points.length > 0);
}
