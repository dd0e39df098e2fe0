import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL } from "drizzle-orm";
import { openWindowAt } from "../../domain/maintenance/windows.ts";
import {
  type AnnouncedComponent,
  type AnnouncementStep,
  type ComponentOutage,
  mailOfNotices,
  type OpenAnnouncement,
  type PageEvents,
  planAnnouncements,
  planNotice,
  type StoredRun,
} from "../../domain/pages/announcement.ts";
import { isAbout, type PageNotice } from "../../domain/pages/subscription.ts";
import type { MaintenanceRow } from "../maintenance/stored-maintenance.ts";
import { withDowns } from "../outages/exported-outages.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";
import { createPageMails } from "./due-mails.ts";

/** A public page that has confirmed subscribers. */
export interface WatchedPage {
  pk: number;
  organizationPk: number;
  /** Seconds. */
  minOutage: number;
  updatedAt: number;
}

/** `EXISTS` stops at the first subscriber. */
const LIST_WATCHED = `SELECT pk, organization_pk AS "organizationPk", min_outage AS "minOutage", updated_at AS "updatedAt"
  FROM pages WHERE visibility <> 'off' AND ($1::integer IS NULL OR pk = $1) AND EXISTS
    (SELECT 1 FROM page_subscribers WHERE page_pk = pages.pk AND confirmed_at IS NOT NULL)
  ORDER BY pk`;

/** The public pages that have confirmed subscribers, oldest first. @param pagePk only this one. Default: all */
export function listWatchedPages({ query }: Sql, pagePk: number | null = null): Promise<WatchedPage[]> {
  return query(LIST_WATCHED, [pagePk]);
}

/**
 * The announcements of some pages. The number of statements does not depend on how many pages there are, and they read
 * no more than what is open.
 */
async function readPageEvents(tx: TimedTx, pages: readonly WatchedPage[]): Promise<PageEvents[]> {
  if (pages.length === 0) return [];
  const scope: Scope = {
    pagePks: pages.map(({ pk }) => pk),
    organizationPks: [...new Set(pages.map(({ organizationPk }) => organizationPk))],
  };
  const announcements = await listAnnouncements(tx, scope);
  const outages = await listOutages(tx, scope, announcements);
  const runs = await listRuns(tx, scope, { announcements, outages, now: tx.now });
  // Only windows need the components, and only outages the incidents.
  const components = byPage(runs.length > 0 ? await listComponents(tx, scope) : []);
  const incidents = byPage(outages.length > 0 ? await listIncidentOutages(tx, scope) : []);
  const outagesOf = byPage(outages);
  const announcementsOf = byPage(announcements);
  const runsOf = Map.groupBy(runs, ({ organizationPk }) => organizationPk);
  return pages.map((page) => ({
    page,
    components: components.get(page.pk) ?? [],
    outages: outagesOf.get(page.pk) ?? [],
    runs: runsOf.get(page.organizationPk) ?? [],
    announcements: announcementsOf.get(page.pk) ?? [],
    incidentOutages: new Set((incidents.get(page.pk) ?? []).flatMap(({ outageId }) => outageId ?? [])),
  }));
}

function byPage<Row extends { pagePk: number }>(rows: readonly Row[]): Map<number, Row[]> {
  return Map.groupBy(rows, ({ pagePk }) => pagePk);
}

interface Scope {
  pagePks: number[];
  organizationPks: number[];
}

type Announced = OpenAnnouncement & { pagePk: number };

async function listAnnouncements({ db, tables }: Tx, { pagePks }: Scope): Promise<Announced[]> {
  const { pk, pagePk, kind, subject, endedAt } = tables.pageAnnouncements;
  return db
    .select({ pk, pagePk, kind, subject })
    .from(tables.pageAnnouncements)
    .where(and(inArray(pagePk, pagePks), isNull(endedAt)))
    .orderBy(pk);
}

type PageOutage = ComponentOutage & { pagePk: number };

/** The open outages of components, and those that were announced as open, each once for a page. */
async function listOutages(
  tx: Tx,
  { pagePks, organizationPks }: Scope,
  announcements: readonly Announced[],
): Promise<PageOutage[]> {
  const { outages } = tx.tables;
  const ofPages = inArray(tx.tables.pageComponents.pagePk, pagePks);
  const ofOrganizations = inArray(outages.organizationPk, organizationPks);
  const open = await selectOutages(tx, and(ofOrganizations, isNull(outages.endedAt), ofPages));
  const openIds = new Set(open.map(({ id }) => id));
  const ended = announcements.filter(({ kind, subject }) => kind === "outage" && !openIds.has(subject));
  if (ended.length === 0) return open;
  const isAnnounced = inArray(
    outages.id,
    ended.map(({ subject }) => subject),
  );
  return [...open, ...(await selectOutages(tx, and(ofOrganizations, isAnnounced, ofPages)))];
}

