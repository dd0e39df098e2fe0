import { and, eq, inArray, isNotNull, max, type SQL, sql } from "drizzle-orm";
import type { Hold, WithdrawnWhy } from "../../../domain/alerts/hold.ts";
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
 * Lets the review decide again about what a pause withdrew: of each channel the newest delivery (behavior 14.27). Reminders
 * start again. To be called after the monitor is enabled.
 *
 * @param now milliseconds since 1970
 */
export async function revivePaused(tx: Tx, monitorPk: number, now: number): Promise<void> {
  const { deliveries } = tx.tables;
  const pks = await listNewest(tx, eq(deliveries.monitorPk, monitorPk), "paused");
  await revive(tx, pks, { hold: { kind: "resumed" }, now });
  await startReminders(tx, { monitorPk, outagePk: null }, now);
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
  const { deliveries } = tx.tables;
  const ofOutage = and(eq(deliveries.outagePk, outagePk), eq(deliveries.monitorPk, monitorPk));
  const pks = await listNewest(tx, ofOutage, "acknowledged");
  await revive(tx, pks, { hold: { kind: "delay" }, now });
  await startReminders(tx, { monitorPk, outagePk }, now);
}

/** Of some deliveries the newest one to each channel, if it was withdrawn for a reason. */
async function listNewest(
  { db, tables: { deliveries } }: Tx,
  some: SQL | undefined,
  why: WithdrawnWhy,
): Promise<number[]> {
  const { pk, channelPk, hold, status } = deliveries;
  const rows = await db
    .select({ newest: max(pk) })
    .from(deliveries)
    .where(some)
    .groupBy(channelPk);
  const newest = rows.flatMap((row) => row.newest ?? []);
  if (newest.length === 0) return [];
  const withdrawn = await db
    .select({ pk, hold })
    .from(deliveries)
    .where(and(inArray(pk, newest), eq(status, "withdrawn")));
  return withdrawn
    .filter((row) => row.hold?.kind === "withdrawn" && row.hold.why === why)
    .map((row) => row.pk);
}

async function revive(
  { db, tables: { deliveries } }: Tx,
  pks: number[],
  { hold, now }: { hold: Hold; now: number },
): Promise<void> {
  if (pks.length === 0) return;
  await db.update(deliveries).set({ status: "held", hold, reviewAt: now }).where(inArray(deliveries.pk, pks));
}

/** The next reminder of each channel is due after its `every`, if the trouble lasts until then. */
async function startReminders(
  { db, tables: { alertBindings } }: Tx,
  { monitorPk, outagePk }: { monitorPk: number; outagePk: number | null },
  now: number,
): Promise<void> {
  const { keptForOutage, keptEvery, every } = alertBindings;
  const effective = sql`CASE WHEN ${keptForOutage} = ${outagePk} THEN ${keptEvery} ELSE ${every} END`;
  await db
    .update(alertBindings)
    .set({ remindAt: sql`CAST(${now} AS bigint) + 1000 * ${effective}` })
    .where(and(eq(alertBindings.monitorPk, monitorPk), sql`${effective} > 0`));
}
