import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { Client } from "../support/requests/client.ts";
import { type Cluster, createCluster, runSql } from "../support/store/postgres/cluster.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { createStandby } from "../support/store/postgres/standby.ts";

const DATABASE = "stillup";
const JOB = { name: "job", type: "SCHEDULED", config: {} };

/** The compiled binary at the database of a role. */
function binaryAt(url: string): Binary {
  return new Binary({ env: { STILLUP_DATABASE_URL: url } });
}

describe.skipIf(findPrograms() === undefined)("a database that an administrator has prepared", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster();
    await runSql(cluster.config("postgres"), `CREATE DATABASE ${DATABASE}`);
    await runSql(cluster.config(DATABASE), "REVOKE ALL ON SCHEMA public FROM PUBLIC");
    for (const role of ["app", "stranger"])
      await runSql(cluster.config(DATABASE), `CREATE ROLE ${role} LOGIN NOINHERIT`);
    await runSql(cluster.config(DATABASE), "CREATE SCHEMA monitoring AUTHORIZATION app");
  });
  afterAll(() => cluster.end());

  const urlOf = (role: string, query = "") =>
    `${cluster.url(DATABASE).replace("postgres@", `${role}@`)}${query}`;

  test("behavior 12.76: a server works in a schema other than public, also after a restart and for commands", async () => {
    await using binary = binaryAt(urlOf("app", "&options=-c%20search_path%3Dmonitoring"));
    const first = await binary.serve();
    const { body } = await (await first.client()).post("/api/v1/monitors", JOB);
    expect(await (await fetch(body.data.checkinUrl)).json()).toMatchObject({ recorded: "ok" });
    expect(await first.end("SIGTERM")).toBe(0);
    const second = await binary.serve();
    const results = await (await second.client()).get(`/api/v1/monitors/${body.data.id}/results`);
    expect(results.body.data).toMatchObject([{ status: "ok" }]);
    expect((await binary.run(["keys", "list"])).code).toBe(0);
    expect(await second.end("SIGTERM")).toBe(0);
    const tables =
      "SELECT DISTINCT schemaname AS schema FROM pg_tables WHERE tablename ~ '^(check_results|monitors)'";
    expect(await runSql(cluster.config(DATABASE), tables)).toEqual([{ schema: "monitoring" }]);
  });

  test("behavior 12.77: a role without rights ends the start with one line", async () => {
    await using binary = binaryAt(urlOf("stranger"));
    const { code, stderr } = await binary.run(["serve", "--port", "0"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^stillup: the database "stillup" at .* the role "stranger" may use no schema .*\n$/,
      ),
    });
  });

  test("behavior 12.78: a server that is too old for the database hands back its claims and stops, and says so once", async () => {
    await using binary = binaryAt(urlOf("app", "&options=-c%20search_path%3Dmonitoring"));
    const server = await binary.serve();
    const next = "INSERT INTO monitoring.schema_versions (version, compatible_with) VALUES (99999, 99999)";
    await runSql(cluster.config(DATABASE), next);
    expect(await server.exited).toBe(1);
    const lines = (await server.log).trim().split("\n");
    expect(lines.filter((line) => line.includes("newer version"))).toEqual([
      expect.stringContaining(
        "a newer version of stillup migrated this database: use that version; this one stops",
      ),
    ]);
    const left = "SELECT has_left AS left FROM monitoring.nodes";
    expect(await runSql(cluster.config(DATABASE), left)).not.toContainEqual({ left: false });
  });
});

describe.skipIf(findPrograms() === undefined || !isLong)("a standby that replicates a primary server", () => {
  test("behavior 12.80: edits are answered 503 while a server is connected to it, and a start waits until it is promoted", async () => {
    const primary = await createCluster({ wal_level: "replica", max_wal_senders: "4" });
    await runSql(primary.config("postgres"), `CREATE DATABASE ${DATABASE}`);
    await using first = binaryAt(primary.url(DATABASE));
    const server = await first.serve();
    const key = (await server.client()).key;
    expect(await server.end("SIGTERM")).toBe(0);

    const standby = await createStandby(primary);
    try {
      await using second = binaryAt(standby.url(DATABASE));
      // A start waits, and works once the standby is the primary server.
      const starting = second.serve();
      await eventually(async () => (await standby.countSessions()) > 0);
      await standby.promote();
      const promoted = await starting;
      const client = new Client(promoted.url, key);
      expect((await client.post("/api/v1/monitors", JOB)).status).toBe(201);

      // The same server is connected to a standby again.
      await standby.demote();
      await eventually(async () => (await client.get("/api/v1/monitors")).status === 200);
      const refused = await client.post("/api/v1/monitors", JOB);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      await standby.promote();
      await eventually(async () => (await client.post("/api/v1/monitors", JOB)).status === 201);
      expect(await promoted.end("SIGTERM")).toBe(0);
    } finally {
      standby.end();
      primary.end();
    }
  }, 300_000);
});
