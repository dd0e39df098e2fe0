import { expect, setDefaultTimeout, test } from "bun:test";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase } from "../../support/store/postgres/databases.ts";
import { postgresBackdoor } from "../../support/store/postgres/postgres-backdoor.ts";
import { openPostgres } from "../../support/store/postgres/postgres-store.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { NOW, World } from "../contract/world.ts";

setDefaultTimeout(300_000);

const MONITORS = 300;

test.skipIf(findPrograms() === undefined)(
  "after an edit of many monitors, the database knows how many there are, also if it counted them before",
  async () => {
    const database = await createTestDatabase();
    await using world = await World.create(
      await openPostgres(await sharedCluster(), database, (store) => store),
    );
    const db = postgresBackdoor(() => database);
    // As if it had counted during the edit.
    await db.run(
      "UPDATE pg_class SET reltuples = 0, relpages = 10 WHERE relname IN ('monitors', 'monitor_states')",
    );
    const monitor = { type: "TCP", config: { host: "a", port: 1, interval: 60 } };
    const monitors = Object.fromEntries(Array.from({ length: MONITORS }, (_, at) => [`m${at}`, monitor]));
    const options = { prune: "none", isDryRun: false } as const;
    await world.store.configuration.apply(world.organizationId, { monitors }, options, NOW);
    const counts = await db.rows<{ count: number }>(
      "SELECT reltuples::integer AS count FROM pg_class WHERE relname IN ('monitors', 'monitor_states')",
    );
    expect(counts).toEqual([{ count: MONITORS }, { count: MONITORS }]);
    await db.close();
  },
);
