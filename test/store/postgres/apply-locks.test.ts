import { expect, setDefaultTimeout, test } from "bun:test";
import pg from "pg";
import { eventually } from "../../support/eventually.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase } from "../../support/store/postgres/databases.ts";
import { openPostgres } from "../../support/store/postgres/postgres-store.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { NOW, World } from "../contract/world.ts";

setDefaultTimeout(300_000);

const documentOf = (monitor: object) => ({
  monitors: { shop: { type: "TCP", config: { host: "a", port: 1, interval: 60 }, ...monitor } },
});

test.skipIf(findPrograms() === undefined)(
  "behavior 12.71: an apply waits for recordings of a monitor only if it changes the state of the monitor",
  async () => {
    const { config } = await sharedCluster();
    const database = await createTestDatabase();
    await using world = await World.create(
      await openPostgres(await sharedCluster(), database, (store) => store),
    );
    const apply = (monitor: object) =>
      world.store.configuration.apply(
        world.organizationId,
        documentOf(monitor),
        { prune: "none", isDryRun: false },
        NOW,
      );
    await apply({});
    const recording = new pg.Client(config(database));
    await recording.connect();
    await recording.query("BEGIN; SELECT 1 FROM monitor_states FOR UPDATE");
    await apply({ name: "Shop", confirmations: 1 });
    let isOver = false;
    const paused = apply({ name: "Shop", confirmations: 1, enabled: false }).then(() => {
      isOver = true;
    });
    await eventually(async () => {
      const waiting = await recording.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return waiting.rowCount !== null && waiting.rowCount > 0;
    });
    expect(isOver).toBe(false);
    await recording.query("COMMIT");
    await paused;
    await recording.end();
  },
);
