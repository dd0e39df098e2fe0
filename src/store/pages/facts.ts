import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { DAY } from "../../domain/duration.ts";
import {
  type ComponentFacts,
  firstDay,
  type OutageFacts,
  type PageFacts,
} from "../../domain/pages/component-status.ts";
import { windowEndOf } from "../../domain/pages/outage-view.ts";
import { dayOf, hourOf, type Stretch } from "../../domain/results/rollup.ts";
import type { StatusCount } from "../../domain/results/uptime.ts";
import { withDowns } from "../outages/exported-outages.ts";
import { HOUR } from "../results/hour-columns.ts";
import { statusOfCode } from "../status-codes.ts";
import type { TimedTx, Tx } from "../tx.ts";
import {
  listIncidentFacts,
  listMaintenanceFacts,
  listRunFacts,
  type PageDays,
  publicId,
} from "./incident-facts.ts";
import { listWindowsOf } from "./page-outages.ts";

/**
 * All that a public page shows except its settled history, on one snapshot; null if no page with this slug is public. The number
 * of statements does not depend on the number of components.
 */
export function readPageFacts(tx: TimedTx, slug: string): Promise<PageFacts | null> {
  return readFacts(tx, slug);
}

/** The same with the incidents, outages and windows of a month, in place of the days of the page. */
export function readPageMonth(
  tx: TimedTx,
  slug: string,
  month: Required<Stretch>,
): Promise<PageFacts | null> {
  return readFacts(tx, slug, month);
}

async function readFacts(tx: TimedTx, slug: string, month?: Required<Stretch>): Promise<PageFacts | null> {
  const row = await findPage(tx, slug);
  if (!row) return null;
  const { pk, organizationPk, ...page } = row;
  const components = await listComponents(tx, pk);
  const monitorPks = [...new Set(components.map(({ monitorPk }) => monitorPk))];
  const since = month?.since ?? firstDay(page.days, tx.now);
  const counts = await listLatestCounts(tx, monitorPks);
  const latencies = page.showLatency ? await listLatenciesByMonitor(tx, monitorPks) : new Map();
  const within = { page: { pk, id: page.id, minOutage: page.minOutage }, since, until: month?.until };
  return {
    page,
    components: components.map(({ monitorPk, ...component }) => ({
      ...componentFacts(page.id, component),
      latestCounts: counts.get(monitorPk) ?? [],
      latencyMs: latencies.get(monitorPk) ?? null,
    })),
    incidents: await listIncidentFacts(tx, within, new Set(components.map(({ id }) => id))),
    outages: await listOutageFacts(
      tx,
      within,
      new Map(components.map((one) => [one.monitorPk, one.monitorId])),
    ),
    maintenances: await listMaintenanceFacts(tx, { organizationPk, pageId: page.id }),
    runs: await listRunFacts(tx, { organizationPk, pageId: page.id }, month),
  };
}

async function findPage({ db, tables: { pages } }: Tx, slug: string) {
  const { pk, organizationPk, id, title, description, days, minOutage, showLatency, updatedAt } = pages;
  const { accent, logo, embedOrigins, language, timezone, passwordHash } = pages;
  const [row] = await db
    .select({
      pk,
      organizationPk,
      id,
      slug: pages.slug,
      title,
      description,
      days,
      minOutage,
      showLatency,
      accent,
      logo,
      embedOrigins,
      language,
      timezone,
      passwordHash,
      updatedAt,
    })
    .from(pages)
    .where(and(eq(pages.slug, slug), ne(pages.visibility, "off")));
  return row;
}

