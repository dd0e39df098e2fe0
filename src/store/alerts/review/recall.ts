import { gt, sql } from "drizzle-orm";
import type { Tx } from "../../tx.ts";

/**
 * Lets the review look at all undecided deliveries now, because the clock was set back. A reminder is due after its `every` at the
 * latest (behavior 14.22).
 *
 * @param now milliseconds since 1970
 */
export async function recallReviews({ db, tables }: Tx, now: number): Promise<void> {
  const { alertBindings, deliveries } = tables;
  await db.update(deliveries).set({ reviewAt: now }).where(gt(deliveries.reviewAt, now));
  const { every, keptEvery, remindAt } = alertBindings;
  const longest = sql`CASE WHEN ${keptEvery} > ${every} THEN ${keptEvery} ELSE ${every} END`;
  const latest = sql`CAST(${now} AS bigint) + 1000 * (${longest})`;
  await db.update(alertBindings).set({ remindAt: latest }).where(gt(remindAt, latest));
}
