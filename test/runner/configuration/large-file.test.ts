import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startNode } from "../../support/product/node.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy, DISTANT } from "../../support/store/postgres/proxy.ts";
import { tempDir } from "../../support/temp-dir.ts";

setDefaultTimeout(300_000);

const MONITORS = 12_500;

test.skipIf(findPrograms() === undefined)(
  "behavior 12.70, 16.80: a node starts with a file of 12,500 new monitors, also if the database is at a distance",
  async () => {
    using folder = tempDir();
    const config = join(folder.path, "stillup.yaml");
    const entries = Array.from({ length: MONITORS }, (_, at) => `  job${at}: { type: SCHEDULED }\n`);
    writeFileSync(config, `monitors:\n${entries.join("")}`);
    using proxy = await DatabaseProxy.start(await sharedCluster());
    proxy.become(DISTANT);
    const database = await createTestDatabase();
    using _ = { [Symbol.dispose]: () => dropDatabase(database) };
    await using node = await startNode(proxy.url(database), { config });
    const { body } = await node.client.get("/api/v1/status");
    expect(body.data.total).toBe(MONITORS);
  },
);
