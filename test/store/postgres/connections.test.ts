import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createConnection, createServer } from "node:net";
import type pg from "pg";
import { StorageFault } from "../../../src/errors.ts";
import { type Connections, openConnections } from "../../../src/store/postgres/connections.ts";
import { createQueries } from "../../../src/store/postgres/queries.ts";
import { eventually } from "../../support/eventually.ts";
import { runSql, sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../support/store/postgres/databases.ts";
import { sharedPooler } from "../../support/store/postgres/pooler.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.skipIf(findPrograms() === undefined)("connections", () => {
  let database: string;
  let config: pg.ClientConfig;
  const opened: Connections[] = [];
  const open = (one = config) => {
    const connections = openConnections(one);
    opened.push(connections);
    return connections;
  };

  beforeEach(async () => {
    database = await createTestDatabase();
    config = (await sharedCluster()).config(database);
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((connections) => connections.close()));
    dropDatabase(database);
  });

  test("a connection that the server ends in the message that opens it fails one piece of work, and not the process", async () => {
    const { host, ...others } = config;
    using server = endAfterOpening(`${host}/.s.PGSQL.5432`);
    const connections = open({ ...others, host: "127.0.0.1", port: server.port });
    expect(await failure(connections.query("SELECT 1"))).toBeInstanceOf(StorageFault);
    expect(await connections.query<{ one: number }>("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  const countSleepers = async () =>
    (
      await runSql(
        config,
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query ~ '^SELECT pg_sleep'",
      )
    ).length;

  test.each(["directly", "through a pooler"])(
    "the server ends a statement that nobody waits for any more, %s",
    async (way) => {
      const connections = open(way === "directly" ? config : (await sharedPooler()).config(database));
      await connections.query("SELECT 1");
      const error = await failure(connections.query("SELECT pg_sleep(40)"));
      expect(error).toBeInstanceOf(StorageFault);
      expect((error as StorageFault).message).toMatch(/did not answer within 8 s/);
      await eventually(async () => (await countSleepers()) === 0);
      expect(await connections.query<{ one: number }>("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    },
  );

  test("the clock and the search for work do not wait for slow readers", async () => {
    const connections = open();
    const { changes, checks, deliveries } = createQueries(connections);
    const readers = Array.from({ length: 12 }, () =>
      failure(connections.read(({ query }) => query("SELECT pg_sleep(40)"))),
    );
    await eventually(async () => (await countSleepers()) > 0);
    const sleepers = await countSleepers();
    const by = { node: 1, place: 0, nodes: 1 };
    await changes.readTime();
    await checks.listDueSlots(by, { now: 0, before: 0 });
    await deliveries.listDue(by, { now: 0, limit: 1 });
    expect(await countSleepers()).toBeGreaterThanOrEqual(sleepers);
    const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query ~ '^SELECT pg_sleep'";
    const ended = Promise.all(readers).then(() => true);
    await eventually(async () => {
      await runSql(config, cancel);
      return Promise.race([ended, false]);
    });
  });

  test("a connection that the client refuses is a fault of the database", async () => {
    const connections = open({ ...config, ssl: { rejectUnauthorized: false } });
    const error = await failure(connections.transaction(({ query }) => query("SELECT 1")));
    expect(error).toBeInstanceOf(StorageFault);
    expect((error as StorageFault).message).toMatch(/SSL/);
  });

  test("a transaction sees what was committed while it waited, whatever the default of the database is", async () => {
    await runSql(config, `ALTER DATABASE ${database} SET default_transaction_isolation = 'repeatable read'`);
    const connections = open();
    const note = "INSERT INTO leases (name, claim, claimed_by, claimed_until) VALUES ('a', 1, 1, 1)";
    const count = "SELECT 1 FROM leases";
    const seen = await connections.transaction(async ({ query }) => {
      const before = await query(count);
      await runSql(config, note);
      return [before.length, (await query(count)).length];
    });
    expect(seen).toEqual([0, 1]);
  });
});

describe.skipIf(findPrograms() === undefined)("statements that are sent together", () => {
  let database: string;
  let connections: Connections;
  const names = async () =>
    (await connections.query<{ name: string }>("SELECT name FROM leases ORDER BY name")).map(
      ({ name }) => name,
    );
  const add = "INSERT INTO leases (name, claim, claimed_by, claimed_until) VALUES ($1, 1, 1, 1)";

  beforeEach(async () => {
    database = await createTestDatabase();
    connections = openConnections((await sharedCluster()).config(database));
  });

  afterEach(async () => {
    await connections.close();
    dropDatabase(database);
  });

  test("run in their order, and each outcome is that of its statement", async () => {
    const found = await connections.transaction(async ({ query, queue }) => {
      const first = queue<{ at: number }>("SELECT 1 AS at");
      void queue(add, ["a"]);
      const names = await query<{ name: string }>("SELECT name FROM leases");
      void queue(add, ["b"]);
      return [await first, names];
    });
    expect(found).toEqual([[{ at: 1 }], [{ name: "a" }]]);
    expect(await names()).toEqual(["a", "b"]);
  });

  test("of a transaction without any, nothing is sent", async () => {
    expect(await connections.transaction(async () => 1)).toBe(1);
  });

  test("one that fails before the commit keeps the transaction from being committed", async () => {
    const work = connections.transaction(async ({ query, queue }) => {
      await query(add, ["a"]);
      void queue(add, ["b"]);
      void queue("SELECT 1 / $1::integer", [0]);
      void queue(add, ["c"]);
    });
    expect(String(await failure(work))).toContain("division by zero");
    expect(await names()).toEqual([]);
    await connections.transaction(({ query }) => query(add, ["d"]));
    expect(await names()).toEqual(["d"]);
  });

  test("a value that can't be sent keeps the rest from being run", async () => {
    const circular: Record<string, unknown> = {};
    circular.itself = circular;
    const work = connections.transaction(async ({ queue }) => {
      void queue(add, ["a"]);
      void queue("SELECT $1::json", [circular]);
    });
    expect(await failure(work)).toBeInstanceOf(TypeError);
    expect(await names()).toEqual([]);
  });

  test("rows that the server refuses fail with the given error, and the connection goes on", async () => {
    const columns = "leases (name, claim, claimed_by, claimed_until)";
    const copy = (row: (string | null)[]) =>
      connections.transaction(async (tx) => {
        tx.queueCopy(`COPY ${columns} FROM STDIN`, [row], () => new Error("no rows"));
        void tx.queue(add, ["b"]);
      });
    for (const row of [
      ["a", "x", "1", "1"],
      [null, "1", "1", "1"],
    ])
      expect(String(await failure(copy(row)))).toContain("no rows");
    expect(await names()).toEqual([]);
    await copy(["a", "1", "1", "1"]);
    expect(await names()).toEqual(["a", "b"]);
  });

  test("work that fails after it has queued statements sends none of them", async () => {
    const work = connections.transaction(async ({ queue }) => {
      void queue(add, ["a"]);
      throw new Error("a rule");
    });
    expect(String(await failure(work))).toContain("a rule");
    expect(await names()).toEqual([]);
  });
});

/** `ReadyForQuery` outside of a transaction. */
const READY = Buffer.from("Z\0\0\0\x05I");
const ENDED = "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";

/** Forwards connections to a server. After the message that opens the first one, it says that an administrator has ended it. */
function endAfterOpening(path: string): Disposable & { port: number } {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + ENDED.length);
  let isFirst = true;
  const server = createServer((client) => {
    const upstream = createConnection({ path });
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => {
      if (!isFirst || !bytes.includes(READY)) {
        client.write(bytes);
        return;
      }
      isFirst = false;
      client.end(Buffer.concat([bytes, Buffer.from("E"), length, Buffer.from(ENDED)]));
    });
    client.on("error", () => {}).on("close", () => upstream.destroy());
    upstream.on("error", () => {}).on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { port: address.port, [Symbol.dispose]: () => server.close() };
}
