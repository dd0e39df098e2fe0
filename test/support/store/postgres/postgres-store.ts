import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { openEngine } from "../../../../src/store/postgres/engine.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { tempDir } from "../../temp-dir.ts";
import type { TestStore, WriteFault } from "../test-store.ts";
import { runSql, sharedCluster } from "./cluster.ts";
import { copyDatabase, createTestDatabase, dropDatabase } from "./databases.ts";

/** How the store reaches a database of the shared cluster. */
type Route = (database: string) => pg.ClientConfig;

/** A store in a database of its own. @param wrap changes each store that is opened */
export async function openPostgres(route: Route, wrap: (store: Store) => Store): Promise<TestStore> {
  let database = await createTestDatabase();
  const open = async () => wrap(createStore(await openEngine(route(database))));
  const dir = tempDir();
  let store = await open();
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await open();
    },
    openAnother: open,
    openBackup: () => Promise.reject(new Error("this engine has no backups")),
    path: (name) => join(dir.path, name),
    breakWrites: (fault) => breakWrites(database, fault),
    async damageMonitors() {
      await store.close();
      const original = database;
      // No page of a copy is in the memory of the server.
      database = await copyDatabase(original);
      dropDatabase(original);
      await damageFirstPage(database, "monitors");
      store = await open();
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      dropDatabase(database);
      dir[Symbol.dispose]();
    },
  };
}

/** The states of the errors that PostgreSQL reports then. */
const STATES: Record<WriteFault, string> = { "read-only": "25006", full: "53100" };

/** Lets every statement that writes fail, also one that would change no row. */
async function breakWrites(database: string, fault: WriteFault): Promise<() => Promise<void>> {
  const config = (await sharedCluster()).config(database);
  await runSql(
    config,
    `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'fault' USING ERRCODE = '${STATES[fault]}'; END $$;
     ${await onEachTable(config, "CREATE TRIGGER fault BEFORE INSERT OR UPDATE OR DELETE ON % EXECUTE FUNCTION fault()")}`,
  );
  return async () => {
    await runSql(config, "DROP FUNCTION fault() CASCADE");
  };
}

/** @returns a statement for each table, with its name in place of `%` */
async function onEachTable(config: pg.ClientConfig, statement: string): Promise<string> {
  const tables = await runSql<{ name: string }>(
    config,
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  return tables.map(({ name }) => `${statement.replace("%", name)};`).join("\n");
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
