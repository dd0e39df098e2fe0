import { and, desc, eq, lt, sql } from "drizzle-orm";
import {
  type AlertOutcome,
  type ChannelOutcome,
  type DeliveryRecord,
  summarizeOutcome,
} from "../../domain/alerts/delivery.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { parseDeliveryId, resultId } from "../ids.ts";
import { inList } from "../sqlite/in-list.ts";
import type { Database } from "../sqlite/open.ts";
import type { Page } from "../sqlite/results/results.ts";
import { alertChannels, deliveries } from "../sqlite/schema.ts";
import { CHANNEL_DELETED } from "./delivery-cancellation.ts";

/**
 * One page of what a channel was sent, most recent first.
 *
 * @param cursor the ID of the delivery before the page; that delivery may have been deleted since
 * @throws AppError `not_found` for the channel, `invalid` for a cursor that is no delivery ID
 */
export async function listDeliveries(
  db: Database,
  organizationId: string,
  channelId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Page<DeliveryRecord>> {
  // One channel has at most one delivery of a result, and they come in the same order.
  const before = cursor === undefined ? undefined : lt(deliveries.resultPk, position(cursor));
  const its = eq(alertChannels.organizationPk, organizationPk(db, organizationId));
  const channel = db
    .select({ pk: alertChannels.pk })
    .from(alertChannels)
    .where(and(eq(alertChannels.id, channelId), its))
    .get();
  if (!channel) throw notFound();
  const rows = db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.channelPk, channel.pk), before, ofPresentMonitor))
    .orderBy(desc(deliveries.resultPk))
    .limit(limit + 1)
    .all();
  const items = rows.slice(0, limit).map(toRecord);
  return { items, cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** What became of the alerts of some results. */
export function listOutcomes(db: Database, resultPks: number[]): Map<number, AlertOutcome> {
  const rows = db
    .select({
      resultPk: deliveries.resultPk,
      channelId: deliveries.channelId,
      type: deliveries.channelType,
      status: deliveries.status,
      attempts: deliveries.attempts,
      error: deliveries.error,
      deliveredAt: deliveries.deliveredAt,
      presentChannel: alertChannels.pk,
    })
    .from(deliveries)
    .leftJoin(alertChannels, eq(alertChannels.pk, deliveries.channelPk))
    .where(inList(deliveries.resultPk, resultPks))
    .orderBy(deliveries.pk)
    .all();
  const byResult = Map.groupBy(rows, ({ resultPk }) => resultPk);
  return new Map([...byResult].map(([pk, group]) => [pk, summarizeOutcome(group.map(toOutcome))]));
}

function position(cursor: string): number {
  const pk = parseDeliveryId(cursor);
  if (pk === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return pk;
}

function toRecord(row: typeof deliveries.$inferSelect): DeliveryRecord {
  const { resultPk, transition, pk, monitorPk, channelPk, channelId, channelType, ...told } = row;
  const { id, name, type } = transition.monitor;
  return {
    ...told,
    resultId: resultId(resultPk),
    monitor: { id, name, type },
    previousStatus: transition.previousStatus,
    newStatus: transition.status,
  };
}

/** What waits for a deleted channel has failed, also if it is not marked so yet. */
function toOutcome({
  resultPk: _,
  presentChannel,
  ...outcome
}: ChannelOutcome & { resultPk: number; presentChannel: number | null }): ChannelOutcome {
  if (presentChannel !== null || outcome.status !== "pending") return outcome;
  return { ...outcome, status: "failed", error: CHANNEL_DELETED };
}

/** A deleted monitor leaves its deliveries for a while. */
const ofPresentMonitor = sql`EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = ${deliveries.monitorPk})`;
