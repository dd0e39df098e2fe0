import { openEngine } from "../../../src/store/sqlite/engine.ts";
import { createStore, type Store } from "../../../src/store/store.ts";

/** Opens a database without an await, because virtual time runs outside of microtasks. */
export function openDatabase(dataDir: string): Store {
  return createStore(openEngine(dataDir));
}
