import type { StoreSettings } from "../../../src/store/engine.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Backdoor } from "./backdoor.ts";

/** The database of a server in another process. */
export interface ServerData {
  /** Environment variables that name the database. */
  env: Record<string, string>;
  /** Opens the database beside the server. `Symbol.asyncDispose` only closes it. */
  open(): Promise<TestStore>;
  /** Deletes it, if it is not in the directory of the server. */
  delete(): void;
}

/** A store with its data. `Symbol.asyncDispose` closes it and deletes the data. */
export interface TestStore extends AsyncDisposable {
  /** The current one: `reopen` replaces it. */
  readonly store: Store;
  readonly db: Backdoor;
  /** Where the data is, for a server that uses it too. */
  readonly settings: StoreSettings;
  /** Closes the store and opens the same data again, as a restart does. */
  reopen(): Promise<void>;
  /** Opens the same data a second time, as another process does. Whoever opens it closes it. */
  openAnother(): Promise<Store>;
  /** Opens a backup of this store as a store of its own. @throws Error if the engine has no backups */
  openBackup(file: string): Promise<TestStore>;
  /** A path in the temporary directory of this store. */
  path(name: string): string;
  /** Reopens the store with damaged monitors. */
  damageMonitors(): Promise<void>;
}
