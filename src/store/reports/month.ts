import { and, asc, eq, gt, gte, inArray, isNull, lt, min, or, sql } from "drizzle-orm";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { isSelected } from "../../domain/monitors/selector.ts";
import type { MonitorHistory } from "../../domain/reports/monthly-report.ts";
import { inRows, type Span } from "../../domain/reports/spans.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { withDowns } from "../outages/down-stretches.ts";
import { HOUR } from "../results/rollup-unit.ts";
import type { Tx } from "../tx.ts";

export interface MonitorMonth extends MonitorHistory {
  id: string;
  name: string;
  type: MonitorType;
}

/** @property end the number of the last monitor that was looked at; null after the last one of the organization */
export interface MonthSlice {
  monitors: MonitorMonth[];
  end: number | null;
}

/** Monitors whose hours one statement reads: to parse them takes some 10 ms. */
const HOURS_OF = 50;

/** The longest interval of a monitor. */
const MAX_INTERVAL = 24 * HOUR;

/** @property tag only monitors with this tag @property after the `end` of the previous slice, or 0 */
export interface MonthRequest {
  month: Span;
  tag?: string | undefined;
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
  { month, tag, after, size }: MonthRequest & { size: number },
): Promise<MonthSlice> {
  const organization = await organizationPk(tx, organizationId);
  const all = await listMonitors(tx, organization, { after, size });
  const monitors = all.filter(({ tags }) => tag === undefined || tags.includes(tag));
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
    end: all.length === size ? (all.at(-1)?.pk ?? null) : null,
  };
}

async function listMonitors(
  { db, tables: { monitors } }: Tx,
  organization: number,
  { after, size }: { after: number; size: number },
) {
  const { pk, id, name, type, config, tags, createdAt } = monitors;
  return db
    .select({ pk, id, name, type, config, tags, createdAt })
    .from(monitors)
    .where(and(eq(monitors.organizationPk, organization), gt(pk, after)))
    .orderBy(asc(pk))
    .limit(size);
}

async function outagesOf(tx: Tx, pks: number[], { from, to }: Span) {
  const { pk, monitorPk, startedAt, endedAt } = tx.tables.outages;
  const lasted = and(lt(startedAt, to), or(isNull(endedAt), gt(endedAt, from)));
  const rows = await tx.db
    .select({ pk, monitorPk, startedAt, endedAt })
    .from(tx.tables.outages)
    .where(and(inArray(monitorPk, pks), lasted));
  return byMonitor(await withDowns(tx, rows));
}

/** The windows of maintenances of a stretch of time. */
async function listRuns({ db, tables: { maintenanceRuns } }: Tx, organization: number, { from, to }: Span) {
  const { selector, startsAt, endsAt, organizationPk } = maintenanceRuns;
  const rows = await db
    .select({ selector, from: startsAt, to: endsAt })
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
async function firstResults({ db, tables: { dailyTotals } }: Tx, pks: number[]) {
  const { monitorPk, start } = dailyTotals;
  const rows = await db
    .select({ monitorPk, first: min(start) })
    .from(dailyTotals)
    .where(inArray(monitorPk, pks))
    .groupBy(monitorPk);
  return rows.map((row) => ({ monitorPk: row.monitorPk, first: row.first ?? 0 }));
}

async function listAllHours(tx: Tx, pks: number[], month: Span) {
  const hours = [];
  for (let at = 0; at < pks.length; at += HOURS_OF)
    hours.push(...(await listHours(tx, pks.slice(at, at + HOURS_OF), month)));
  return hours;
}

/** The hours with results of some monitors, those in a row together; in hours since 1970. */
async function listHours({ db, tables: { hourlyTotals } }: Tx, pks: number[], { from, to }: Span) {
  const { monitorPk, start } = hourlyTotals;
  const earliest = Math.floor((from - MAX_INTERVAL) / HOUR);
  // One text for each monitor is read five times as fast as a row for each hour.
  const rows = await db
    .select({ monitorPk, hours: sql<string>`string_agg(CAST(${start} AS text), ',')` })
    .from(hourlyTotals)
    .where(and(inArray(monitorPk, pks), gte(start, earliest), lt(start, Math.ceil(to / HOUR))))
    .groupBy(monitorPk);
  return rows.flatMap((row) =>
    inRows(row.hours.split(",").map(Number)).map((run) => ({ monitorPk: row.monitorPk, ...run })),
  );
}
