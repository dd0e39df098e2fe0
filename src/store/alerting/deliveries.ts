import { and, count, desc, eq, exists, lt } from "drizzle-orm";
import type { DeliveryRecord } from "../../domain/alerts/delivery.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { parseDeliveryId, resultId } from "../ids.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Tx } from "../tx.ts";
import { isPending } from "./delivery-cancellation.ts";

/**
 * One page of the deliveries to a channel, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is not the ID of a delivery, `not_found` for the channel
 */
export async function listDeliveries(
  tx: Tx,
  organizationId: string,
  channelId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<DeliveryRecord>> {
  const { deliveries, monitors } = tx.tables;
  // A channel has at most one delivery for a result, so the order of the results is that of the deliveries.
  const before = cursor === undefined ? undefined : lt(deliveries.resultPk, position(cursor));
  // Deliveries of a deleted monitor are left out: they are deleted in the background.
  const monitor = tx.db.select().from(monitors).where(eq(monitors.pk, deliveries.monitorPk));
  const ofChannel = eq(deliveries.channelPk, await channelPk(tx, organizationId, channelId));
  const rows = await tx.db
    .select()
    .from(deliveries)
    .where(and(ofChannel, before, exists(monitor)))
    .orderBy(desc(deliveries.resultPk))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map(toRecord);
  return { items, cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** How many deliveries to the channels of an organization are pending. */
export async function countPending(tx: Tx, organizationId: string): Promise<number> {
  const { alertChannels, deliveries } = tx.tables;
  const [row] = await tx.db
    .select({ pending: count() })
    .from(alertChannels)
    .innerJoin(deliveries, and(eq(deliveries.channelPk, alertChannels.pk), isPending(tx.tables)))
    .where(eq(alertChannels.organizationPk, await organizationPk(tx, organizationId)));
  return row?.pending ?? 0;
}

async function channelPk(tx: Tx, organizationId: string, id: string): Promise<number> {
  const { alertChannels } = tx.tables;
  const ofOrganization = eq(alertChannels.organizationPk, await organizationPk(tx, organizationId));
  const [channel] = await tx.db
    .select({ pk: alertChannels.pk })
    .from(alertChannels)
    .where(and(eq(alertChannels.id, id), ofOrganization));
  if (!channel) throw notFound();
  return channel.pk;
}

function position(cursor: string): number {
  const pk = parseDeliveryId(cursor);
  if (pk === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return pk;
}

function toRecord(row: Tx["tables"]["deliveries"]["$inferSelect"]): DeliveryRecord {
  const { resultPk, transition, pk, monitorPk, channelPk, channelId, channelType, ...record } = row;
  const { id, name, type } = transition.monitor;
  return {
    ...record,
    resultId: resultId(resultPk),
    monitor: { id, name, type },
    previousStatus: transition.previousStatus,
    newStatus: transition.status,
  };
}
