import { and, desc, eq, lt } from "drizzle-orm";
import type { CheckResult } from "../domain/result.ts";
import { AppError, notFound } from "../errors.ts";
import { listOutcomes } from "./deliveries.ts";
import { parseResultId, resultId } from "./ids.ts";
import { withLatencyMs } from "./latency.ts";
import type { Database } from "./open.ts";
import { organizationPk } from "./organizations.ts";
import { checkResults, monitors } from "./schema.ts";

export interface Page<Item> {
  items: Item[];
  /** The ID of the last item, or null when nothing comes after it. */
  cursor: string | null;
}

/**
 * One page of a monitor's results, most recent first.
 *
 * @param cursor the ID of the result before the page; that result may have been deleted since
 * @throws AppError `not_found` for the monitor, `invalid` for a cursor that is no result ID
 */
export async function listResults(
  db: Database,
  organizationId: string,
  { monitorId, limit, cursor }: { monitorId: string; limit: number; cursor: string | undefined },
): Promise<Page<CheckResult>> {
  const before = cursor === undefined ? undefined : lt(checkResults.pk, position(cursor));
  const monitor = db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(and(eq(monitors.id, monitorId), eq(monitors.organizationPk, organizationPk(db, organizationId))))
    .get();
  if (!monitor) throw notFound();
  const rows = db
    .select()
    .from(checkResults)
    .where(and(eq(checkResults.monitorPk, monitor.pk), before))
    .orderBy(desc(checkResults.pk))
    .limit(limit + 1)
    .all();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const outcomes = listOutcomes(
    db,
    page.map(({ pk }) => pk),
  );
  const items = page.map(({ pk, monitorPk: _, ...row }) => ({
    ...withLatencyMs(row),
    id: resultId(pk),
    monitorId,
    alertOutcome: outcomes.get(pk) ?? null,
  }));
  return { items, cursor: last ? resultId(last.pk) : null };
}

function position(cursor: string): number {
  const pk = parseResultId(cursor);
  if (pk === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return pk;
}
