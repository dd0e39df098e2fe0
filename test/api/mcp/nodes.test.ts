import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startNode, type TestNode } from "../../support/product/node.ts";
import { McpClient } from "../../support/requests/mcp-client.ts";
import { createMonitor } from "../../support/requests/monitors.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";

setDefaultTimeout(120_000);

describe.skipIf(findPrograms() === undefined)("two nodes on one database", () => {
  let database: string;
  let nodes: TestNode[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = (await sharedCluster()).url(database);
    nodes = [await startNode(url, { nodeName: "a" }), await startNode(url, { nodeName: "b" })];
  });

  afterAll(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await dropDatabase(database);
  });

  test("behavior 29.1, 29.20: a confirm of one node is good at the other, once", async () => {
    const [a, b] = nodes.map(({ client }) => client);
    if (!a || !b) throw new Error("there are no two nodes");
    const job = await createMonitor(a, "SCHEDULED");
    await using first = await McpClient.connect(a);
    await using second = await McpClient.connect(a.at(b.url));
    const given = { monitorId: job.id };
    const { confirm } = await first.call("pause", given);
    expect((await second.call("pause", { ...given, confirm })).data).toMatchObject({ changedCount: 1 });
    expect((await first.call("pause", { ...given, confirm })).isError).toBe(true);
    expect((await first.call("list_monitors")).data.monitors).toMatchObject([{ state: "paused" }]);
  });
});
