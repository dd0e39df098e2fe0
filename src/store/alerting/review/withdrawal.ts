import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "../../tx.ts";

/** The most monitors in one statement. */
const MONITORS_AT_ONCE = 500;

/**
 * Withdraws the undecided deliveries of monitors that are paused (behavior 14.27), and ends their reminders. To be called
 * after the states of the monitors are written.
 */
export async function withdrawPaused(
  { db, tables: { alertBindings, deliveries } }: Tx,
  monitorPks: readonly number[],
): Promise<void> {
  const hold = { kind: "withdrawn", why: "paused" } as const;
  for (let at = 0; at < monitorPks.length; at += MONITORS_AT_ONCE) {
    const some = monitorPks.slice(at, at + MONITORS_AT_ONCE);
    await db
      .update(deliveries)
      .set({ status: "withdrawn", hold, reviewAt: null, nextAttemptAt: null })
      .where(and(inArray(deliveries.monitorPk, some), isNotNull(deliveries.reviewAt)));
    await db
      .update(alertBindings)
      .set({ remindAt: null })
      .where(and(inArray(alertBindings.monitorPk, some), isNotNull(alertBindings.remindAt)));
  }
}

/**
 * Lets the review decide again about what the acknowledgement of an outage withdrew, after it was taken back: of each channel
 * the newest delivery about the outage (behavior 14.26). Reminders start again. To be called after the acknowledgement is
 * cleared.
 *
 * @param now milliseconds since 1970
 */
export async function reviveAcknowledged(
  tx: Tx,
  { outagePk, monitorPk }: { outagePk: number; monitorPk: number },
  now: number,
): Promise<void> {
  const { deliveries, alertBindings } = tx.tables;
  const rows = await tx.db
    .select({ pk: deliveries.pk, channelPk: deliveries.channelPk, hold: deliveries.hold })
    .from(deliveries)
    .where(and(eq(deliveries.outagePk, outagePk), eq(deliveries.monitorPk, monitorPk)))
    .orderBy(desc(deliveries.pk));
  const newest = [...Map.groupBy(rows, ({ channelPk }) => channelPk).values()].flatMap(([row]) => row ?? []);
  const pks = newest
    .filter(({ hold }) => hold?.kind === "withdrawn" && hold.why === "acknowledged")
    .map(({ pk }) => pk);
  if (pks.length > 0)
    await tx.db
      .update(deliveries)
      .set({ status: "held", hold: { kind: "delay" }, reviewAt: now })
      .where(inArray(deliveries.pk, pks));
  const { keptForOutage, keptEvery, every, monitorPk: ofMonitor } = alertBindings;
  const effective = sql`CASE WHEN ${keptForOutage} = ${outagePk} THEN ${keptEvery} ELSE ${every} END`;
  await tx.db
    .update(alertBindings)
    .set({ remindAt: sql`${now} + 1000 * ${effective}` })
    .where(and(eq(ofMonitor, monitorPk), sql`${effective} > 0`));
}
