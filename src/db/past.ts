import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { Transition } from "../domain/delivery.ts";
import { groupOf, statusesOf } from "../domain/status.ts";
import { withLatencyMs } from "./latency.ts";
import type { Queries } from "./open.ts";
import { checkResults, type monitors } from "./schema.ts";

/**
 * What a transition tells of the time before it.
 *
 * @param monitor as it was before
 * @param troubleSince as it is now
 */
export function pastOf(
  tx: Queries,
  monitor: Pick<typeof monitors.$inferSelect, "pk" | "type" | "statusSince" | "troubleSince">,
  { resultPk, troubleSince }: { resultPk: number; troubleSince: number | null },
): Pick<Transition, "since" | "troubleSince" | "lastGoodLatencyMs"> {
  const trouble = troubleSince ?? monitor.troubleSince;
  const latencyMs = lastGoodLatencyMs(tx, monitor, resultPk);
  return {
    ...(monitor.statusSince !== null && { since: monitor.statusSince }),
    ...(trouble !== null && { troubleSince: trouble }),
    ...(latencyMs !== null && { lastGoodLatencyMs: latencyMs }),
  };
}

/** One look into the index: it holds the results of a monitor with one status in order. */
function lastGoodLatencyMs(
  tx: Queries,
  { pk, type }: Pick<typeof monitors.$inferSelect, "pk" | "type">,
  resultPk: number,
): number | null {
  const healthy = statusesOf[type].filter((status) => groupOf(status) === "healthy");
  const last = tx
    .select({ latency: checkResults.latency })
    .from(checkResults)
    .where(
      and(
        eq(checkResults.monitorPk, pk),
        inArray(checkResults.status, healthy),
        lt(checkResults.pk, resultPk),
      ),
    )
    .orderBy(desc(checkResults.pk))
    .limit(1)
    .get();
  return last ? withLatencyMs(last).latencyMs : null;
}
