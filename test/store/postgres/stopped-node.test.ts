import { expect, setDefaultTimeout, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

test.skipIf(findPrograms() === undefined)(
  "behavior 12.65: others do not wait long for the locks of a node that stops within a transaction",
  async () => {
    const database = await createTestDatabase();
    const { config } = await sharedCluster();
    const [a, b] = [openConnections(config(database)), openConnections(config(database))];
    const lock = "SELECT pg_advisory_xact_lock(1)";
    const [locked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stopped = a.transaction(async ({ query }) => {
      await query(lock);
      locked.resolve();
      await goOn.promise;
      await query("SELECT 1");
    });
    stopped.catch(() => {});
    await locked.promise;
    // It fails if it has to wait for 8 s.
    await b.transaction(({ query }) => query(lock));
    goOn.resolve();
    expect(await stopped.catch((error) => error)).toBeInstanceOf(StorageFault);
    await Promise.all([a.close(), b.close()]);
    dropDatabase(database);
  },
);
