import {
  type AlertOutcome,
  type ChannelOutcome,
  type StoredDeliveryStatus,
  shownStatus,
  summarizeOutcome,
} from "../../domain/alerts/delivery.ts";
import type { Hold } from "../../domain/alerts/hold.ts";
import { CHANNEL_DELETED } from "../alerts/delivery-cancellation.ts";
import { deliveryStatusCodes, wordOf, wordsOf } from "../status-codes.ts";
import { fromJson, type Sql } from "../tx.ts";

const LIST = `SELECT result_pk AS "resultPk", channel_id AS "channelId", channel_type AS type, deliveries.status, attempts,
    error, hold, delivered_at AS "deliveredAt", alert_channels.pk AS "existingChannel"
  FROM deliveries LEFT JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE result_pk = ANY($1) ORDER BY deliveries.pk`;

/** A delivery. @property status its code @property existingChannel null if its channel was deleted */
type DeliveryRow = Omit<ChannelOutcome, "status" | "mutedBy"> & {
  resultPk: number;
  existingChannel: number | null;
  status: number;
  hold: Hold | string | null;
};

const statuses = wordsOf<StoredDeliveryStatus>(deliveryStatusCodes);

/** The outcome of the alerts of some results, by the number of the result. */
export async function listOutcomes({ query }: Sql, resultPks: number[]): Promise<Map<number, AlertOutcome>> {
  if (resultPks.length === 0) return new Map();
  const rows = await query<DeliveryRow>(LIST, [resultPks]);
  const byResult = Map.groupBy(
    rows.filter(({ status }) => status !== deliveryStatusCodes.hidden),
    ({ resultPk }) => resultPk,
  );
  return new Map([...byResult].map(([pk, group]) => [pk, summarizeOutcome(group.map(toOutcome))]));
}

/** A delivery that is pending, held or muted for a deleted channel counts as failed, also before it is marked (behavior 14.28). */
function toOutcome({
  resultPk: _,
  existingChannel,
  hold,
  status: code,
  ...row
}: DeliveryRow): ChannelOutcome {
  const status = shownStatus(wordOf(statuses, code));
  if (existingChannel === null && (status === "pending" || status === "muted"))
    return { ...row, status: "failed", error: CHANNEL_DELETED };
  const why = hold && fromJson<Hold>(hold);
  return { ...row, status, ...(why && "by" in why && why.by && { mutedBy: why.by }) };
}
