import { and, eq, gt, inArray, isNotNull, type SQL } from "drizzle-orm";
import type { Sql, Tx } from "../../tx.ts";

/*
 * Undecided deliveries are reviewed again if what they wait for may have changed. The next run of the
 * review finds them: a request that needs the effect at once awaits `alertReview.run()` after its transaction.
 *
 * All times are milliseconds since 1970. On PostgreSQL, the caller has locked the states of the monitors that it changes.
 */

/** Schedules the reviews of some monitors, for example after one was acknowledged. */
export async function scheduleReviews(tx: Tx, monitorPks: readonly number[], now: number): Promise<void> {
  if (monitorPks.length === 0) return;
  await schedule(tx, tx.sets.among(tx.tables.deliveries.monitorPk, monitorPks), now);
}

/**
 * Schedules the reviews of all monitors that depend on some monitors, directly or not, because one of these is not down any more. To be
 * called before a monitor is deleted, because its dependencies are deleted with it.
 */
export async function scheduleReviewsOfDependents(
  tx: Tx,
  monitorPks: readonly number[],
  now: number,
): Promise<void> {
  await scheduleReviews(tx, await findDependents(tx, monitorPks), now);
}

/** Schedules the reviews of an organization, for example after the end of a maintenance. */
export async function scheduleReviewsOfOrganization(
  tx: Tx,
  organizationPk: number,
  now: number,
): Promise<void> {
  const { deliveries, monitors } = tx.tables;
  const ofOrganization = tx.db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(eq(monitors.organizationPk, organizationPk));
  await schedule(tx, inArray(deliveries.monitorPk, ofOrganization), now);
}

async function schedule({ db, tables: { deliveries } }: Tx, some: SQL, now: number): Promise<void> {
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

const LONGEST = "CASE WHEN kept_every > every THEN kept_every ELSE every END";
const RECALL_REMINDERS = `UPDATE alert_bindings SET remind_at = CAST($1 AS bigint) + 1000 * (${LONGEST})
  WHERE remind_at > CAST($1 AS bigint) + 1000 * (${LONGEST})`;

/**
 * Schedules a review of all undecided deliveries, because the clock was set back. A reminder is due after its `every` at the
 * latest (behavior 14.22).
 *
 * @param now milliseconds since 1970
 */
export async function recallReviews({ query }: Sql, now: number): Promise<void> {
  await query(RECALL_REVIEWS, [now]);
  await query(RECALL_REMINDERS, [now]);
}
