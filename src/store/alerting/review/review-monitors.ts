import type { Reviewed } from "../../engine-queries.ts";
import type { Tx } from "../../tx.ts";
import type { ReviewLocks } from "./alert-reviews.ts";

/** Decides about the notifications of some monitors. @property now milliseconds since 1970 */
export async function reviewMonitors(
  _tx: Tx,
  _locks: ReviewLocks,
  _due: { monitorPks: readonly number[]; now: number },
): Promise<Omit<Reviewed, "isMore">> {
  return { releases: false, asksHere: false };
}
