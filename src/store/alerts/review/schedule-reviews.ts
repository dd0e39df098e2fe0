import { and, eq, gt, inArray, isNotNull, max, type SQL, sql } from "drizzle-orm";
import { type Hold, REPEAT_END_EVERY, type WithdrawnWhy } from "../../../domain/alerts/delivery.ts";
import type { Sql, TimedTx, Tx } from "../../tx.ts";

/*
 * Undecided deliveries are reviewed again if what they wait for may have changed. The next run of the
 * review finds them: a request that needs the effect at once awaits `alertReview.run()` after its transaction.
 *
 * All times are milliseconds since 1970. On PostgreSQL, the caller has locked the states of the monitors that it changes.
 */

/** Schedules the reviews of some monitors, for example after one was acknowledged. */
export async function scheduleReviews(tx: TimedTx, monitorPks: readonly number[]): Promise<void> {
  if (monitorPks.length === 0) return;
  await schedule(tx, tx.sets.among(tx.tables.deliveries.monitorPk, monitorPks));
}

/**
 * Schedules the reviews of all monitors that depend on some monitors, directly or not, because one of these is not down any more. To be
 * called before a monitor is deleted, because its dependencies are deleted with it.
 */
export async function scheduleReviewsOfDependents(tx: TimedTx, monitorPks: readonly number[]): Promise<void> {
  await scheduleReviews(tx, await findDependents(tx, monitorPks));
}

/** Schedules the reviews of an organization, for example after the end of a maintenance. */
export async function scheduleReviewsOfOrganization(tx: TimedTx, organizationPk: number): Promise<void> {
  const { deliveries, monitors } = tx.tables;
  const ofOrganization = tx.db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(eq(monitors.organizationPk, organizationPk));
  await schedule(tx, inArray(deliveries.monitorPk, ofOrganization));
}

async function schedule({ db, tables: { deliveries }, now }: TimedTx, some: SQL): Promise<void> {
  const { reviewAt } = deliveries;
  await db
    .update(deliveries)
    .set({ reviewAt: now })
    .where(and(some, isNotNull(reviewAt), gt(reviewAt, now)));
}

/** The numbers of the monitors that depend on some monitors, directly or not, without these. */
export async function findDependents(tx: Tx, monitorPks: readonly number[]): Promise<number[]> {
  const { monitorPk, dependsOnPk } = tx.tables.monitorDependencies;
  const found = new Set(monitorPks);
  let level = [...found];
  while (level.length > 0) {
    const rows = await tx.db
      .select({ pk: monitorPk })
      .from(tx.tables.monitorDependencies)
      .where(tx.sets.among(dependsOnPk, level));
    level = [...new Set(rows.map(({ pk }) => pk))].filter((pk) => !found.has(pk));
    for (const pk of level) found.add(pk);
  }
  for (const pk of monitorPks) found.delete(pk);
  return [...found];
}

const RECALL_REVIEWS = "UPDATE deliveries SET review_at = $1 WHERE review_at > $1";

/** In milliseconds. Only what is to be sent again has a time while its monitor is healthy, or without `every`. */
const LONGEST = `CASE
    WHEN coalesce(kept_every, 0) = 0 AND every = 0 THEN CAST($2 AS bigint)
    WHEN EXISTS (SELECT 1 FROM monitor_states AS state
      WHERE state.monitor_pk = alert_bindings.monitor_pk AND state.trouble_since IS NULL) THEN CAST($2 AS bigint)
    WHEN kept_every > every THEN 1000 * kept_every
    ELSE 1000 * every
  END`;
const RECALL_REMINDERS = `UPDATE alert_bindings SET remind_at = CAST($1 AS bigint) + ${LONGEST}
  WHERE remind_at > CAST($1 AS bigint) AND remind_at > CAST($1 AS bigint) + ${LONGEST}`;

/**
 * Schedules a review of all undecided deliveries, because the clock was set back. A reminder is due after its `every` at the
 * latest (behavior 14.22), and what is sent again each hour after an hour (behavior 5.41). To be called at the start too, when
 * nothing may become due sooner.
 *
 * @param now milliseconds since 1970
 */
export async function recallReviews({ query }: Sql, now: number): Promise<void> {
  await query(RECALL_REVIEWS, [now]);
  await query(RECALL_REMINDERS, [now, REPEAT_END_EVERY]);
}

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
 * Schedules a review of the deliveries that a pause withdrew, or the acknowledgement of the outage that the pause ended, or hours that
 * drop them: of each channel the newest delivery (behavior 14.27, 23.6). Reminders start again. To be called after the monitors are enabled.
 */
export async function revivePaused(tx: TimedTx, monitorPks: readonly number[]): Promise<void> {
  if (monitorPks.length === 0) return;
  const { deliveries } = tx.tables;
  const withdrawn = ["paused", "acknowledged", "hours"] as const;
  const pks = await listNewest(tx, tx.sets.among(deliveries.monitorPk, monitorPks), withdrawn);
  await revive(tx, pks, { hold: { kind: "resumed" }, now: tx.now });
  await startReminders(tx, { monitorPks, outagePk: null });
}

/**
 * Schedules a review of the deliveries that the acknowledgement of an outage withdrew, after it was taken back: of each channel
 * the newest delivery about the outage (behavior 14.26). Reminders start again. To be called after the acknowledgement is
 * cleared.
 */
export async function reviveAcknowledged(
  tx: TimedTx,
  { outagePk, monitorPk }: { outagePk: number; monitorPk: number },
): Promise<void> {
  const { deliveries } = tx.tables;
  const ofOutage = and(eq(deliveries.outagePk, outagePk), eq(deliveries.monitorPk, monitorPk));
  const pks = await listNewest(tx, ofOutage, ["acknowledged"]);
  await revive(tx, pks, { hold: { kind: "delay" }, now: tx.now });
  await startReminders(tx, { monitorPks: [monitorPk], outagePk });
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
  { db, sets, tables: { alertBindings }, now }: TimedTx,
  { monitorPks, outagePk }: { monitorPks: readonly number[]; outagePk: number | null },
): Promise<void> {
  const { keptForOutage, keptEvery, every } = alertBindings;
  const effective = sql`CASE WHEN ${keptForOutage} = ${outagePk} THEN ${keptEvery} ELSE ${every} END`;
  await db
    .update(alertBindings)
    .set({ remindAt: sql`CAST(${now} AS bigint) + 1000 * ${effective}` })
    .where(and(sets.among(alertBindings.monitorPk, monitorPks), sql`${effective} > 0`));
}
