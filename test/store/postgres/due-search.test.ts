import { expect, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { createSnapshotWarning } from "../../../src/store/postgres/driver.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { HOUR, MINUTE, NOW } from "../contract/world.ts";
import { describeTwoNodes } from "./two-nodes.ts";

describeTwoNodes("the search for due checks", (nodes) => {
  const due = (now: number) =>
    nodes().a.store.checks.listDueSlots({ node: 1, place: 0, nodes: 1 }, { now, before: now });

  const moveTo = (slot: number) => nodes().execute(`UPDATE monitor_states SET next_check_at = ${slot}`);

  test("behavior 12.74: begins a minute before the oldest slot, and looks at older ones once a minute", async () => {
    await nodes().world.site();
    const now = NOW + HOUR;
    await moveTo(now - MINUTE);
    expect(await due(now)).toHaveLength(1);
    await moveTo(now - 2 * MINUTE);
    expect(await due(now + 1000)).toHaveLength(1);
    await moveTo(now - 2 * MINUTE - 1);
    expect(await due(now + MINUTE - 1)).toEqual([]);
    expect(await due(now + MINUTE)).toHaveLength(1);
  });

  test("behavior 12.74: an edit that takes a minute, or a clock that is set back, delays no check", async () => {
    await nodes().world.site();
    const now = NOW + HOUR;
    await moveTo(now + HOUR);
    expect(await due(now)).toEqual([]);
    await moveTo(now - MINUTE);
    expect(await due(now)).toHaveLength(1);
    await moveTo(now - HOUR);
    expect(await due(now)).toEqual([]);
    expect(await due(now - 1)).toHaveLength(1);
  });

  test("behavior 12.74: the log names a session that keeps a snapshot open, once an hour", async () => {
    const connections = openConnections((await sharedCluster()).config(nodes().database));
    const release = await nodes().hold("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT 1");
    const logged: unknown[] = [];
    const log = createLogger({ level: "silent" });
    log.warn = (message: unknown) => void logged.push(message);
    const warn = createSnapshotWarning(log, 0);
    for (const now of [NOW, NOW + MINUTE, NOW + HOUR]) await warn({ query: connections.poll }, now);
    const text = expect.stringMatching(
      /^the session \d+ .* end it with: SELECT pg_terminate_backend\(\d+\)$/,
    );
    expect(logged).toEqual([text, text]);
    await createSnapshotWarning(log)({ query: connections.poll }, NOW);
    expect(logged).toHaveLength(2);
    await release();
    await connections.close();
  });
});