async function listComponents({ db, tables }: Tx, pagePk: number) {
  const { monitorStates, monitors, pageComponents } = tables;
  const { id, monitorPk, name, group, createdAt } = pageComponents;
  return db
    .select({
      ...{ id, monitorPk, name, group, createdAt },
      monitorId: monitors.id,
      monitorName: monitors.name,
      tags: monitors.tags,
      enabled: monitors.enabled,
      updatedAt: monitors.updatedAt,
      status: monitorStates.status,
      statusSince: monitorStates.statusSince,
    })
    .from(pageComponents)
    .innerJoin(monitors, eq(monitors.pk, monitorPk))
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitorPk))
    .where(eq(pageComponents.pagePk, pagePk))
    .orderBy(asc(pageComponents.position), asc(pageComponents.pk));
}

type ComponentRow = Omit<Awaited<ReturnType<typeof listComponents>>[number], "monitorPk">;

function componentFacts(
  pageId: string,
  { name, group, monitorName, updatedAt, ...component }: ComponentRow,
): Omit<ComponentFacts, "latestCounts" | "latencyMs"> {
  return {
    ...component,
    name: name ?? monitorName,
    group: group === null ? null : { id: publicId(pageId, "group", group), name: group },
    editedAt: name === null ? updatedAt : component.createdAt,
  };
}

const TENTHS = 10;
const LATENCIES_OF = 24 * HOUR;

/**
 * The results of each day and status of some monitors, by the ID of the monitor. A few milliseconds for ten monitors and 90 days.
 *
 * @param stretch whole days
 */
export async function listSettledCounts(
  { db, tables: { dailyTotals, monitors } }: Tx,
  monitorIds: readonly string[],
  stretch: Required<Stretch>,
): Promise<Map<string, StatusCount[]>> {
  const { pk, id } = monitors;
  const named = await db
    .select({ pk, id })
    .from(monitors)
    .where(inArray(id, [...monitorIds]));
  const { monitorPk } = dailyTotals;
  const pks = named.map((monitor) => monitor.pk);
  const rows = await db
    .select({ monitorPk, counts: countsOf(dailyTotals) })
    .from(dailyTotals)
    .where(and(inArray(monitorPk, pks), isIn(dailyTotals, stretch)))
    .groupBy(monitorPk);
  const counts = new Map(rows.map((row) => [row.monitorPk, row.counts]));
  return new Map(
    named.flatMap((monitor) => {
      const text = counts.get(monitor.pk);
      return text === undefined ? [] : [[monitor.id, parseCounts(text)]];
    }),
  );
}

/** The results of yesterday and today, by the number of the monitor. */
async function listLatestCounts(
  { db, tables: { dailyTotals }, now }: TimedTx,
  monitorPks: number[],
): Promise<Map<number, StatusCount[]>> {
  if (monitorPks.length === 0) return new Map();
  const { monitorPk } = dailyTotals;
  const rows = await db
    .select({ monitorPk, counts: countsOf(dailyTotals) })
    .from(dailyTotals)
    .where(and(inArray(monitorPk, monitorPks), isIn(dailyTotals, { since: dayOf(now) - DAY })))
    .groupBy(monitorPk);
  return new Map(rows.map((row) => [row.monitorPk, parseCounts(row.counts)]));
}

type Totals = Tx["tables"]["dailyTotals"];

function isIn({ start, count }: Totals, { since, until }: Stretch) {
  const ends = until === undefined ? undefined : lt(start, until / HOUR);
  return and(gte(start, since / HOUR), ends, gt(count, 0));
}

/** `start status count`, and a comma before the next: one text for each monitor, which is read five times as fast as a row for each day. */
function countsOf({ start, status, count }: Totals) {
  const text = (column: SQLWrapper) => sql`CAST(${column} AS text)`;
  return sql<string>`string_agg(${text(start)} || ' ' || ${text(status)} || ' ' || ${text(count)}, ',')`;
}

function parseCounts(text: string): StatusCount[] {
  return text.split(",").map((row) => {
    const [start, status, count] = row.split(" ").map(Number) as [number, number, number];
    return { start: start * HOUR, status: statusOfCode(status), count };
  });
}

