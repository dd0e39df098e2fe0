import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineOn, openEngine } from "../../../../src/store/postgres/driver.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { tempDir } from "../../temp-dir.ts";
import type { TestStore } from "../test-store.ts";
import { runSql, sharedCluster } from "./cluster.ts";
import { copyDatabase, dropDatabase } from "./databases.ts";
import { giveBack, patient, type Route, takeDatabase } from "./kept-databases.ts";
import { postgresBackdoor } from "./postgres-backdoor.ts";

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
  const open = async (name: string) => wrap(createStore(await openEngine(patient(route.config(name)))));
  return testStore(original, {
    route,
    open,
    openAnother: open,
    end: async (name) => {
      if (isOwn) dropDatabase(name);
    },
  });
}

/** A store in an empty database that an earlier test may have used, on its connections. */
export async function openKept(
  wrap: (store: Store) => Store,
  route: Route,
): Promise<TestStore & { database: string }> {
  const kept = await takeDatabase(route);
  let others = 0;
  const open = async (name: string, node: number) => {
    if (name !== kept.name) return wrap(createStore(await openEngine(patient(route.config(name)))));
    const close = async () => (node === 0 ? undefined : kept.closeNode(node));
    return wrap(createStore({ ...engineOn(kept.connectionsOf(node)), close }));
  };
  const opened = await testStore(kept.name, {
    route,
    open: (name) => open(name, 0),
    openAnother: (name) => open(name, ++others),
    end: async (name) => {
      await giveBack(kept);
      if (name !== kept.name) dropDatabase(name);
    },
  });
  return Object.assign(opened, { database: kept.name });
}

/** How a store is opened in a database, and what happens to the database at the end. */
interface Ways {
  route: Route;
  open(database: string): Promise<Store>;
  openAnother(database: string): Promise<Store>;
  end(database: string): Promise<void>;
}

async function testStore(original: string, { route, open, openAnother, end }: Ways): Promise<TestStore> {
  let database = original;
  const dir = tempDir();
  const db = postgresBackdoor(() => database);
  let store = await open(database);
  return {
    get store() {
      return store;
    },
    db,
    settings: { dataDir: join(dir.path, "data"), databaseUrl: route.url(database) },
    async reopen() {
      await store.close();
      store = await open(database);
    },
    openAnother: () => openAnother(database),
    openBackup: () => Promise.reject(new Error("this engine has no backups")),
    path: (name) => join(dir.path, name),
    async damageMonitors() {
      await Promise.all([store.close(), db.close()]);
      // No page of a copy is in the memory of the server.
      database = await copyDatabase(original);
      dropDatabase(original);
      await damageTable(database, "monitors");
      store = await open(database);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), db.close()]);
      await end(database);
      dir[Symbol.dispose]();
    },
  };
}

async function damageTable(database: string, table: string): Promise<void> {
  const { dir, config } = await sharedCluster();
  const [{ path } = { path: "" }] = await runSql<{ path: string }>(
    config(database),
    `SELECT pg_relation_filepath('${table}') AS path`,
  );
  const file = join(dir, "data", path);
  writeFileSync(file, new Uint8Array(statSync(file).size).fill(0xff), { flag: "r+" });
}
