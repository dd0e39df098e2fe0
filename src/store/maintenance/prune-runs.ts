import { and, asc, inArray, isNotNull, lt } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the windows of maintenances that ended before a moment. @returns whether there may be more */
export async function pruneMaintenanceRuns({ db, tables }: Tx, before: number): Promise<boolean> {
  const { pk, endsAt } = tables.maintenanceRuns;
  const old = await db
    .select({ pk })
    .from(tables.maintenanceRuns)
    .where(and(isNotNull(endsAt), lt(endsAt, before)))
    .orderBy(asc(pk))
    .limit(BATCH);
  const pks = old.map((row) => row.pk);
  if (pks.length > 0) await db.delete(tables.maintenanceRuns).where(inArray(pk, pks));
  return pks.length === BATCH;
}
