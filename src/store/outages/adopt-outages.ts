import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/**
 * Gives outages their organization that a node of the previous version has recorded during an upgrade. To be called when a node
 * starts: one that replaces the last such node finds all of them.
 */
export async function adoptOutages({ db, tables: { monitors, outages } }: Tx): Promise<void> {
  const ofMonitor = sql`(SELECT organization_pk FROM monitors WHERE monitors.pk = ${outages.monitorPk})`;
  const isKnown = inArray(outages.monitorPk, db.select({ pk: monitors.pk }).from(monitors));
  await db
    .update(outages)
    .set({ organizationPk: ofMonitor })
    .where(and(eq(outages.organizationPk, 0), isKnown));
}
