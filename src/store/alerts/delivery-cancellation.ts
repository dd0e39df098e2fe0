import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { deliveryStatusCodes } from "../status-codes.ts";
import type { TimedTx, Tx } from "../tx.ts";

/*
 * The end of pending and of undecided deliveries, if their channel or monitor changes:
 *
 * - the channel is deleted, disabled or unbound from the monitor: they fail, with an error that says why, and stay on
 *   the results;
 * - the monitor is deleted: they are deleted with its results, and only the ends of incidents are sent (`open-incidents.ts`);
 * - the monitor is paused: pending deliveries are still sent, because what they report happened before the pause, and
 *   undecided deliveries are withdrawn (`review/withdrawal.ts`).
 *
 * An attempt in progress is not interrupted: if it succeeds, the delivery is recorded as delivered.
 */

/** A literal, because SQLite can't use the partial index of pending deliveries for a parameter. */
export function isPending({ deliveries }: Pick<Tx["tables"], "deliveries">): SQL {
  return sql`${deliveries.status} = ${sql.raw(String(deliveryStatusCodes.pending))}`;
}

/** The error of pending deliveries of a deleted channel; see `sweepDeletedChannels`. */
export const CHANNEL_DELETED = "the channel was deleted";

/** Marks the pending and undecided deliveries to some channels as failed, or only the deliveries of some monitors. */
export async function cancelPending(
  { db, sets, tables }: Tx,
  { channelPks, monitorPks }: { channelPks: readonly number[]; monitorPks?: readonly number[] },
  error: string,
): Promise<void> {
  const { deliveries } = tables;
  const ofMonitors = monitorPks && sets.among(deliveries.monitorPk, monitorPks);
  const failed = { status: "failed", nextAttemptAt: null, error } as const;
  await db
    .update(deliveries)
    .set(failed)
    .where(and(sets.among(deliveries.channelPk, channelPks), isPending(tables), ofMonitors));
  // The plus keeps the engine from reading all deliveries of the channel: the undecided ones have an index of their own.
  const undecided = and(
    sets.among(sql`+${deliveries.channelPk}`, channelPks),
    isNotNull(deliveries.reviewAt),
    ofMonitors,
  );
  await db.delete(deliveries).where(and(undecided, eq(deliveries.status, "hidden")));
  await db
    .update(deliveries)
    .set({ ...failed, hold: null, reviewAt: null })
    .where(undecided);
}

/** Makes the pending deliveries to some channels due now. */
export async function retryNow(
  { db, sets, tables, now }: TimedTx,
  channelPks: readonly number[],
): Promise<void> {
  const { deliveries } = tables;
  await db
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(and(sets.among(deliveries.channelPk, channelPks), isPending(tables)));
}
