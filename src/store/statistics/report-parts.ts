import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import { type Status, statusesOf } from "../../domain/monitors/status.ts";
import { seenIn, seenInResults } from "../../domain/results/history.ts";
import type { ReportPlan } from "../../domain/results/report-plan.ts";
import type { Stretch } from "../../domain/results/rollup.ts";
import { isBad, type StatusCount } from "../../domain/results/uptime.ts";
import type { Trouble } from "../monitors/monitor-report.ts";
import { unpackTimings } from "../results/timings.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { findCountsBetween } from "./counts.ts";
import type { ReportCheck } from "./latencies.ts";

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
  const good = all.filter(({ createdAt, status }) => createdAt >= stretch.since && !isBad(status));
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
