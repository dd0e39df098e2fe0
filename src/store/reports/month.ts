import { and, asc, eq, gt, gte, isNull, lt, min, or, sql } from "drizzle-orm";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import { groupOf, RESULT_STATUSES } from "../../domain/monitors/status.ts";
import { inRows, type Span, union } from "../../domain/reports/monthly-report.ts";
import type { ReportedMonitor } from "../../domain/reports/report-contents.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { withDowns } from "../outages/exported-outages.ts";
import { HOUR } from "../results/hour-columns.ts";
import { statusCodes } from "../status-codes.ts";
import type { Tx } from "../tx.ts";

export type MonitorMonth = ReportedMonitor;

/** @property end the number of the last monitor that was read; null after the last monitor of the organization */
export interface MonthSlice {
  monitors: MonitorMonth[];
  end: number | null;
}

/** Monitors whose hours one statement reads: to parse them takes some 10 ms. */
const HOURS_OF = 50;

/** The longest interval of a monitor. */
const MAX_INTERVAL = 24 * HOUR;

/**
 * @property month or another stretch of time @property tag only monitors with this tag @property selector only its monitors
 * @property after the `end` of the previous slice, or 0
 */
export interface MonthRequest {
  month: Span;
  tag?: string | undefined;
  selector?: Selector | undefined;
  after: number;
}

/**
 * The monitors of an organization for the report of a month, oldest first.
 *
 * @property size monitors in a slice
 */
export async function readMonth(
  tx: Tx,
  organizationId: string,
  { month, tag, selector, after, size }: MonthRequest & { size: number },
): Promise<MonthSlice> {
  const organization = await organizationPk(tx, organizationId);
  const listed = await listMonitors(tx, organization, { tag, after, size });
  const monitors = selector ? listed.filter((monitor) => isSelected(selector, monitor)) : listed;
  const pks = monitors.map(({ pk }) => pk);
  const outages = await outagesOf(tx, pks, month);
  // Outages that last in the month may have begun long before it.
  const starts = [...outages.values()].flat().map(({ startedAt }) => startedAt);
  const runs = await listRuns(tx, organization, { from: Math.min(month.from, ...starts), to: month.to });
  const checked = await checkedOf(tx, monitors, month);
  return {
    monitors: monitors.map(({ pk, tags, config: _, ...monitor }) => ({
      ...monitor,
      outages: outages.get(pk) ?? [],
      maintenance: runs.filter(({ selector }) => isSelected(selector, { id: monitor.id, tags })),
      checked: checked.get(pk) ?? [],
    })),
    end: listed.length === size ? (listed.at(-1)?.pk ?? null) : null,
  };
}

const LIST_PKS = `SELECT pk FROM monitors
  WHERE organization_pk = $1 AND pk > $2 AND ($3::text IS NULL OR tags::jsonb ? $3) ORDER BY pk LIMIT $4`;

async function listMonitors(
  { db, query, sets, tables: { monitors } }: Tx,
  organization: number,
  { tag, after, size }: { tag: string | undefined; after: number; size: number },
) {
  const { pk, id, name, type, config, tags, createdAt } = monitors;
  const found = await query<{ pk: number }>(LIST_PKS, [organization, after, tag ?? null, size]);
  return db
    .select({ pk, id, name, type, config, tags, createdAt })
    .from(monitors)
    .where(
      sets.among(
        pk,
        found.map((monitor) => monitor.pk),
      ),
    )
    .orderBy(asc(pk));
}

async function outagesOf(tx: Tx, pks: number[], { from, to }: Span) {
  const { pk, monitorPk, startedAt, endedAt } = tx.tables.outages;
  const lasted = and(lt(startedAt, to), or(isNull(endedAt), gt(endedAt, from)));
  const rows = await tx.db
    .select({ pk, monitorPk, startedAt, endedAt })
    .from(tx.tables.outages)
    .where(and(tx.sets.among(monitorPk, pks), lasted));
  return byMonitor(await withDowns(tx, rows));
}

/** The windows of maintenances of a stretch of time. */
async function listRuns({ db, tables: { maintenanceRuns } }: Tx, organization: number, { from, to }: Span) {
  const { pk, title, selector, startsAt, endsAt, organizationPk } = maintenanceRuns;
  const rows = await db
    .select({ pk, title, selector, from: startsAt, to: endsAt })
    .from(maintenanceRuns)
    .where(and(eq(organizationPk, organization), lt(startsAt, to), or(isNull(endsAt), gt(endsAt, from))));
  return rows.map((run) => ({ ...run, to: run.to ?? to }));
}

type Monitor = Awaited<ReturnType<typeof listMonitors>>[number];

