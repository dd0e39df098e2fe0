import { eq, sql } from "drizzle-orm";
import type { Outage } from "../../domain/outages/outage.ts";
import { AppError } from "../../errors.ts";
import { scheduleReviews } from "../alerts/review/schedule-reviews.ts";
import { reviveAcknowledged } from "../alerts/review/withdrawal.ts";
import { audit } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { findRow, type OutageRow, withoutKeys } from "./outages.ts";

/** @property by the name of the key */
export interface NewAcknowledgement {
  by: string;
  note: string | null;
}

/**
 * Acknowledges an open outage, or replaces its acknowledgement (behavior 14.55). Notifications that wait for their `after`, and
 * reminders, end with the next review.
 *
 * @param now milliseconds since 1970
 * @throws AppError `not_found`, then `invalid` if the outage has ended
 */
export async function acknowledgeOutage(
  tx: Tx,
  organizationId: string,
  id: string,
  { by, note }: NewAcknowledgement,
  now: number,
): Promise<Outage> {
  const row = await findOpen(tx, organizationId, id);
  const acknowledgement = { acknowledgedAt: now, acknowledgedBy: by, note };
  await save(tx, row, acknowledgement);
  await scheduleReviews(tx, [row.monitorPk], now);
  await audit(tx, { ...changeOf(row, "outage.acknowledged"), changed: note === null ? [] : ["note"] });
  return { ...withoutKeys(row), ...acknowledgement };
}

/**
 * Takes an acknowledgement back, if there is one.
 *
 * @param now milliseconds since 1970
 * @throws AppError `not_found`, then `invalid` if the outage has ended
 */
export async function unacknowledgeOutage(
  tx: Tx,
  organizationId: string,
  id: string,
  now: number,
): Promise<Outage> {
  const row = await findOpen(tx, organizationId, id);
  if (row.acknowledgedAt === null) return withoutKeys(row);
  const none = { acknowledgedAt: null, acknowledgedBy: null, note: null };
  await save(tx, row, none);
  await reviveAcknowledged(tx, { outagePk: row.pk, monitorPk: row.monitorPk }, now);
  await audit(tx, changeOf(row, "outage.unacknowledged"));
  return { ...withoutKeys(row), ...none };
}

/** Locks the state of its monitor, so that no recording and no review decides at the same time. */
async function findOpen(tx: Tx, organizationId: string, id: string): Promise<OutageRow> {
  const { monitorStates } = tx.tables;
  const { monitorPk } = await findRow(tx, organizationId, id);
  await tx.db
    .update(monitorStates)
    .set({ outagePk: sql`${monitorStates.outagePk}` })
    .where(eq(monitorStates.monitorPk, monitorPk));
  const row = await findRow(tx, organizationId, id);
  if (row.endedAt !== null) throw new AppError("invalid", "the outage has ended: it can't be acknowledged");
  return row;
}

type Values = Pick<Outage, "acknowledgedAt" | "acknowledgedBy" | "note">;

async function save({ db, tables: { outages } }: Tx, { pk }: OutageRow, values: Values): Promise<void> {
  await db.update(outages).set(values).where(eq(outages.pk, pk));
}

function changeOf(
  { organizationPk, id, monitor: { name } }: OutageRow,
  action: "outage.acknowledged" | "outage.unacknowledged",
) {
  return { organizationPk, action, resource: { type: "outage", id, name } } as const;
}
