import { and, gte, inArray, isNull, or } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/**
 * The windows in which some outages may have begun: those of their maintenances that are open, or ended after the first of the
 * outages began.
 */
export async function listWindowsOf(
  { db, tables: { maintenanceRuns } }: Tx,
  outages: readonly { maintenanceId: string | null; startedAt: number }[],
) {
  const ids = [...new Set(outages.flatMap((outage) => outage.maintenanceId ?? []))];
  if (ids.length === 0) return [];
  const { maintenanceId, startsAt, endsAt } = maintenanceRuns;
  const first = outages.reduce(
    (earliest, { startedAt }) => Math.min(earliest, startedAt),
    Number.MAX_SAFE_INTEGER,
  );
  return db
    .select({ maintenanceId, startsAt, endsAt })
    .from(maintenanceRuns)
    .where(and(inArray(maintenanceId, ids), or(isNull(endsAt), gte(endsAt, first))));
}
