import type { EngineQueries } from "../../../src/store/engine-queries.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { recordingQueries } from "../../../src/store/postgres/queries/recording.ts";
import { openEngine } from "../../../src/store/sqlite/engine.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A database of one engine with one organization. */
export interface Side extends AsyncDisposable {
  store: Pick<Store, "recording" | "channels"> & { monitors: Pick<Store["monitors"], "create" | "update"> };
  organizationId: string;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

export async function openSqliteSide(): Promise<Side> {
  const dir = tempDir();
  const engine = openEngine(dir.path);
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
  const connections = openConnections((await sharedCluster()).config(database));
  const queries = recordingQueries(connections) as EngineQueries;
  const store = createStore({ ...connections, queries });
  return {
    store,
    organizationId: await createOrganization(store),
    rows: (sql) => connections.transaction((tx) => tx.query<Record<string, unknown>>(sql)),
    async [Symbol.asyncDispose]() {
      await connections.close();
      dropDatabase(database);
    },
  };
}

async function createOrganization(store: Store): Promise<string> {
  const values = { name: "A", plan: "enterprise", subscription: "active" } as const;
  return (await store.organizations.create(values, 0)).id;
}
