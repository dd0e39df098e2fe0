import { isTransition } from "../../../domain/alerts/alert-event.ts";
import { nextAttemptAt } from "../../../domain/alerts/delivery.ts";
import type { EndedAttempt, PendingDelivery } from "../../alerting/pending-delivery.ts";
import { deliveryStatusCodes, statusCodes } from "../../status-codes.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database } from "../open.ts";

/* Literal SQL, because it runs for each attempt. */
const NOTE_ATTEMPT = `UPDATE deliveries
  SET attempts = ?1, first_attempt_at = coalesce(first_attempt_at, ?2), last_attempt_at = ?2, answer = ?3
  WHERE pk = ?4`;
const DELIVERED = `UPDATE deliveries
  SET status = 1, next_attempt_at = NULL, error = NULL, delivered_at = ? WHERE pk = ?`;
const NOTIFIED = "UPDATE alert_bindings SET notified_status = ? WHERE monitor_pk = ? AND channel_pk = ?";
/** Only if the delivery was not cancelled meanwhile. The deliveries of a deleted channel are marked in the background. */
const FAILED = `UPDATE deliveries SET status = ?, next_attempt_at = ?, error = ?
  WHERE pk = ? AND status = 0 AND EXISTS (SELECT 1 FROM alert_channels WHERE alert_channels.pk = channel_pk)`;

export function recordAttempts(db: Database, ended: EndedAttempt[]): boolean[] {
  return commitWithoutSync(db, () => ended.map((one) => recordAttempt(db, one)));
}

function recordAttempt(db: Database, { delivery, attempt, startedAt, endedAt }: EndedAttempt): boolean {
  const { pk, channel, monitorPk, event } = delivery;
  if (attempt.outcome === "failed" && isChanged(db, channel)) return true;
  const attempts = delivery.attempts + 1;
  const run = (sql: string, ...values: (string | number | null)[]) => db.$client.query(sql).run(...values);
  run(NOTE_ATTEMPT, attempts, startedAt, attempt.answer ?? null, pk);
  if (attempt.outcome === "delivered") {
    run(DELIVERED, endedAt, pk);
    if (isTransition(event)) run(NOTIFIED, statusCodes[event.status], monitorPk, channel.pk);
    return false;
  }
  const next = nextAttemptAt(attempt, attempts, endedAt);
  run(
    FAILED,
    next === null ? deliveryStatusCodes.failed : deliveryStatusCodes.pending,
    next,
    attempt.error,
    pk,
  );
  return next !== null;
}

function isChanged(db: Database, { pk, revision }: PendingDelivery["channel"]): boolean {
  const row = db.$client
    .query<{ revision: number }, [number]>("SELECT revision FROM alert_channels WHERE pk = ?")
    .get(pk);
  return row !== null && row.revision !== revision;
}
