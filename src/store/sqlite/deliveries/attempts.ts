import { nextAttemptAt, REPEAT_END_EVERY } from "../../../domain/alerts/delivery.ts";
import {
  attemptedPks,
  type EndedAttempt,
  notifiedMonitors,
  type PendingDelivery,
  unheardRecovery,
} from "../../alerts/pending-delivery.ts";
import { deliveryStatusCodes, statusCodes } from "../../status-codes.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database } from "../open.ts";

/* Literal SQL, because it runs for each attempt. The numbers of the deliveries are a JSON array. */
const NOTE_ATTEMPT = `UPDATE deliveries
  SET attempts = ?1, first_attempt_at = coalesce(first_attempt_at, ?2), last_attempt_at = ?2, answer = ?3
  WHERE pk IN (SELECT value FROM json_each(?4))`;
const DELIVERED = `UPDATE deliveries
  SET status = 1, next_attempt_at = NULL, error = NULL, delivered_at = ?
  WHERE pk IN (SELECT value FROM json_each(?))`;
const NOTIFIED = `UPDATE alert_bindings SET notified_status = ?, incident = ?
  WHERE monitor_pk = ? AND channel_pk = ?`;
/** Only if the delivery was not cancelled meanwhile. The deliveries of a deleted channel are marked in the background. */
const FAILED = `UPDATE deliveries SET status = ?, next_attempt_at = ?, error = ?
  WHERE pk IN (SELECT value FROM json_each(?)) AND status = 0
    AND EXISTS (SELECT 1 FROM alert_channels WHERE alert_channels.pk = channel_pk)`;

/** The next time at which a recovery is sent again that the receiver did not get. */
const REPEAT_LATER = `UPDATE alert_bindings SET remind_at = ?, remind_waits_until = NULL
  WHERE monitor_pk = ? AND channel_pk = ?`;
/** Now that the receiver takes something. Only what is to be sent again has a time while its monitor is healthy. */
const REPEAT_NOW = `UPDATE alert_bindings SET remind_at = ?1
  WHERE remind_at IS NOT NULL AND remind_at > ?1 AND channel_pk = ?2 AND EXISTS (SELECT 1 FROM monitor_states
    WHERE monitor_states.monitor_pk = alert_bindings.monitor_pk AND trouble_since IS NULL)`;

export function recordAttempts(db: Database, ended: EndedAttempt[]): boolean[] {
  return commitWithoutSync(db, () => ended.map((one) => recordAttempt(db, one)));
}

function recordAttempt(db: Database, ended: EndedAttempt): boolean {
  const { delivery, attempt, startedAt, endedAt } = ended;
  const { channel } = delivery;
  if (attempt.outcome === "failed" && isChanged(db, channel)) return true;
  const attempts = delivery.attempts + 1;
  const run = (sql: string, ...values: (string | number | null)[]) => db.$client.query(sql).run(...values);
  const pks = JSON.stringify(attemptedPks(ended));
  run(NOTE_ATTEMPT, attempts, startedAt, attempt.answer ?? null, pks);
  if (attempt.outcome === "delivered") {
    run(DELIVERED, endedAt, pks);
    for (const { monitorPk, status, incident } of notifiedMonitors(ended))
      run(NOTIFIED, statusCodes[status], incident, monitorPk, channel.pk);
    run(REPEAT_NOW, endedAt, channel.pk);
    return false;
  }
  const next = nextAttemptAt(attempt, attempts, endedAt, delivery.event);
  const status = next === null ? deliveryStatusCodes.failed : deliveryStatusCodes.pending;
  run(FAILED, status, next, attempt.error, pks);
  const unheard = next === null ? unheardRecovery(ended) : null;
  if (unheard !== null) run(REPEAT_LATER, endedAt + REPEAT_END_EVERY, unheard, channel.pk);
  return next !== null;
}

function isChanged(db: Database, { pk, revision }: PendingDelivery["channel"]): boolean {
  const row = db.$client
    .query<{ revision: number }, [number]>("SELECT revision FROM alert_channels WHERE pk = ?")
    .get(pk);
  return row !== null && row.revision !== revision;
}
