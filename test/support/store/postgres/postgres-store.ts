import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../../src/store/postgres/engine.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { tempDir } from "../../temp-dir.ts";
import type { TestStore } from "../test-store.ts";
import { type Cluster, runSql, sharedCluster } from "./cluster.ts";
import { copyDatabase, dropDatabase } from "./databases.ts";
import { postgresBackdoor } from "./postgres-backdoor.ts";

/** How a store reaches the databases of the shared cluster. */
export type Route = Pick<Cluster, "config" | "url">;

/**
 * A store in a database.
 *
 * @param original the name of the database
 * @param wrap changes each store that is opened
 * @param isOwn whether the database is deleted at the end
 */
export async function openPostgres(
  route: Route,
  original: string,
  wrap: (store: Store) => Store,
  isOwn = true,
): Promise<TestStore> {
  let database = original;
  const open = async () => wrap(createStore(await openEngine(route.config(database))));
  const dir = tempDir();
  const db = postgresBackdoor(() => database);
  let store = await open();
  return {
    get store() {
      return store;
    },
    db,
    settings: { dataDir: join(dir.path, "data"), databaseUrl: route.url(database) },
    async reopen() {
      await store.close();
      store = await open();
    },
    openAnother: open,
    openBackup: () => Promise.reject(new Error("this engine has no backups")),
    path: (name) => join(dir.path, name),
    async damageMonitors() {
      await Promise.all([store.close(), db.close()]);
      // No page of a copy is in the memory of the server.
      database = await copyDatabase(original);
      dropDatabase(original);
      await damageFirstPage(database, "monitors");
      store = await open();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), db.close()]);
      if (isOwn) dropDatabase(database);
      dir[Symbol.dispose]();
    },
  };
}

const PAGE_SIZE = 8192;

async function damageFirstPage(database: string, table: string): Promise<void> {
  const { dir, config } = await sharedCluster();
  const [{ path } = { path: "" }] = await runSql<{ path: string }>(
    config(database),
    `SELECT pg_relation_filepath('${table}') AS path`,
  );
  const file = openSync(join(dir, "data", path), "r+");
  writeSync(file, new Uint8Array(PAGE_SIZE).fill(0xff));
  closeSync(file);
}
