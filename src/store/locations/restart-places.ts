import { and, eq, notInArray } from "drizzle-orm";
import { HERE } from "../../domain/locations/location.ts";
import type { Tx } from "../tx.ts";

/** What the latest check from a location saw, and the check that was asked of it: none. */
export const NO_LATEST = { latestAt: null, latestStatus: null, latest: null, recheckAt: null } as const;

/**
 * Forgets what the locations of a monitor saw, because its config or its locations changed, and all of those that check it no
 * more.
 *
 * @property before the numbers of its locations; null if only this server checks it
 */
export async function restartPlaces(
  { db, tables: { locationStates } }: Tx,
  { pk, before, after }: { pk: number; before: number[] | null; after: number[] | null },
): Promise<void> {
  if (before === null) return;
  const ofMonitor = eq(locationStates.monitorPk, pk);
  await db.update(locationStates).set(NO_LATEST).where(ofMonitor);
  const kept = [HERE, ...(after ?? [])];
  await db.delete(locationStates).where(and(ofMonitor, notInArray(locationStates.location, kept)));
}
