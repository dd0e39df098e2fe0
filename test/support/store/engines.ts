import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../src/store/sqlite/engine.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { type TempDir, tempDir } from "../temp-dir.ts";
import { fillDisk, forbidWrites } from "./sqlite-faults.ts";

/** Why a storage rejects writes. */
export type WriteFault = "read-only" | "full";

/** A storage engine that the contract suite runs against. */
export interface EngineUnderTest {
  name: string;
  /** Opens a new and empty store. @param calls receives the name of each called method, such as `monitors.create` */
  open(calls: Set<string>): Promise<TestStore>;
}

/** A store with its data. `Symbol.asyncDispose` closes it and deletes the data. */
export interface TestStore extends AsyncDisposable {
  /** The current one: `reopen` replaces it. */
  readonly store: Store;
  /** Closes the store and opens the same data again, as a restart does. */
  reopen(): Promise<void>;
  /** Opens the same data a second time, as another process does. Whoever opens it closes it. */
  openAnother(): Promise<Store>;
  /** Opens a backup of this store as a store of its own. */
  openBackup(file: string): Promise<TestStore>;
  /** A path in the temporary directory of this store. */
  path(name: string): string;
  /** Lets writes fail. @returns ends the fault */
  breakWrites(fault: WriteFault): () => void;
  /** Reopens the store with damaged monitors. */
  damageMonitors(): Promise<void>;
}

export const engines: EngineUnderTest[] = [{ name: "sqlite", open: openSqlite }];

async function openSqlite(calls: Set<string>): Promise<TestStore> {
  return sqliteIn(tempDir(), calls);
}

function sqliteIn(dir: TempDir, calls: Set<string>): TestStore {
  const dataDir = join(dir.path, "data");
  const open = () => {
    const engine = openEngine(dataDir);
    return { engine, store: recordCalls(createStore(engine), calls) };
  };
  let current = open();
  return {
    get store() {
      return current.store;
    },
    async reopen() {
      await current.store.close();
      current = open();
    },
    openAnother: async () => open().store,
    async openBackup(file) {
      const other = tempDir();
      const target = Bun.spawnSync(["install", "-D", "-m", "600", file, join(other.path, "data/stillup.db")]);
      if (!target.success) throw new Error(`the backup was not copied: ${target.stderr}`);
      return sqliteIn(other, calls);
    },
    path: (name) => join(dir.path, name),
    breakWrites: (fault) => (fault === "full" ? fillDisk : forbidWrites)({ db: current.engine.writer }),
    async damageMonitors() {
      const { $client } = current.engine.writer;
      const [root] = $client.query("SELECT rootpage FROM sqlite_schema WHERE name = 'monitors'").values();
      $client.run("PRAGMA wal_checkpoint(TRUNCATE)");
      await this.reopen();
      // The schema is read before the damage, because it may be in any page.
      for (const { $client } of [current.engine.writer, current.engine.reader])
        $client.query("SELECT count(*) FROM sqlite_schema").get();
      overwritePage(join(dataDir, "stillup.db"), Number(root?.[0]));
    },
    async [Symbol.asyncDispose]() {
      await current.store.close();
      dir[Symbol.dispose]();
    },
  };
}

const PAGE_SIZE = 4096;

/** @param page the first one is 1 */
function overwritePage(path: string, page: number): void {
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(PAGE_SIZE).fill(0xff), 0, PAGE_SIZE, (page - 1) * PAGE_SIZE);
  closeSync(file);
}

/** The names of all methods of a store, such as `monitors.create` and `close`. */
export function methodsOf(store: object): string[] {
  return Object.entries(store).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : methodsOf(value).map((method) => `${name}.${method}`),
  );
}

/** A store that adds the name of each method to `calls` when a call succeeds. */
function recordCalls<Target extends object>(target: Target, calls: Set<string>, path = ""): Target {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      const name = path + String(key);
      if (typeof value === "function") return recorded(value, () => calls.add(name));
      return typeof value === "object" && value !== null ? recordCalls(value, calls, `${name}.`) : value;
    },
  });
}

function recorded(method: object, note: () => void) {
  return (...given: unknown[]): unknown => {
    const result = Reflect.apply(method as (...given: unknown[]) => unknown, undefined, given);
    if (result instanceof Promise) result.then(note, () => {});
    else note();
    return result;
  };
}
