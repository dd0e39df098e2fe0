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
      existingChannel: alertChannels.pk,
    })
    .from(deliveries)
    .leftJoin(alertChannels, eq(alertChannels.pk, deliveries.channelPk))
    .where(inList(deliveries.resultPk, resultPks))
    .orderBy(deliveries.pk)
    .all();
  const byResult = Map.groupBy(rows, ({ resultPk }) => resultPk);
  return new Map([...byResult].map(([pk, group]) => [pk, summarizeOutcome(group.map(toOutcome))]));
}

/** A pending delivery to a deleted channel counts as failed, also before it is marked as failed. */
function toOutcome({
  resultPk: _,
  existingChannel,
  ...outcome
}: ChannelOutcome & { resultPk: number; existingChannel: number | null }): ChannelOutcome {
  if (existingChannel !== null || outcome.status !== "pending") return outcome;
  return { ...outcome, status: "failed", error: CHANNEL_DELETED };
}
