import { setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startNode } from "../support/product/node.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../support/store/postgres/proxy.ts";

setDefaultTimeout(300_000);

/** Milliseconds for which connections last, and until there are new ones. */
const LASTS = 400;
const AWAY = 200;

/** How often all connections break. */
const TIMES = 8;

test.skipIf(findPrograms() === undefined)(
  "behavior 12.3: a node starts although its connections to the database break again and again meanwhile",
  async () => {
    const database = await createTestDatabase();
    using proxy = await DatabaseProxy.start(await sharedCluster());
    const breaking = breakConnections(proxy);
    await using node = await startNode(proxy.url(database));
    await breaking;
    await eventually(async () => (await node.client.get("/healthz")).status === 200);
    dropDatabase(database);
  },
);

async function breakConnections(proxy: DatabaseProxy): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    await Bun.sleep(LASTS);
    proxy.become("cut");
    await Bun.sleep(AWAY);
    proxy.become("fair");
  }
}
