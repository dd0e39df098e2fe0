import type { Detail } from "../../domain/checks/observation.ts";
import { HERE_ID } from "../../domain/locations/location.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import { countsAsDown, type Status, statusesOf } from "../../domain/monitors/status.ts";
import { seenIn, seenInResults } from "../../domain/results/history.ts";
import {
  type LatencyPoint,
  LatencySteps,
  latencyPoints,
  MAX_STEP_RESULTS,
  type Percentiles,
  percentilesOf,
  type TimedCheck,
} from "../../domain/results/latency-points.ts";
import type { ReportPlan } from "../../domain/results/report-plan.ts";
import type { Stretch } from "../../domain/results/rollup.ts";
import type { StatusCount } from "../../domain/results/uptime.ts";
import type { KnownPlaces } from "../locations/watch.ts";
import type { LocationLatencies, Trouble } from "../monitors/monitor-report.ts";
import { HOUR, type RollupUnit } from "../results/hour-columns.ts";
import { readDetails } from "../results/results.ts";
import { unpackTimings } from "../results/timings.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import { inTurns } from "../turns.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { findCountsBetween } from "./worst-monitors.ts";

/* The parts of a report that depend on its stretch of time. Times are milliseconds since 1970. */

interface Monitor {
  pk: number;
  type: MonitorType;
  config: MonitorConfig;
}

/**
 * The results from which a report is made.
 *
 * @property all in the order of their times, some of them before the stretch @property good the successful ones of the stretch
 * @property step milliseconds from one point of the latencies to the next one
 */
export interface ReportResults {
  all: readonly (ReportCheck & { status: Status })[];
  good: readonly ReportCheck[];
  step: number;
}

/** Reads nothing if the plan needs only rollups. */
export async function readResults(tx: Tx, monitor: Monitor, plan: ReportPlan): Promise<ReportResults> {
  const { stretch, latencies, step } = plan;
  if (latencies !== "results") return { all: [], good: [], step };
  const since = Math.min(stretch.since, plan.buckets[0]?.start ?? stretch.since) - keptFor(monitor);
  const source = { monitorPk: monitor.pk, statuses: statusesOf[monitor.type] };
  const rows = await tx.reads.resultsBetween(source, { since, until: stretch.until });
  const all = rows
    .map(({ timings, status, createdAt, detailPk }) => {
      return { ...unpackTimings(timings), status: statusOfCode(status), createdAt, detailPk };
    })
    .sort((one, other) => one.createdAt - other.createdAt);
  const good = all.filter(({ createdAt, status }) => createdAt >= stretch.since && !countsAsDown[status]);
  return { all, good, step: Math.max(step, intervalOf(monitor)) };
}

/** How long a bucket without results keeps the previous status (behavior 16.232). A job has no interval. */
function keptFor(monitor: Monitor): number {
  return 2 * intervalOf(monitor);
}

function intervalOf({ type, config }: Monitor): number {
  return type === "SCHEDULED" ? 0 : config.interval * 1000;
}

/** The statuses of the buckets of a report. @property windows in which results do not count (behavior 14.34) */
export async function seenBy(
  sql: Sql,
  monitor: Monitor,
  { plan, results, counts, windows }: SeenParts,
): Promise<Uint32Array> {
  const { buckets, history, stretch } = plan;
  if (history === "results") {
    const isInWindow = (time: number) =>
      windows.some(({ start, end }) => time >= start && time < (end ?? time + 1));
    const counting = results.all.filter(({ createdAt }) => !isInWindow(createdAt));
    return seenInResults(buckets, counting, keptFor(monitor));
  }
  if (counts) return seenIn(buckets, counts[history]);
  const since = buckets[0]?.start ?? stretch.since;
  return seenIn(
    buckets,
    await findCountsBetween(sql, monitor.pk, { unit: history, since, until: stretch.until }),
  );
}

/** @property counts the rollups of the ranges up to now; null for another stretch */
interface SeenParts {
  plan: ReportPlan;
  results: ReportResults;
  counts: Record<"hourly" | "daily", StatusCount[]> | null;
  windows: readonly ReportWindow[];
}

const MOST = 100;

const LIST_TROUBLES = `SELECT started_at AS start, ended_at AS "end", status FROM outages
  WHERE monitor_pk = $1 AND (ended_at IS NULL OR ended_at >= $2) AND started_at < $3 ORDER BY pk DESC LIMIT ${MOST}`;

