import { expect, test } from "bun:test";
import { openEngine } from "../../../src/store/postgres/engine.ts";
import { createStore } from "../../../src/store/store.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";
import { describeTwoNodes } from "./two-nodes.ts";

describeTwoNodes("reports on PostgreSQL", (nodes) => {
  test("behavior 14.80: the number of statements of a report does not grow with its monitors", async () => {
    const { world, database } = nodes();
    using proxy = await DatabaseProxy.start(await sharedCluster());
    const store = createStore(await openEngine(proxy.config(database)));
    const month = { from: Date.UTC(2027, 5), to: Date.UTC(2027, 6) };
    const countStatements = async () => {
      const before = proxy.statements;
      const { end } = await store.reports.readMonth(world.organizationId, { month, after: 0 });
      expect(end).toBeNull();
      return proxy.statements - before;
    };
    const addMonitors = async (count: number) => {
      for (let made = 0; made < count; made++) await world.checkin(await world.job(), "fail", month.from);
    };
    await addMonitors(1);
    const statements = await countStatements();
    await addMonitors(40);
    expect(await countStatements()).toBe(statements);
    await store.close();
  });
});
