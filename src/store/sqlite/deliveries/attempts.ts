import { type DeliveryAttempt, nextAttemptAt } from "../../../domain/alerts/delivery.ts";
import { deliveryStatusCodes } from "../columns.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database } from "../open.ts";
import type { PendingDelivery } from "./due-deliveries.ts";

/** An attempt that was made. Times are milliseconds since 1970. */
export interface MadeAttempt {
  delivery: Pick<PendingDelivery, "pk" | "attempts" | "monitorPk" | "channel"> & {
    transition: Pick<PendingDelivery["transition"], "status">;
  };
  attempt: DeliveryAttempt;
  startedAt: number;
  endedAt: number;
}

/* By hand, for they run for each attempt of a flood. */
const NOTE_ATTEMPT = `UPDATE deliveries
  SET attempts = ?1, first_attempt_at = coalesce(first_attempt_at, ?2), last_attempt_at = ?2, answer = ?3
  WHERE pk = ?4`;
const DELIVERED = `UPDATE deliveries
  SET status = 1, next_attempt_at = NULL, error = NULL, delivered_at = ? WHERE pk = ?`;
const TOLD = "UPDATE alert_bindings SET told_status = ? WHERE monitor_pk = ? AND channel_pk = ?";
/** Not of one that was withdrawn meanwhile. */
const FAILED = "UPDATE deliveries SET status = ?, next_attempt_at = ?, error = ? WHERE pk = ? AND status = 0";

/**
 * Writes what some attempts came to, in one transaction, and with it when the next ones are due, if any. It does not
 * wait for the disk: what a power cut takes back is delivered a second time, in the same order.
 *
 * A delivery that was withdrawn meanwhile stays so, unless it arrived all the same. A failure at a config that the
 * channel no longer has does not count.
 *
 * @returns for each whether another attempt is to follow
 */
export function recordAttempts(db: Database, made: MadeAttempt[]): boolean[] {
  return commitWithoutSync(db, () => made.map((one) => recordAttempt(db, one)));
}

function recordAttempt(db: Database, { delivery, attempt, startedAt, endedAt }: MadeAttempt): boolean {
  const { pk, channel, monitorPk, transition } = delivery;
  if (attempt.outcome === "failed" && isChanged(db, channel)) return true;
  const attempts = delivery.attempts + 1;
  const run = (sql: string, ...values: (string | number | null)[]) => db.$client.query(sql).run(...values);
  run(NOTE_ATTEMPT, attempts, startedAt, attempt.answer ?? null, pk);
  if (attempt.outcome === "delivered") {
    run(DELIVERED, endedAt, pk);
    run(TOLD, transition.status, monitorPk, channel.pk);
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
