import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { createStore, type Store } from "../../../../src/store/store.ts";
import { tempDir } from "../../temp-dir.ts";
import type { TestStore } from "../test-store.ts";
import { openWithoutMigrations } from "./empty-database.ts";
import { sqliteBackdoor } from "./sqlite-backdoor.ts";

/** A store in a directory of its own. @param wrap changes each store that is opened */
export function openSqlite(wrap: (store: Store) => Store, dir = tempDir()): TestStore {
  const dataDir = join(dir.path, "data");
  const open = () => {
    const engine = openWithoutMigrations(dataDir);
    return { engine, store: wrap(createStore(engine)) };
  };
  let current = open();
  return {
    get store() {
      return current.store;
    },
    db: sqliteBackdoor(() => current.engine.writer),
    settings: { dataDir },
    async reopen() {
      await current.store.close();
      current = open();
    },
    openAnother: async () => open().store,
    async openBackup(file) {
      const other = tempDir();
      const target = Bun.spawnSync(["install", "-D", "-m", "600", file, join(other.path, "data/stillup.db")]);
      if (!target.success) throw new Error(`the backup was not copied: ${target.stderr}`);
      return openSqlite(wrap, other);
    },
    path: (name) => join(dir.path, name),
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