async function selectOutages(tx: Tx, condition: SQL | undefined): Promise<PageOutage[]> {
  const { db, tables } = tx;
  const { monitors, outages, pageComponents } = tables;
  const { pk, id, startedAt, endedAt, maintenanceId } = outages;
  const rows = await db
    .select({
      pk,
      pagePk: pageComponents.pagePk,
      componentId: pageComponents.id,
      name: pageComponents.name,
      monitor: { id: monitors.id, name: monitors.name, tags: monitors.tags },
      ...{ id, startedAt, endedAt, maintenanceId },
    })
    .from(outages)
    .innerJoin(pageComponents, eq(pageComponents.monitorPk, outages.monitorPk))
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(condition)
    .orderBy(startedAt, pageComponents.position);
  const found = await withDowns(tx, rows);
  return [...Map.groupBy(found, ({ pagePk, id }) => `${pagePk} ${id}`).values()].flatMap((same) => {
    const componentIds = same.map(({ componentId }) => componentId);
    return same.slice(0, 1).map(({ pk: _, componentId, name, monitor, ...outage }) => ({
      ...{ ...outage, component: componentOf(componentId, name, monitor), componentIds },
    }));
  });
}

type PageComponent = AnnouncedComponent & { pagePk: number };

async function listComponents({ db, tables }: Tx, { pagePks }: Scope): Promise<PageComponent[]> {
  const { monitors, pageComponents } = tables;
  const { id, pagePk, name, position } = pageComponents;
  const rows = await db
    .select({ id, pagePk, name, monitor: { id: monitors.id, name: monitors.name, tags: monitors.tags } })
    .from(pageComponents)
    .innerJoin(monitors, eq(monitors.pk, pageComponents.monitorPk))
    .where(inArray(pagePk, pagePks))
    .orderBy(pagePk, position);
  return rows.map((row) => ({ pagePk: row.pagePk, ...componentOf(row.id, row.name, row.monitor) }));
}

function componentOf(
  id: string,
  name: string | null,
  { name: monitorName, ...monitor }: { id: string; name: string; tags: string[] },
): AnnouncedComponent {
  return { id, name: name ?? monitorName, monitor };
}

type OrganizationRun = StoredRun & { organizationPk: number };

/** The open windows, windows that were announced as open, and windows in which an open outage began. */
async function listRuns(
  { db, tables }: Tx,
  { organizationPks }: Scope,
  {
    announcements,
    outages,
    now,
  }: { announcements: readonly Announced[]; outages: readonly PageOutage[]; now: number },
): Promise<OrganizationRun[]> {
  const { maintenances, maintenanceRuns } = tables;
  const { pk, maintenanceId, endsAt, organizationPk } = maintenanceRuns;
  const announced = announcements
    .filter(({ kind }) => kind === "maintenance")
    .map(({ subject }) => Number(subject));
  const began = outages.flatMap(({ maintenanceId: id }) => id ?? []);
  const wanted = [
    isNull(endsAt),
    ...(announced.length > 0 ? [inArray(pk, announced)] : []),
    ...(began.length > 0 ? [inArray(maintenanceId, began)] : []),
  ];
  const rows = await db
    .select({ run: maintenanceRuns, maintenance: maintenances })
    .from(maintenanceRuns)
    .leftJoin(maintenances, eq(maintenances.id, maintenanceId))
    .where(and(inArray(organizationPk, organizationPks), or(...wanted)))
    .orderBy(pk);
  return rows.map(({ run, maintenance }) => ({
    ...run,
    message: maintenance?.message ?? null,
    expectedEnd: (maintenance && openWindowAt(maintenance, now)?.endsAt) ?? null,
    updatedAt: maintenance?.updatedAt ?? run.startsAt,
  }));
}

async function listIncidentOutages({ db, tables: { incidents } }: Tx, { pagePks }: Scope) {
  const { pagePk, outageId } = incidents;
  return db
    .select({ pagePk, outageId })
    .from(incidents)
    .where(and(inArray(pagePk, pagePks), isNotNull(outageId)));
}

/** The numbers of the pages that have something to announce now. It costs little while nothing is open. */
export async function listAnnouncingPages(tx: TimedTx): Promise<number[]> {
  const events = await readPageEvents(tx, await listWatchedPages(tx));
  return events.filter((one) => planAnnouncements(one, tx.now).length > 0).map(({ page }) => page.pk);
}