/** Means of the last 24 hours in milliseconds. The first hour counts as a whole. */
async function listLatenciesByMonitor(
  { db, tables: { hourlyTotals }, now }: TimedTx,
  monitorPks: number[],
): Promise<Map<number, number>> {
  if (monitorPks.length === 0) return new Map();
  const { monitorPk, start, latencyCount, latencySum } = hourlyTotals;
  const since = hourOf(now - LATENCIES_OF) / HOUR;
  const rows = await db
    .select({ monitorPk, count: total(latencyCount), tenths: total(latencySum) })
    .from(hourlyTotals)
    .where(and(inArray(monitorPk, monitorPks), gte(start, since), gt(latencyCount, 0)))
    .groupBy(monitorPk);
  return new Map(
    rows.map(({ monitorPk, count, tenths }) => [monitorPk, Math.round(tenths / count / TENTHS)]),
  );
}

/** PostgreSQL returns sums as texts. */
function total(column: SQLWrapper) {
  return sql<number>`sum(${column})`.mapWith(Number);
}

/** How many of the latest ended outages are read: outages that ended soon after their window are left out later. */
const MAX_ENDED = 200;

/**
 * The open outages of the components of a page, and the latest long outages that have ended.
 *
 * @param monitorIds by the numbers of the monitors
 */
async function listOutageFacts(
  tx: Tx,
  { page, since, until }: PageDays,
  monitorIds: ReadonlyMap<number, string>,
): Promise<OutageFacts[]> {
  if (monitorIds.size === 0) return [];
  const { endedAt, monitorPk, startedAt } = tx.tables.outages;
  const own = inArray(monitorPk, [...monitorIds.keys()]);
  const mayBeLong = sql`${endedAt} - ${startedAt} > ${page.minOutage * 1000}`;
  const open = await listOpen(tx, [...monitorIds.keys()]);
  const began = until === undefined ? undefined : lt(startedAt, until);
  const ended = await selectOutages(tx, and(own, gte(endedAt, since), began, mayBeLong))
    .orderBy(desc(startedAt), desc(tx.tables.outages.pk))
    .limit(MAX_ENDED);
  const windows = await listWindowsOf(tx, [...open, ...ended]);
  const written = await listWritten(tx, page.pk);
  return (await withDowns(tx, [...open, ...ended])).map(
    ({ pk: _, monitorPk, id, maintenanceId, ...outage }) => ({
      ...outage,
      id: publicId(page.id, "outage", id),
      isWritten: written.has(id),
      monitorId: monitorIds.get(monitorPk) ?? "",
      maintenanceId: maintenanceId === null ? null : publicId(page.id, "maintenance", maintenanceId),
      windowEndedAt: windowEndOf({ ...outage, maintenanceId }, windows) ?? null,
    }),
  );
}

function listOpen(tx: Tx, monitorPks: number[]) {
  const { monitorStates, outages } = tx.tables;
  const isOpen = and(inArray(monitorStates.monitorPk, monitorPks), isNull(outages.endedAt));
  return tx.db
    .select(outageColumns(tx.tables))
    .from(outages)
    .innerJoin(monitorStates, eq(monitorStates.outagePk, outages.pk))
    .where(isOpen);
}

function selectOutages({ db, tables }: Tx, condition: SQL | undefined) {
  return db.select(outageColumns(tables)).from(tables.outages).where(condition);
}

function outageColumns({ outages }: Tx["tables"]) {
  const { pk, monitorPk, id, startedAt, endedAt, maintenanceId } = outages;
  return { pk, monitorPk, id, startedAt, endedAt, maintenanceId };
}

/** The IDs of the outages that became incidents of a page. */
async function listWritten({ db, tables: { incidents } }: Tx, pagePk: number): Promise<Set<string | null>> {
  const { outageId } = incidents;
  const rows = await db
    .select({ outageId })
    .from(incidents)
    .where(and(eq(incidents.pagePk, pagePk), isNotNull(outageId)));
  return new Set(rows.map((row) => row.outageId));
}