/** The latest outages that lasted at some time of a stretch. */
export async function listTroubles(
  { query }: Sql,
  pk: number,
  { since, until }: Required<Stretch>,
): Promise<Trouble[]> {
  const rows = await query<Omit<Trouble, "status"> & { status: number }>(LIST_TROUBLES, [pk, since, until]);
  return rows.map(({ status, ...trouble }) => ({ ...trouble, status: statusOfCode(status) }));
}

/** A window of a maintenance. @property end null while it is open */
export interface ReportWindow {
  start: number;
  end: number | null;
}

const LIST_WINDOWS = `SELECT starts_at AS start, ends_at AS "end", selector FROM maintenance_runs
  WHERE organization_pk = $1 AND starts_at < $3 AND (ends_at IS NULL OR ends_at >= $2)
  ORDER BY starts_at DESC LIMIT ${MOST}`;

/** The latest windows of a stretch that contained a monitor, by its present tags. */
export async function listWindows(
  { query }: Sql,
  monitor: { organizationPk: number; id: string; tags: readonly string[] },
  { since, until }: Required<Stretch>,
): Promise<ReportWindow[]> {
  const rows = await query<ReportWindow & { selector: Selector | string }>(LIST_WINDOWS, [
    monitor.organizationPk,
    since,
    until,
  ]);
  return rows
    .filter(({ selector }) => isSelected(fromJson<Selector>(selector), monitor))
    .map(({ start, end }) => ({ start, end }));
}

/** A check of a report. @property detailPk names its location */
interface ReportCheck extends TimedCheck {
  detailPk: number | null;
}

type Plan = Pick<ReportPlan, "stretch" | "latencies" | "step" | "hasPhases">;

/** @property pk of the monitor @property checks the successful ones of the stretch, if the plan needs results */
interface Source {
  pk: number;
  checks: readonly ReportCheck[];
}

const OF_ROLLUPS = `start, CAST(sum(latency_sum) AS double precision) / sum(latency_count) AS mean,
    CAST(sum(latency_count) AS double precision) AS count, min(shortest) AS shortest, max(longest) AS longest`;
const IN_STRETCH = "monitor_pk = $1 AND start >= $2 AND start < $3 AND latency_count > 0";

const LATENCIES: Record<RollupUnit, string> = {
  hourly: `SELECT ${OF_ROLLUPS} FROM hourly_totals WHERE ${IN_STRETCH} GROUP BY start ORDER BY start`,
  daily: `SELECT ${OF_ROLLUPS} FROM daily_totals WHERE ${IN_STRETCH} GROUP BY start ORDER BY start`,
};

/** A row of `LATENCIES`. @property count of the checks with a latency */
type RollupPoint = LatencyPoint & { count: number };

interface Latencies {
  latencies: LatencyPoint[];
  percentiles: Percentiles | null;
}

/** The latencies of the successful checks of a monitor, by the steps of a plan. */
export async function listLatencies(tx: Tx, { pk, checks }: Source, plan: Plan): Promise<Latencies> {
  if (checks.length > 0)
    return { latencies: latencyPoints(checks, plan), percentiles: percentilesOf(checks) };
  const unit = rollupsOf(plan);
  const rows = await tx.query<RollupPoint>(LATENCIES[unit], [pk, ...startsOf(plan, unit)]);
  const latencies = rows.map(pointOfRollup);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (plan.latencies === "results" || total === 0 || total > MAX_STEP_RESULTS)
    return { latencies, percentiles: null };
  const steps = await readSteps(tx, pk, { unit, ...plan });
  return inTurns(steps.complete(latencies));
}

const GOOD: ReadonlySet<number> = new Set(
  (Object.keys(statusCodes) as Status[])
    .filter((status) => !countsAsDown[status])
    .map((status) => statusCodes[status]),
);

/** Reads the results of all hours or days that a stretch touches, like their rollups. */
async function readSteps(
  tx: Tx,
  pk: number,
  { unit, stretch }: Plan & { unit: RollupUnit },
): Promise<LatencySteps> {
  const step = lengthOf(unit);
  const steps = new LatencySteps(step, GOOD);
  const [since, until] = [Math.floor(stretch.since / step) * step, Math.ceil(stretch.until / step) * step];
  for await (const columns of tx.reads.columnsBetween(pk, { since, until })) steps.add(columns);
  return steps;
}

function lengthOf(unit: RollupUnit): number {
  return unit === "daily" ? 24 * HOUR : HOUR;
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
  const length = lengthOf(unit);
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