/**
 * Stores what a page announces now, each outage and window once, with the e-mails to its subscribers (behavior 15.78 to
 * 15.80). What it announces at the same time is one message.
 *
 * @returns how many e-mails were created
 */
export async function announce(tx: TimedTx, pagePk: number): Promise<number> {
  const watched = await listWatchedPages(tx, pagePk);
  const [events] = await readPageEvents(tx, watched);
  return events ? announceOn(tx, events) : 0;
}

async function announceOn(tx: TimedTx, events: PageEvents): Promise<number> {
  const { pk: pagePk } = events.page;
  const made: { notice: PageNotice; at: number; componentIds: readonly string[] }[] = [];
  for (const step of planAnnouncements(events, tx.now)) {
    const isNew = await save(tx, { pagePk, step });
    if (!isNew || step.step === "move" || !step.notice) continue;
    made.push({ notice: step.notice, at: step.at, componentIds: step.componentIds });
  }
  if (made.length === 0) return 0;
  const mailFor = (chosen: readonly string[] | null) =>
    mailOfNotices(
      made.filter(({ componentIds }) => isAbout(componentIds, chosen)).map(({ notice }) => notice),
    );
  // Who confirms while something is open gets its end, but not its start.
  const confirmedUntil = Math.max(...made.map(({ at }) => at));
  return createPageMails(tx, { pagePk, mailFor, confirmedUntil });
}

/**
 * Creates the e-mails about a window that people planned, moved or canceled, in the transaction that does it, so that there is one
 * for each change (behavior 15.110).
 */
export async function announcePlan(
  tx: TimedTx,
  change: { before: MaintenanceRow | null; after: MaintenanceRow | null },
): Promise<void> {
  const { organizationPk, notifySubscribers } = change.after ?? change.before ?? {};
  if (organizationPk === undefined || !notifySubscribers) return;
  const pages = (await listWatchedPages(tx)).filter((page) => page.organizationPk === organizationPk);
  if (pages.length === 0) return;
  const pagePks = pages.map(({ pk }) => pk);
  const components = byPage(await listComponents(tx, { pagePks, organizationPks: [organizationPk] }));
  for (const pagePk of pagePks) {
    const planned = planNotice(change, components.get(pagePk) ?? [], tx.now);
    if (!planned) continue;
    const { notice, componentIds } = planned;
    await createPageMails(tx, {
      pagePk,
      mailFor: (chosen) => (isAbout(componentIds, chosen) ? notice : null),
    });
  }
}

/** @returns whether it was not stored yet */
async function save(tx: Tx, { pagePk, step }: { pagePk: number; step: AnnouncementStep }): Promise<boolean> {
  const {
    db,
    tables: { pageAnnouncements },
  } = tx;
  const { pk } = pageAnnouncements;
  if (step.step === "start") {
    const { kind, subject, at: startedAt } = step;
    const row = { pagePk, kind, subject, startedAt };
    const isNew = isOne(
      await db.insert(pageAnnouncements).values(row).onConflictDoNothing().returning({ pk }),
    );
    if (!isNew) await reopen(tx, row);
    return isNew;
  }
  const values = step.step === "move" ? { subject: step.subject } : { endedAt: step.at };
  const isOpen = and(eq(pk, step.pk), isNull(pageAnnouncements.endedAt));
  return isOne(await db.update(pageAnnouncements).set(values).where(isOpen).returning({ pk }));
}

/** Its component was deleted, and created again: the start is not announced a second time, but the end will be. */
async function reopen(
  { db, tables: { pageAnnouncements } }: Tx,
  { pagePk, kind, subject }: { pagePk: number; kind: "outage" | "maintenance"; subject: string },
): Promise<void> {
  const { pagePk: ofPage, kind: ofKind, subject: ofSubject } = pageAnnouncements;
  const isSame = and(eq(ofPage, pagePk), eq(ofKind, kind), eq(ofSubject, subject));
  await db.update(pageAnnouncements).set({ endedAt: null }).where(isSame);
}

function isOne(rows: unknown[]): boolean {
  return rows.length === 1;
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the announcements whose end is older than a moment. @returns whether there may be more */
export async function pruneAnnouncements({ db, tables }: Tx, before: number): Promise<boolean> {
  const { pageAnnouncements } = tables;
  const { pk, endedAt } = pageAnnouncements;
  const old = await db.select({ pk }).from(pageAnnouncements).where(lt(endedAt, before)).limit(BATCH);
  const pks = old.map((row) => row.pk);
  if (pks.length > 0) await db.delete(pageAnnouncements).where(inArray(pk, pks));
  return pks.length === BATCH;
}
