import type { Store } from "../../../src/store/store.ts";

/** Why a storage rejects writes. */
export type WriteFault = "read-only" | "full";

/** A store with its data. `Symbol.asyncDispose` closes it and deletes the data. */
export interface TestStore extends AsyncDisposable {
  /** The current one: `reopen` replaces it. */
  readonly store: Store;
  /** Closes the store and opens the same data again, as a restart does. */
  reopen(): Promise<void>;
  /** Opens the same data a second time, as another process does. Whoever opens it closes it. */
  openAnother(): Promise<Store>;
  /** Opens a backup of this store as a store of its own. @throws Error if the engine has no backups */
  openBackup(file: string): Promise<TestStore>;
  /** A path in the temporary directory of this store. */
  path(name: string): string;
  /** Lets writes fail. @returns ends the fault */
  breakWrites(fault: WriteFault): Promise<() => Promise<void>>;
  /** Reopens the store with damaged monitors. */
  damageMonitors(): Promise<void>;
}
