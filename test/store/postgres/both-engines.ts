import { openEngine as openPostgres } from "../../../src/store/postgres/driver.ts";
import { openEngine as openSqlite } from "../../../src/store/sqlite/driver.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A database of one engine with one organization. */
export interface Side extends AsyncDisposable {
  store: Store;
  organizationId: string;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

export async function openSqliteSide(): Promise<Side> {
  const dir = tempDir();
  const engine = openSqlite(dir.path);
  const store = createStore(engine);
  return {
    store,
    organizationId: await createOrganization(store),
    rows: async (sql) => engine.writer.$client.query<Record<string, unknown>, []>(sql).all(),
    async [Symbol.asyncDispose]() {
      await store.close();
      dir[Symbol.dispose]();
    },
  };
}

export async function openPostgresSide(): Promise<Side> {
  const database = await createTestDatabase();
  const engine = await openPostgres((await sharedCluster()).config(database));
  const store = createStore(engine);
  return {
    store,
    organizationId: await createOrganization(store),
    rows: (sql) => engine.connections.transaction((tx) => tx.query<Record<string, unknown>>(sql)),
    async [Symbol.asyncDispose]() {
      await store.close();
      dropDatabase(database);
    },
  };
}

async function createOrganization(store: Store): Promise<string> {
  const values = { name: "A", plan: "enterprise", subscription: "active" } as const;
  return (await store.organizations.create(values, 0)).id;
}
