import type { AlertOutcome, StoredDeliveryStatus } from "../../../domain/alerts/delivery.ts";
import { type DeliveryRow, summarizeOutcomes } from "../../results/alert-outcomes.ts";
import { deliveryStatusCodes, wordOf, wordsOf } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";

const LIST = `SELECT result_pk AS "resultPk", channel_id AS "channelId", channel_type AS type, deliveries.status, attempts, error, hold,
    delivered_at AS "deliveredAt", alert_channels.pk AS "existingChannel"
  FROM deliveries LEFT JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE result_pk = ANY($1) ORDER BY deliveries.pk`;

const statuses = wordsOf<StoredDeliveryStatus>(deliveryStatusCodes);

/** The outcome of the alerts of some results, by the number of the result. */
export async function listOutcomes({ query }: Sql, resultPks: number[]): Promise<Map<number, AlertOutcome>> {
  if (resultPks.length === 0) return new Map();
  const rows = await query<Omit<DeliveryRow, "status"> & { status: number }>(LIST, [resultPks]);
  return summarizeOutcomes(rows.map((row) => ({ ...row, status: wordOf(statuses, row.status) })));
}
