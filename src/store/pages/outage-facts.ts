import {
  and,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";
import type { OutageFacts } from "../../domain/pages/page-facts.ts";
import type { Tx } from "../tx.ts";
import { MOST_INCIDENTS, type PageDays } from "./incident-facts.ts";
import { publicId } from "./public-id.ts";

/**
 * The open outages of the components of a page, and the latest ended ones that lasted longer than its `minOutage`, without those
 * that are shown as an incident that people wrote.
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
  const own = and(inArray(monitorPk, [...monitorIds.keys()]), isNotTurned(tx, page.pk));
  const isLong = sql`${endedAt} - coalesce(${tx.tables.maintenanceRuns.endsAt}, ${startedAt}) > ${page.minOutage * 1000}`;
  const open = await selectOutages(tx, and(own, isNull(endedAt)));
  const ended = await selectOutages(tx, and(own, gte(endedAt, since), isLong))
    .orderBy(desc(startedAt), desc(tx.tables.outages.pk))
    .limit(MOST_INCIDENTS);
  return [...open, ...ended].map(({ monitorPk, id, maintenanceId, ...outage }) => ({
    ...outage,
    id: publicId(page.id, "outage", id),
    monitorId: monitorIds.get(monitorPk) ?? "",
    maintenanceId: maintenanceId === null ? null : publicId(page.id, "maintenance", maintenanceId),
  }));
}

/** With the end of the window in which each outage began. */
function selectOutages({ db, tables: { maintenanceRuns, outages } }: Tx, condition: SQL | undefined) {
  const { monitorPk, id, status, startedAt, endedAt, maintenanceId } = outages;
  const isInRun = and(
    eq(maintenanceRuns.maintenanceId, maintenanceId),
    lte(maintenanceRuns.startsAt, startedAt),
    isNotNull(maintenanceRuns.endsAt),
    gt(maintenanceRuns.endsAt, startedAt),
  );
  return db
    .select({
      ...{ monitorPk, id, status, startedAt, endedAt, maintenanceId },
      windowEndedAt: maintenanceRuns.endsAt,
    })
    .from(outages)
    .leftJoin(maintenanceRuns, isInRun)
    .where(condition);
}

function isNotTurned({ db, tables: { incidents, outages } }: Tx, pagePk: number) {
  const shown = and(eq(incidents.pagePk, pagePk), eq(incidents.outageId, outages.id));
  return notExists(db.select({ pk: incidents.pk }).from(incidents).where(shown));
}
