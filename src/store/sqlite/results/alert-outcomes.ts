import { eq, sql } from "drizzle-orm";
import type { AlertOutcome } from "../../../domain/alerts/delivery.ts";
import { summarizeOutcomes } from "../../results/alert-outcomes.ts";
import { inList } from "../in-list.ts";
import type { Database } from "../open.ts";
import { alertChannels, deliveries } from "../schema.ts";

/** The outcome of the alerts of some results, by the number of the result. */
export function listOutcomes(db: Database, resultPks: number[]): Map<number, AlertOutcome> {
  const rows = db
    .select({
      resultPk: sql<number>`${deliveries.resultPk}`,
      channelId: deliveries.channelId,
      type: deliveries.channelType,
      status: deliveries.status,
      attempts: deliveries.attempts,
      error: deliveries.error,
      deliveredAt: deliveries.deliveredAt,
      hold: deliveries.hold,
      existingChannel: alertChannels.pk,
    })
    .from(deliveries)
    .leftJoin(alertChannels, eq(alertChannels.pk, deliveries.channelPk))
    .where(inList(deliveries.resultPk, resultPks))
    .orderBy(deliveries.pk)
    .all();
  return summarizeOutcomes(rows);
}
