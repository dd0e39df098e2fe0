import { eq } from "drizzle-orm";
import type { Transition } from "../../../domain/alerts/delivery.ts";
import { groupOf, statusesOf } from "../../../domain/monitors/status.ts";
import type { Database } from "../open.ts";
import { newestOf, seriesOf } from "../results/series.ts";
import { unpackTimings } from "../results/timings.ts";
import { checkResults, type monitors } from "../schema.ts";

/**
 * What a transition tells of the time before it.
 *
 * @param monitor as it was before
 * @param troubleSince as it is now
 */
export function transitionContext(
  db: Database,
  monitor: Pick<typeof monitors.$inferSelect, "pk" | "type" | "statusSince" | "troubleSince">,
  { resultPk, troubleSince }: { resultPk: number; troubleSince: number | null },
): Pick<Transition, "since" | "troubleSince" | "lastGoodLatencyMs"> {
  const trouble = troubleSince ?? monitor.troubleSince;
  const latencyMs = lastGoodLatencyMs(db, monitor, resultPk);
  return {
    ...(monitor.statusSince !== null && { since: monitor.statusSince }),
    ...(trouble !== null && { troubleSince: trouble }),
    ...(latencyMs !== null && { lastGoodLatencyMs: latencyMs }),
  };
}

function lastGoodLatencyMs(
  db: Database,
  { pk, type }: Pick<typeof monitors.$inferSelect, "pk" | "type">,
  resultPk: number,
): number | null {
  const healthy = statusesOf[type].filter((status) => groupOf(status) === "healthy");
  const series = healthy.map((status) => seriesOf(pk, type, status));
  const [last] = newestOf(db, series, { before: resultPk, limit: 1 });
  if (last === undefined) return null;
  const { timings } = checkResults;
  const row = db.select({ timings }).from(checkResults).where(eq(checkResults.pk, last)).get();
  return unpackTimings(row?.timings ?? null).latencyMs;
}
