import { syncWal } from "../durability.ts";
import { type Database, oncePerEngine, prepared } from "../open.ts";

const NEWEST = "SELECT max(pk) AS pk FROM deliveries";

/** The newest delivery that this process knows to be on the disk. Numbers are never reused. */
const synced = oncePerEngine(() => ({ pk: 0 }));

export async function syncResults(db: Database): Promise<void> {
  const newest = prepared<{ pk: number | null }, []>(db, NEWEST).get()?.pk ?? 0;
  await syncWal(db);
  const newestSynced = synced(db);
  newestSynced.pk = Math.max(newestSynced.pk, newest);
}

export function isSynced(db: Database, pk: number): boolean {
  return pk <= synced(db).pk;
}

/** Deliveries up to this number may be on the disk. Before the first sync of this process nothing is known, and `isSynced` decides. */
export function syncedUpTo(db: Database): number {
  return synced(db).pk || Number.MAX_SAFE_INTEGER;
}
