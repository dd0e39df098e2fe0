import type { Sealing, Store } from "../../../src/store/store.ts";

/** Milliseconds since 1970: later than any result. */
const LATER = 1e15;

/** Packs all results, also new ones. @param later milliseconds: PostgreSQL drops the rows of packed results some minutes later */
export async function packAll({ housekeeping }: Store, later = 0): Promise<void> {
  let sealing: Sealing | null = null;
  do sealing = await housekeeping.sealResults(LATER + later, sealing);
  while (sealing);
}

/** Deletes all results of days that are older than a moment. @returns how many pieces deleted something */
export async function pruneAll(store: Store, before: number): Promise<number> {
  await packAll(store);
  let pieces = 0;
  while ((await store.housekeeping.pruneResults(before)) > 0) pieces++;
  return pieces;
}

/** A store that packs each result before others read it. */
export function packing(store: Store): Store {
  const { record, recordObservations } = store.recording;
  return {
    ...store,
    recording: {
      ...store.recording,
      async record(events) {
        const recorded = await record(events);
        await packAll(store);
        return recorded;
      },
      async recordObservations(batch) {
        const recorded = await recordObservations(batch);
        await packAll(store);
        return recorded;
      },
    },
  };
}