/** Behavior 14.82. */
async function checkedOf(tx: Tx, monitors: Monitor[], month: Span): Promise<Map<number, Span[]>> {
  const byPk = new Map(monitors.map((monitor) => [monitor.pk, monitor]));
  const jobs = monitors.filter(({ type }) => type === "SCHEDULED").map(({ pk }) => pk);
  const probed = monitors.filter(({ type }) => type !== "SCHEDULED").map(({ pk }) => pk);
  const spans = [
    ...(await firstResults(tx, jobs)).map(({ monitorPk, first }) => ({
      monitorPk,
      from: first * HOUR,
      to: month.to,
    })),
    ...(await listAllHours(tx, probed, month)).map(({ monitorPk, from, to }) => {
      const interval = (byPk.get(monitorPk)?.config.interval ?? 0) * 1000;
      return { monitorPk, from: from * HOUR, to: to * HOUR + interval };
    }),
  ];
  return byMonitor(spans);
}

function byMonitor<Row extends { monitorPk: number }>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map([...groups].map(([pk, group]) => [pk, group.map(({ monitorPk: _, ...row }) => row)]));
}

/** The days in which the first results of some monitors are, in hours since 1970. */
async function firstResults({ db, sets, tables: { dailyTotals } }: Tx, pks: number[]) {
  if (pks.length === 0) return [];
  const { monitorPk, start } = dailyTotals;
  const rows = await db
    .select({ monitorPk, first: min(start) })
    .from(dailyTotals)
    .where(sets.among(monitorPk, pks))
    .groupBy(monitorPk);
  return rows.map((row) => ({ monitorPk: row.monitorPk, first: row.first ?? 0 }));
}

/** The hours with results of some monitors, those in a row together; in hours since 1970. */
async function listAllHours(tx: Tx, pks: number[], { from, to }: Span): Promise<HoursInRow[]> {
  const span = { from: Math.floor((from - MAX_INTERVAL) / HOUR), to: Math.ceil(to / HOUR) };
  const { hours, others } = await listSteadyHours(tx, pks, span);
  for (let at = 0; at < others.length; at += HOURS_OF)
    hours.push(...(await listHours(tx, others.slice(at, at + HOURS_OF), span)));
  return hours;
}

interface HoursInRow extends Span {
  monitorPk: number;
}

/**
 * @property first the first hour of its rollups in the stretch @property steady in how many hours it was healthy, as seen by this server
 * @property open an hour that is no rollup yet
 */
interface SteadyHours {
  monitorPk: number;
  first: number | null;
  last: number | null;
  steady: number;
  open: number | null;
}

/** A type of monitor has one healthy status, so that an hour has at most one rollup with it of a location. */
const HEALTHY = RESULT_STATUSES.filter((status) => groupOf[status] === "healthy").map(
  (one) => statusCodes[one],
);

const OF_MONITOR = "FROM hourly_rollups WHERE monitor_pk = monitors.pk AND start >= $2 AND start < $3";

const STEADY = `SELECT pk AS "monitorPk", (SELECT min(start) ${OF_MONITOR}) AS first, (SELECT max(start) ${OF_MONITOR}) AS last,
    (SELECT count(*) ${OF_MONITOR} AND location = 0 AND status IN (${HEALTHY.join(", ")})) AS steady,
    (SELECT open_start FROM monitor_states WHERE monitor_pk = monitors.pk AND open_start >= $2 AND open_start < $3) AS open
  FROM monitors WHERE pk = ANY($1)`;

/**
 * Monitors that were healthy in each hour between their first and their last one have no gap: most of them. To count hours is ten
 * times as fast as to read them.
 *
 * @returns the hours of these monitors, and the numbers of the others
 */
async function listSteadyHours(
  { query }: Tx,
  pks: number[],
  { from, to }: Span,
): Promise<{ hours: HoursInRow[]; others: number[] }> {
  const hours: HoursInRow[] = [];
  const others: number[] = [];
  for (const { monitorPk, first, last, steady, open } of await query<SteadyHours>(STEADY, [pks, from, to])) {
    if (first !== null && last !== null && Number(steady) !== last - first + 1) {
      others.push(monitorPk);
      continue;
    }
    const rollups = first === null || last === null ? [] : [{ from: first, to: last + 1 }];
    const all = open === null ? rollups : union([...rollups, { from: open, to: open + 1 }]);
    for (const run of all) hours.push({ monitorPk, ...run });
  }
  return { hours, others };
}

/** The hours of monitors of which all rollups are read. */
async function listHours({ db, sets, tables: { hourlyTotals } }: Tx, pks: number[], { from, to }: Span) {
  const { monitorPk, start } = hourlyTotals;
  // One text for each monitor is read five times as fast as a row for each hour.
  const rows = await db
    .select({ monitorPk, hours: sql<string>`string_agg(CAST(${start} AS text), ',')` })
    .from(hourlyTotals)
    .where(and(sets.among(monitorPk, pks), gte(start, from), lt(start, to)))
    .groupBy(monitorPk);
  return rows.flatMap((row) =>
    inRows(row.hours.split(",").map(Number)).map((run) => ({ monitorPk: row.monitorPk, ...run })),
  );
}
