import { and, desc, eq, gte, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { windowEndOf } from "../../domain/pages/outage-view.ts";
import type { OutageFacts } from "../../domain/pages/page-facts.ts";
import { withDowns } from "../outages/down-stretches.ts";
import type { Tx } from "../tx.ts";
import { type PageDays, publicId } from "./incident-facts.ts";
import { listWindowsOf } from "./page-outages.ts";

/** How many of the latest ended outages are read: outages that ended soon after their window are left out later. */
const MAX_ENDED = 200;

/**
 * The open outages of the components of a page, and the latest long outages that have ended, without outages that are shown as an
 * incident that people wrote.
 *
 * @param monitorIds by the numbers of the monitors
 */
export async function listOutageFacts(
  tx: Tx,
  { page, since }: PageDays,
  monitorIds: ReadonlyMap<number, string>,
): Promise<OutageFacts[]> {
  if (monitorIds.size === 0) return [];
  const { endedAt, monitorPk, startedAt } = tx.tables.outages;
  const own = inArray(monitorPk, [...monitorIds.keys()]);
  const mayBeLong = sql`${endedAt} - ${startedAt} > ${page.minOutage * 1000}`;
  const open = await listOpen(tx, [...monitorIds.keys()]);
  const ended = await selectOutages(tx, and(own, gte(endedAt, since), mayBeLong))
    .orderBy(desc(startedAt), desc(tx.tables.outages.pk))
    .limit(MAX_ENDED);
  const windows = await listWindowsOf(tx, [...open, ...ended]);
  const turned = await listTurned(tx, page.pk);
  const shown = [...open, ...ended].filter(({ id }) => !turned.has(id));
  return (await withDowns(tx, shown)).map(({ pk: _, monitorPk, id, maintenanceId, ...outage }) => ({
    ...outage,
    id: publicId(page.id, "outage", id),
    monitorId: monitorIds.get(monitorPk) ?? "",
    maintenanceId: maintenanceId === null ? null : publicId(page.id, "maintenance", maintenanceId),
    windowEndedAt: windowEndOf({ ...outage, maintenanceId }, windows) ?? null,
  }));
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
async function listTurned({ db, tables: { incidents } }: Tx, pagePk: number): Promise<Set<string | null>> {
  const { outageId } = incidents;
  const rows = await db
    .select({ outageId })
    .from(incidents)
    .where(and(eq(incidents.pagePk, pagePk), isNotNull(outageId)));
  return new Set(rows.map((row) => row.outageId));
}
