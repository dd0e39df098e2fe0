import { and, desc, eq, gte, inArray, isNull, or } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { isLong, viewOf, windowEndOf } from "../../domain/pages/outage-view.ts";
import { AppError } from "../../errors.ts";
import { withDowns } from "../outages/exported-outages.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { findPageRow, type PageRow } from "./pages.ts";

/** An outage of a component of a page. Times are milliseconds since 1970. */
export interface PageOutage {
  id: string;
  /** The components that show its monitor. */
  componentIds: string[];
  /** The worst so far. */
  status: Status;
  /** Whether the page names it down, not degraded. */
  isDown: boolean;
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  /** The ID of the incident that the page shows in its place; null without one. */
  incidentId: string | null;
}

export type IncidentOutage = Pick<PageOutage, "id" | "componentIds" | "startedAt" | "endedAt">;

const LISTED = 50;

/** How many of the latest outages are measured: most of them may be shorter. */
const MEASURED = 1000;

/** The latest outages that are longer than `minOutage`, the latest first (behavior 15.15). @throws AppError `not_found` */
export async function listPageOutages(
  tx: TimedTx,
  { organizationId, pageId }: { organizationId: string; pageId: string },
): Promise<PageOutage[]> {
  const page = await findPageRow(tx, organizationId, pageId);
  const { minOutage } = page;
  const components = await listComponentKeys(tx, page);
  const latest = await listLatest(
    tx,
    components.map(({ monitorPk }) => monitorPk),
  );
  const windows = await listWindowsOf(tx, latest);
  const long = latest
    .map((outage) => ({ ...outage, windowEndsAt: windowEndOf(outage, windows) }))
    .filter((outage) => isLong(outage, { minOutage, now: tx.now }));
  const incidents = await listOutageIncidents(tx, page);
  return (await withDowns(tx, long.slice(0, LISTED))).map((outage) => {
    const { id, monitorPk, status, startedAt, endedAt } = outage;
    const { isDown } = viewOf(outage, minOutage, tx.now);
    const shownBy = components.filter((component) => component.monitorPk === monitorPk);
    const componentIds = shownBy.map((component) => component.id);
    return { id, componentIds, status, isDown, startedAt, endedAt, incidentId: incidents.get(id) ?? null };
  });
}

/**
 * The outage that becomes an incident of a page (behavior 15.14).
 *
 * @throws AppError `invalid` if it is not of a component of the page, or is an incident of it already
 */
export async function findIncidentOutage(tx: Tx, page: PageRow, outageId: string): Promise<IncidentOutage> {
  const { outages, pageComponents } = tx.tables;
  const rows = await tx.db
    .select({ startedAt: outages.startedAt, endedAt: outages.endedAt, componentId: pageComponents.id })
    .from(outages)
    .innerJoin(pageComponents, eq(pageComponents.monitorPk, outages.monitorPk))
    .where(and(eq(outages.id, outageId), eq(pageComponents.pagePk, page.pk)))
    .orderBy(pageComponents.position);
  const [row] = rows;
  if (!row) throw new AppError("invalid", "outageId is not an outage of a component of this page");
  if ((await listOutageIncidents(tx, page)).has(outageId))
    throw fault("outageWithIncident", { field: "outageId" });
  const { startedAt, endedAt } = row;
  return { id: outageId, componentIds: rows.map(({ componentId }) => componentId), startedAt, endedAt };
}

async function listComponentKeys({ db, tables: { pageComponents } }: Tx, page: PageRow) {
  const { id, monitorPk, pagePk, position } = pageComponents;
  return db.select({ id, monitorPk }).from(pageComponents).where(eq(pagePk, page.pk)).orderBy(position);
}

/** The latest outages of some monitors. */
async function listLatest({ db, tables: { outages } }: Tx, monitorPks: readonly number[]) {
  const { pk, id, monitorPk, status, startedAt, endedAt, maintenanceId } = outages;
  return db
    .select({ pk, id, monitorPk, status, startedAt, endedAt, maintenanceId })
    .from(outages)
    .where(inArray(monitorPk, [...new Set(monitorPks)]))
    .orderBy(desc(startedAt), desc(pk))
    .limit(MEASURED);
}

/** The IDs of the incidents of a page that were outages, by the ID of the outage. */
async function listOutageIncidents({ db, tables: { incidents } }: Tx, page: PageRow) {
  const { id, outageId } = incidents;
  const rows = await db.select({ id, outageId }).from(incidents).where(eq(incidents.pagePk, page.pk));
  return new Map(rows.flatMap((row) => (row.outageId === null ? [] : [[row.outageId, row.id]])));
}

/**
 * The windows in which some outages may have begun. Windows of their maintenances that are open, or ended after the first of the
 * outages began.
 */
export async function listWindowsOf(
  { db, tables: { maintenanceRuns } }: Tx,
  outages: readonly { maintenanceId: string | null; startedAt: number }[],
) {
  const ids = [...new Set(outages.flatMap((outage) => outage.maintenanceId ?? []))];
  if (ids.length === 0) return [];
  const { maintenanceId, startsAt, endsAt } = maintenanceRuns;
  const first = outages.reduce(
    (earliest, { startedAt }) => Math.min(earliest, startedAt),
    Number.MAX_SAFE_INTEGER,
  );
  return db
    .select({ maintenanceId, startsAt, endsAt })
    .from(maintenanceRuns)
    .where(and(inArray(maintenanceId, ids), or(isNull(endsAt), gte(endsAt, first))));
}
