import { and, eq, type SQL, sql } from "drizzle-orm";
import { deliveryStatusCodes } from "../sqlite/columns.ts";
import type { Queries } from "../sqlite/open.ts";
import { deliveries } from "../sqlite/schema.ts";

/*
 * What happens to the deliveries that wait when something changes under them:
 *
 * - the channel is deleted, disabled or unbound from the monitor: nobody wants them any more, so they end as failed
 *   with an error that says why. They stay on the results;
 * - the monitor is deleted: they go with its results, and nothing more is sent;
 * - the monitor is paused: they are still sent. What they tell happened while it was watched, and a pause only keeps
 *   new things from being told.
 *
 * An attempt that is under way at that moment ends as it ends: one that arrives is recorded as delivered.
 */

/** With the number of the status itself: SQLite can't use the index of what is pending for a parameter. */
export const isPending = sql`${deliveries.status} = ${sql.raw(String(deliveryStatusCodes.pending))}`;

/** The error of what waits for a channel that is deleted; see `sweepDeletedChannels`. */
export const CHANNEL_DELETED = "the channel was deleted";

/** Ends what waits for a channel, or of one monitor for that channel, as failed. */
export function cancelPending(
  tx: Queries,
  { channelPk, monitorPk }: { channelPk: number; monitorPk?: number },
  error: string,
): void {
  const ofMonitor = monitorPk === undefined ? undefined : eq(deliveries.monitorPk, monitorPk);
  tx.update(deliveries)
    .set({ status: "failed", nextAttemptAt: null, error })
    .where(and(waiting(channelPk), ofMonitor))
    .run();
}

/** Makes what waits for a channel due at once. */
export function retryNow(tx: Queries, channelPk: number, now: number): void {
  tx.update(deliveries).set({ nextAttemptAt: now }).where(waiting(channelPk)).run();
}

function waiting(channelPk: number): SQL | undefined {
  return and(eq(deliveries.channelPk, channelPk), isPending);
}
