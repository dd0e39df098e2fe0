import {
  and,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { DAY } from "../../domain/duration.ts";
import type { IncidentFacts, MaintenanceFacts, RunFacts } from "../../domain/pages/component-status.ts";
import { type IncidentUpdate, MAX_SHOWN_UPDATES, shownUpdates } from "../../domain/pages/incident.ts";
import type { Stretch } from "../../domain/results/rollup.ts";
import type { TimedTx, Tx } from "../tx.ts";

/** A page and the start of the first day that is read. Times are milliseconds since 1970, `minOutage` is in seconds. */
export interface PageDays {
  page: { pk: number; id: string; minOutage: number };
  since: number;
  /** The end of a month that is read alone. */
  until?: number | undefined;
}

/** @param componentIds those that exist */
export async function listIncidentFacts(
  tx: Tx,
  { page, ...stretch }: PageDays,
  componentIds: ReadonlySet<string>,
): Promise<IncidentFacts[]> {
  const rows = await listRows(tx, page.pk, stretch);
  const updates = await listUpdates(
    tx,
    rows.map(({ pk }) => pk),
  );
  return rows.map(({ pk, ...incident }) => ({
    ...incident,
    componentIds: incident.componentIds.filter((id) => componentIds.has(id)),
    updates: updates.get(pk) ?? [],
  }));
}

async function listRows(
  { db, tables: { incidents } }: Tx,
  pagePk: number,
  { since, until }: Omit<PageDays, "page">,
) {
  const { pk, id, title, impact, componentIds, startedAt, resolvedAt, updatedAt } = incidents;
  const isShown = or(isNull(resolvedAt), gte(resolvedAt, since));
  return db
    .select({ pk, id, title, impact, componentIds, startedAt, resolvedAt, updatedAt })
    .from(incidents)
    .where(and(eq(incidents.pagePk, pagePk), isShown, until === undefined ? undefined : lt(startedAt, until)))
    .orderBy(sql`${resolvedAt} IS NOT NULL`, desc(startedAt), desc(pk));
}

/** The latest updates of the page, and the last one of each incident, the newest first. */
async function listUpdates(tx: Tx, incidentPks: number[]): Promise<Map<number, IncidentUpdate[]>> {
  if (incidentPks.length === 0) return new Map();
  const rows = await selectUpdates(tx, inArray(tx.tables.incidentUpdates.incidentPk, incidentPks)).limit(
    MAX_SHOWN_UPDATES,
  );
  const cut = rows.length === MAX_SHOWN_UPDATES ? await listLastUpdates(tx, incidentPks) : [];
  const known = new Set(rows.map(({ pk }) => pk));
  const shown = shownUpdates([...rows, ...cut.filter(({ pk }) => !known.has(pk))]);
  const groups = Map.groupBy(shown, (row) => row.incidentPk);
  return new Map(
    [...groups].map(([of, group]) => [of, group.map(({ incidentPk: _, pk: __, ...update }) => update)]),
  );
}

function selectUpdates({ db, tables: { incidentUpdates } }: Tx, condition: SQL) {
  const { incidentPk, pk, id, status, body, createdAt, editedAt } = incidentUpdates;
  return db
    .select({ pk, incidentPk, id, status, body, createdAt, editedAt })
    .from(incidentUpdates)
    .where(condition)
    .orderBy(desc(pk));
}

function listLastUpdates(tx: Tx, incidentPks: number[]) {
  const { incidentPk, pk } = tx.tables.incidentUpdates;
  const last = tx.db
    .select({ pk: max(pk) })
    .from(tx.tables.incidentUpdates)
    .where(inArray(incidentPk, incidentPks))
    .groupBy(incidentPk);
  return selectUpdates(tx, inArray(pk, last));
}

interface Owner {
  organizationPk: number;
  pageId: string;
}

/** How long an ended window is listed. */
const KEPT = 30 * DAY;

/** The most windows of a maintenance that are read. */
const MAX_RUNS = 20;

/** The same for a month: one a day. */
const MAX_OF_MONTH = 31;

/** The end of a window may be noticed later: until then, its definition says when it was. */
const NOTICED_WITHIN = DAY;

/** The maintenances of an organization that may have a window now or later, or had one lately. */
export async function listMaintenanceFacts(
  { db, tables: { maintenances }, now }: TimedTx,
  { organizationPk, pageId }: Owner,
): Promise<MaintenanceFacts[]> {
  const { id, title, message, selector, startsAt, endsAt, cron, timezone, duration, until } = maintenances;
  const { endedRun, endedRunAt, updatedAt } = maintenances;
  const rows = await db
    .select({
      ...{ id, title, message, selector, updatedAt },
      ...{ startsAt, endsAt, cron, timezone, duration, until, endedRun, endedRunAt },
    })
    .from(maintenances)
    .where(
      and(
        eq(maintenances.organizationPk, organizationPk),
        or(isNotNull(cron), gt(endsAt, now - NOTICED_WITHIN)),
      ),
    )
    .orderBy(maintenances.pk);
  return rows.map((row) => ({ ...row, id: publicId(pageId, "maintenance", row.id) }));
}

/**
 * The windows of an organization that are open or ended lately, the newest first: the last ones of each maintenance.
 *
 * @param month of which they are instead
 */
export async function listRunFacts(
  { db, tables: { maintenanceRuns: runs, maintenances }, now }: TimedTx,
  { organizationPk, pageId }: Owner,
  month?: Required<Stretch>,
): Promise<RunFacts[]> {
  const { maintenanceId, title, selector, startsAt, endsAt } = runs;
  const isLate = or(isNull(endsAt), gte(endsAt, month?.since ?? now - KEPT));
  const began = month && lt(startsAt, month.until);
  const nth = sql<number>`row_number() OVER (PARTITION BY ${maintenanceId} ORDER BY ${startsAt} DESC)`;
  const numbered = db
    .select({ maintenanceId, title, selector, startsAt, endsAt, pk: runs.pk, nth: nth.as("nth") })
    .from(runs)
    .where(and(eq(runs.organizationPk, organizationPk), isLate, began))
    .as("numbered");
  const rows = await db
    .select({
      maintenanceId: numbered.maintenanceId,
      title: numbered.title,
      selector: numbered.selector,
      startsAt: numbered.startsAt,
      endsAt: numbered.endsAt,
      message: maintenances.message,
      updatedAt: maintenances.updatedAt,
    })
    .from(numbered)
    .leftJoin(maintenances, eq(maintenances.id, numbered.maintenanceId))
    .where(lte(numbered.nth, month ? MAX_OF_MONTH : MAX_RUNS))
    .orderBy(desc(numbered.startsAt), desc(numbered.pk));
  return rows.map((row) => ({ ...row, maintenanceId: publicId(pageId, "maintenance", row.maintenanceId) }));
}

const LENGTH = 24;

/**
 * The ID by which a page shows what has no ID, or only an internal ID. It is the same each time, differs from page to page, and
 * nobody can compute the internal ID from it (behavior 15.31).
 */
export function publicId(pageId: string, kind: "group" | "outage" | "maintenance", of: string): string {
  return new Bun.CryptoHasher("sha256").update(`${pageId} ${kind} ${of}`).digest("hex").slice(0, LENGTH);
}
