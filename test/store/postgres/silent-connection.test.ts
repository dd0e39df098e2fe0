import { expect, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";

/** Milliseconds: the longest work of a node, and in which it must notice that its connection is silent. */
const WITHIN = 100_000;
const LIMIT = WITHIN / 2;

test.skipIf(findPrograms() === undefined)(
  "behavior 12.6: long work does not wait for a connection that stays silent after the database is back",
  async () => {
    const database = await createTestDatabase();
    const proxy = await DatabaseProxy.start(await sharedCluster());
    const connections = openConnections(proxy.config(database));
    const work = () => connections.transaction(({ query }) => query("SELECT 1 AS one"), WITHIN);
    await work();
    proxy.silence();
    const start = performance.now();
    const silent = work().catch((error) => error);
    proxy.heal();
    expect(await silent).toBeInstanceOf(StorageFault);
    expect(performance.now() - start).toBeLessThan(LIMIT);
    expect(await work()).toEqual([{ one: 1 }]);
    await connections.close();
    proxy[Symbol.dispose]();
    dropDatabase(database);
  },
  120_000,
);
