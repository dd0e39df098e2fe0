import { gt } from "drizzle-orm";
import type { Tx } from "../../tx.ts";

/** Lets the review look at all undecided deliveries now, because the clock was set back. @param now milliseconds since 1970 */
export async function recallReviews({ db, tables: { deliveries } }: Tx, now: number): Promise<void> {
  await db.update(deliveries).set({ reviewAt: now }).where(gt(deliveries.reviewAt, now));
}
