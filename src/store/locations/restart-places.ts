import { and, eq } from "drizzle-orm";
import { HERE } from "../../domain/locations/location.ts";
import type { Tx } from "../tx.ts";

/** Column values of a location without an observation. */
export const NO_LATEST = { latestAt: null, latestStatus: null, latest: null, recheckAt: null } as const;

/** A monitor whose config or locations changed. @property before the numbers of its locations; null if only this server checks it */
export interface RestartedMonitor {
  pk: number;
  before: number[] | null;
  after: number[] | null;
}

/** Forgets what the locations of some monitors saw, and all of those that check them no more. */
export async function restartPlaces(tx: Tx, restarted: readonly RestartedMonitor[]): Promise<void> {
  const placed = new Map(restarted.flatMap((one) => (one.before === null ? [] : [[one.pk, one] as const])));
  if (placed.size === 0) return;
  const { db, sets } = tx;
  const { locationStates } = tx.tables;
  const ofMonitors = sets.among(locationStates.monitorPk, [...placed.keys()]);
  const { monitorPk, location } = locationStates;
  const rows = await db.select({ monitorPk, location }).from(locationStates).where(ofMonitors);
  await db.update(locationStates).set(NO_LATEST).where(ofMonitors);
  const left = rows.filter((row) => !isKept(row.location, placed.get(row.monitorPk)));
  // There are few locations.
  for (const [from, some] of Map.groupBy(left, (row) => row.location)) {
    const pks = some.map((row) => row.monitorPk);
    await db.delete(locationStates).where(and(eq(location, from), sets.among(monitorPk, pks)));
  }
}

function isKept(location: number, monitor: RestartedMonitor | undefined): boolean {
  return location === HERE || (monitor?.after?.includes(location) ?? false);
}
