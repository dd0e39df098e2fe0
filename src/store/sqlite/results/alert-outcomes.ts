import { eq } from "drizzle-orm";
import { type AlertOutcome, type ChannelOutcome, summarizeOutcome } from "../../../domain/alerts/delivery.ts";
import { CHANNEL_DELETED } from "../../alerting/delivery-cancellation.ts";
import { inList } from "../in-list.ts";
import type { Database } from "../open.ts";
import { alertChannels, deliveries } from "../schema.ts";

/** The outcome of the alerts of some results, by the number of the result. */
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

/** A pending delivery of a deleted channel has failed, even before it is marked so. */
function toOutcome({
  resultPk: _,
  presentChannel,
  ...outcome
}: ChannelOutcome & { resultPk: number; presentChannel: number | null }): ChannelOutcome {
  if (presentChannel !== null || outcome.status !== "pending") return outcome;
  return { ...outcome, status: "failed", error: CHANNEL_DELETED };
}
