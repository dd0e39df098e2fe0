import { describe, expect, test } from "bun:test";
import { freePort } from "../support/free-port.ts";
import { Binary } from "../support/product/binary.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { createTlsCluster } from "../support/store/postgres/tls-cluster.ts";

describe.skipIf(findPrograms() === undefined)("the binary with a database URL", () => {
  test("behavior 12.1, 12.3: refuses a malformed URL and a wrong password at once, without repeating them", async () => {
    await using binary = new Binary();
    const cluster = await createTlsCluster();
    try {
      for (const command of [["serve"], ["nodes"], ["keys", "list"], ["orgs", "create", "A"]]) {
        const malformed = await binary.run([...command, "--database-url", "postgres://u:s3cret@a:b/d"]);
        expect(malformed).toMatchObject({ code: 2, stdout: "" });
        expect(malformed.stderr).toMatch(/^stillup: --database-url must be .*\n$/);
        const url = `postgresql://someone:wr0ng@localhost:${cluster.port}/postgres`;
        const refused = await binary.run(command, { STILLUP_DATABASE_URL: url });
        expect(refused).toMatchObject({ code: 1, stdout: "" });
        expect(refused.stderr).toMatch(/^stillup: the database .* password authentication failed .*\n$/);
        expect(malformed.stderr + refused.stderr).not.toMatch(/s3cret|wr0ng/);
      }
      const url = `postgresql://someone@localhost:${cluster.port}/postgres`;
      const reached = await binary.run(["nodes", "--database-url", url], { PGPASSWORD: cluster.password });
      expect(reached.stderr).toMatch(/has no tables of stillup/);
    } finally {
      cluster.end();
    }
  }, 300_000);

  test("behavior 12.3: tries an unreachable database for 30 s", async () => {
    await using binary = new Binary();
    const start = performance.now();
    const ended = await binary.run([
      "serve",
      "--database-url",
      `postgresql://u:s3cret@127.0.0.1:${freePort()}/d`,
    ]);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(
      /^stillup: the database "d" at 127\.0\.0\.1:\d+ can't be used: .*ECONNREFUSED.*\n$/,
    );
    expect(performance.now() - start).toBeGreaterThan(29_000);
  }, 300_000);

  test("behavior 9.18: SIGTERM ends a server that waits for its database", async () => {
    await using binary = new Binary();
    const args = ["serve", "--database-url", `postgresql://u@127.0.0.1:${freePort()}/d`];
    // Without the signal it would wait for 30 s, and exit with 1.
    const { code, stderr } = await binary.run(args, {}, { under: ["timeout", "--preserve-status", "3"] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }, 300_000);

  test("behavior 12.4: backup, restore and check say which program of PostgreSQL to use", async () => {
    await using binary = new Binary();
    const database = await createTestDatabase();
    const env = { STILLUP_DATABASE_URL: (await sharedCluster()).url(database) };
    for (const command of [["backup", "file"], ["restore", "file"], ["check"]]) {
      const { code, stderr } = await binary.run(command, env);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^stillup: .*pg_(dump|restore).*\n$/),
      });
    }
    dropDatabase(database);
  }, 300_000);

  test("behavior 12.7: stillup nodes lists the servers, also on the embedded database", async () => {
    await using binary = new Binary();
    const database = await createTestDatabase();
    for (const env of [{}, { STILLUP_DATABASE_URL: (await sharedCluster()).url(database) }]) {
      const server = await binary.serve(["--node-name", "one"], env);
      const { code, stdout } = await binary.run(["nodes"], env);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual([
        {
          name: "one",
          version: expect.any(String),
          lastSeenAt: expect.stringMatching(/Z$/),
          checksPerSecond: 0,
        },
      ]);
      expect(await server.end("SIGTERM")).toBe(0);
      expect(JSON.parse((await binary.run(["nodes"], env)).stdout)).toEqual([]);
    }
    dropDatabase(database);
  }, 300_000);
});
