import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { StorageFault } from "../../../src/errors.ts";
import { type Connections, openConnections } from "../../../src/store/postgres/connections.ts";
import { eventually } from "../../support/eventually.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";

setDefaultTimeout(300_000);

/** Milliseconds: the longest work of a node, and in which it must notice that its connection is silent. */
const WITHIN = 100_000;
const LIMIT = WITHIN / 2;

describe.skipIf(findPrograms() === undefined)("behavior 12.6: a database that is silent", () => {
  let database: string;
  let proxy: DatabaseProxy;
  let connections: Connections;

  beforeEach(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.start(await sharedCluster());
    connections = openConnections(proxy.config(database));
  });

  afterEach(async () => {
    await connections.close();
    proxy[Symbol.dispose]();
    dropDatabase(database);
  });

  const work = (within?: number) =>
    connections.transaction(({ query }) => query("SELECT pg_sleep(0.1)::text AS slept"), within);
  const failure = (working: Promise<unknown>) => working.catch((error) => error);

  test("long work does not wait for a connection that stays silent after the database is back", async () => {
    await work(WITHIN);
    proxy.silence();
    const start = performance.now();
    const silent = failure(work(WITHIN));
    proxy.heal();
    expect(await silent).toBeInstanceOf(StorageFault);
    expect(performance.now() - start).toBeLessThan(LIMIT);
    expect(await work(WITHIN)).toHaveLength(1);
  });

  test("costs one piece of work, however many idle connections stay silent", async () => {
    const read = () => connections.query("SELECT pg_sleep(0.1)::text AS slept");
    await Promise.all([work(), work(), work(), read(), read()]);
    proxy.silence();
    const silent = failure(work());
    proxy.heal();
    expect(await silent).toBeInstanceOf(StorageFault);
    expect(await work()).toHaveLength(1);
    expect(await read()).toHaveLength(1);
  });

  test.skipIf(process.platform !== "linux")(
    "does not hold connections that nobody uses any more",
    async () => {
      const closing = openConnections(proxy.config(database));
      const poll = () => closing.poll("SELECT pg_sleep(0.1)::text AS slept");
      await Promise.all([poll(), poll()]);
      expect(openSockets(proxy.port)).toBe(2);
      proxy.silence();
      await closing.close();
      await eventually(() => openSockets(proxy.port) === 0);
    },
  );
});

/** How many sockets a process still has open to a port. Sockets that only the kernel keeps have no inode. */
function openSockets(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync("/proc/self/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote, , , , , , , inode]) => remote?.endsWith(suffix) && inode !== "0").length;
}
