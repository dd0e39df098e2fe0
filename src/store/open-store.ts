import { openEngine } from "./sqlite/engine.ts";
import { createStore, type Store } from "./store.ts";

/**
 * Opens the database of a data directory, creates both if they are missing, and migrates it to this version.
 *
 * @throws AppError `refused` if it is damaged or a newer version created it
 */
export function openStore(dataDir: string): Store {
  return createStore(openEngine(dataDir));
}
