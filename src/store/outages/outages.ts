import { and, desc, eq, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import type { Outage } from "../../domain/outages/outage.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Page, PageRequest } from "../page.ts";
import { cursorAfter, parseCursor } from "../results/result-items.ts";
import type { Tx } from "../tx.ts";
import { withDowns } from "./down-stretches.ts";

/** @property isOpen without it, both kinds */
export interface OutageFilter {
  monitorId?: string | undefined;
  isOpen?: boolean | undefined;
}

/**
 * One page of the outages of an organization, the latest first (behavior 14.53). An unknown monitor has none.
 *
 * @throws AppError `invalid` for a cursor that no page gave
 */
export async function listOutages(
  tx: Tx,
  organizationId: string,
  request: PageRequest & OutageFilter,
): Promise<Page<Outage>> {
  const { rows, cursor } = await listRows(tx, organizationId, request);
  return { items: rows.map(withoutKeys), cursor };
}

/** Like `listOutages`, with the numbers of the rows. @throws AppError like it */
export async function listRows(
  tx: Tx,
  organizationId: string,
  { monitorId, isOpen, limit, cursor }: PageRequest & OutageFilter,
): Promise<{ rows: OutageRow[]; cursor: string | null }> {
  const { monitors, outages } = tx.tables;
  // The number of an outage, not its ID: an outage may be deleted, and its cursor still works.
  const before = parseCursor(cursor);
  const found = await selectOutages(
    tx,
    and(
      eq(outages.organizationPk, await organizationPk(tx, organizationId)),
      before === undefined ? undefined : lt(outages.pk, before),
      monitorId === undefined ? undefined : eq(monitors.id, monitorId),
      isOpen === undefined ? undefined : isOpen ? isNull(outages.endedAt) : isNotNull(outages.endedAt),
    ),
  )
    .orderBy(desc(outages.pk))
    .limit(limit + 1);
  const pks = found.map(({ pk }) => pk);
  return { rows: await withDowns(tx, found.slice(0, limit)), cursor: cursorAfter(pks, limit) };
}

/** @throws AppError `not_found` */
export async function findOutage(tx: Tx, organizationId: string, id: string): Promise<Outage> {
  return withoutKeys(await findRow(tx, organizationId, id));
}

/** An outage with the numbers of its rows. */
export type OutageRow = Awaited<ReturnType<typeof findRow>>;

/** @throws AppError `not_found` */
export async function findRow(tx: Tx, organizationId: string, id: string) {
  const { outages } = tx.tables;
  const ofOrganization = eq(outages.organizationPk, await organizationPk(tx, organizationId));
  const found = await selectOutages(tx, and(eq(outages.id, id), ofOrganization));
  const [row] = await withDowns(tx, found);
  if (!row) throw notFound();
  return row;
}

export function withoutKeys(row: OutageRow): Outage {
  const { pk, monitorPk, organizationPk, resultPk, timings, detailPk, ...outage } = row;
  return outage;
}

/** Leaves out outages of deleted monitors, which are deleted in the background. */
function selectOutages({ db, tables: { monitors, outages } }: Tx, condition: SQL | undefined) {
  const { pk, monitorPk, organizationPk, resultPk, timings, detailPk } = outages;
  const { id, status, reason, startedAt, endedAt } = outages;
  const { acknowledgedAt, acknowledgedBy, note, maintenanceId } = outages;
  return db
    .select({
      ...{ pk, monitorPk, organizationPk, resultPk, timings, detailPk },
      id,
      monitor: { id: monitors.id, name: monitors.name, type: monitors.type },
      ...{ status, reason, startedAt, endedAt, acknowledgedAt, acknowledgedBy, note, maintenanceId },
    })
    .from(outages)
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(condition);
}
