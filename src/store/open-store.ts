import { openEngine } from "./sqlite/engine.ts";
import { createStore, type Store } from "./store.ts";

/**
 * Opens the database of a data directory, creates both if they do not exist, and migrates the database to this version.
 *
 * @throws AppError `refused` if the database is damaged, or a newer version or another program created it
 */
export function openStore(dataDir: string): Store {
  return createStore(openEngine(dataDir));
}
