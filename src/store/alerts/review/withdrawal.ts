import { and, eq, isNotNull, max, type SQL, sql } from "drizzle-orm";
import type { Hold, WithdrawnWhy } from "../../../domain/alerts/hold.ts";
import type { Tx } from "../../tx.ts";

/**
 * Withdraws the undecided deliveries of monitors that are paused (behavior 14.27), and ends their reminders. To be called
 * after the states of the monitors are written.
 */
export async function withdrawPaused(
  { db, sets, tables: { alertBindings, deliveries } }: Tx,
  monitorPks: readonly number[],
): Promise<void> {
  if (monitorPks.length === 0) return;
  const hold = { kind: "withdrawn", why: "paused" } as const;
  await db
    .update(deliveries)
    .set({ status: "withdrawn", hold, reviewAt: null, nextAttemptAt: null })
    .where(and(sets.among(deliveries.monitorPk, monitorPks), isNotNull(deliveries.reviewAt)));
  await db
    .update(alertBindings)
    .set({ remindAt: null })
    .where(and(sets.among(alertBindings.monitorPk, monitorPks), isNotNull(alertBindings.remindAt)));
}

/**
 * Schedules a review of the deliveries that a pause withdrew, or the acknowledgement of the outage that the pause ended: of each
 * channel the newest delivery (behavior 14.27). Reminders start again. To be called after the monitors are enabled.
 *
 * @param now milliseconds since 1970
 */
export async function revivePaused(tx: Tx, monitorPks: readonly number[], now: number): Promise<void> {
  if (monitorPks.length === 0) return;
  const { deliveries } = tx.tables;
  const pks = await listNewest(tx, tx.sets.among(deliveries.monitorPk, monitorPks), [
    "paused",
    "acknowledged",
  ]);
  await revive(tx, pks, { hold: { kind: "resumed" }, now });
  await startReminders(tx, { monitorPks, outagePk: null }, now);
}

/**
 * Schedules a review of the deliveries that the acknowledgement of an outage withdrew, after it was taken back: of each channel
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
  const pks = await listNewest(tx, ofOutage, ["acknowledged"]);
  await revive(tx, pks, { hold: { kind: "delay" }, now });
  await startReminders(tx, { monitorPks: [monitorPk], outagePk }, now);
}

/** The newest of some deliveries about each monitor to each channel, if it was withdrawn for one of some reasons. */
async function listNewest(
  { db, sets, tables: { deliveries } }: Tx,
  some: SQL | undefined,
  why: readonly WithdrawnWhy[],
): Promise<number[]> {
  const { pk, channelPk, hold, status } = deliveries;
  const rows = await db
    .select({ newest: max(pk) })
    .from(deliveries)
    .where(some)
    .groupBy(deliveries.monitorPk, channelPk);
  const newest = rows.flatMap((row) => row.newest ?? []);
  if (newest.length === 0) return [];
  const withdrawn = await db
    .select({ pk, hold })
    .from(deliveries)
    .where(and(sets.among(pk, newest), eq(status, "withdrawn")));
  return withdrawn
    .filter((row) => row.hold?.kind === "withdrawn" && why.includes(row.hold.why))
    .map((row) => row.pk);
}

async function revive(
  { db, sets, tables: { deliveries } }: Tx,
  pks: number[],
  { hold, now }: { hold: Hold; now: number },
): Promise<void> {
  if (pks.length === 0) return;
  await db
    .update(deliveries)
    .set({ status: "held", hold, reviewAt: now })
    .where(sets.among(deliveries.pk, pks));
}

/** The next reminder of each channel is due after its `every`, if the trouble lasts until then. */
async function startReminders(
  { db, sets, tables: { alertBindings } }: Tx,
  { monitorPks, outagePk }: { monitorPks: readonly number[]; outagePk: number | null },
  now: number,
): Promise<void> {
  const { keptForOutage, keptEvery, every } = alertBindings;
  const effective = sql`CASE WHEN ${keptForOutage} = ${outagePk} THEN ${keptEvery} ELSE ${every} END`;
  await db
    .update(alertBindings)
    .set({ remindAt: sql`CAST(${now} AS bigint) + 1000 * ${effective}` })
    .where(and(sets.among(alertBindings.monitorPk, monitorPks), sql`${effective} > 0`));
}
