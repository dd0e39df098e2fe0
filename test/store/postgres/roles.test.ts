import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AppError, StorageFault } from "../../../src/errors.ts";
import { createLogger } from "../../../src/log.ts";
import type { Engine } from "../../../src/store/engine.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { postgres as driver } from "../../../src/store/postgres/driver.ts";
import { createPartitions } from "../../../src/store/postgres/partitions.ts";
import { classified, reach } from "../../../src/store/postgres/reach.ts";
import { eventually } from "../../support/eventually.ts";
import { type Cluster, MAY_WRITE, runSql, sharedCluster } from "../../support/store/postgres/cluster.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";

// A start without rights must fail sooner than one that can't reach its database, which tries for 30 s.
setDefaultTimeout(300_000);

const DATABASE = "roles_test";

describe.skipIf(findPrograms() === undefined)("a role that is no superuser", () => {
  let cluster: Cluster;

  const sql = (text: string) =>
    runSql({ ...cluster.config(DATABASE), options: MAY_WRITE }, text).then(() => {});
  const asRole = (role: string) => ({ ...cluster.config(DATABASE), user: role });
  const settingsOf = (role: string, query = "") => ({
    dataDir: "unused",
    databaseUrl: `${cluster.url(DATABASE).replace("postgres@", `${role}@`)}${query}`,
  });
  const messageOf = async (opening: Promise<Engine>) => {
    try {
      await (await opening).close();
      return "opened";
    } catch (error) {
      return error instanceof AppError ? error.message : `${error}`;
    }
  };

  beforeAll(async () => {
    cluster = await sharedCluster();
    await runSql(cluster.config("postgres"), `DROP DATABASE IF EXISTS ${DATABASE}`);
    await runSql(cluster.config("postgres"), `CREATE DATABASE ${DATABASE}`);
    await sql("REVOKE ALL ON SCHEMA public FROM PUBLIC");
    for (const role of ["owner", "stranger", "impatient", "frozen"]) await sql(`CREATE ROLE ${role} LOGIN`);
    for (const role of ["owner", "impatient", "frozen"])
      await sql(
        `CREATE SCHEMA ${role}_schema AUTHORIZATION ${role}; ALTER ROLE ${role} SET search_path = ${role}_schema`,
      );
  });

  afterAll(async () => {
    await runSql(cluster.config("postgres"), `DROP DATABASE ${DATABASE} WITH (FORCE)`);
    for (const role of ["owner", "stranger", "impatient", "frozen"])
      await runSql(cluster.config("postgres"), `DROP ROLE ${role}`);
  });

  test("behavior 12.76: the tables are in the first schema of the search path, and as complete as in public", async () => {
    await (await driver.openForServer(settingsOf("owner"), createLogger({ level: "silent" }))).close();
    await (await driver.open(settingsOf("postgres"))).close();
    for (const role of ["owner", "postgres"]) {
      const connections = openConnections(asRole(role));
      await createPartitions(connections, [0]);
      await connections.close();
    }
    const describe = (schema: string) =>
      runSql(
        { ...cluster.config(DATABASE), options: `-c search_path=${schema}` },
        `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
           WHERE connamespace = current_schema()::regnamespace
         UNION SELECT tablename, indexname, replace(indexdef, schemaname || '.', '') FROM pg_indexes WHERE schemaname = current_schema()
         UNION SELECT relname, '', relkind::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace
         ORDER BY 1, 2, 3`,
      );
    const own = await describe("owner_schema");
    expect(own.length).toBeGreaterThan(100);
    expect(own).toEqual(await describe("public"));
  });

  test("behavior 12.77: a start without a right fails at once, and names the role, the schema and the right", async () => {
    const name = `the database "${DATABASE}" at ${cluster.dir}:5432 can't be used`;
    expect(await messageOf(driver.open(settingsOf("stranger")))).toBe(
      `${name}: the role "stranger" may use no schema of its search_path ("$user", public): create one, or grant it USAGE`,
    );
    await sql("GRANT USAGE ON SCHEMA public TO stranger");
    expect(await messageOf(driver.open(settingsOf("stranger")))).toBe(
      `${name}: the role "stranger" lacks the right CREATE on the schema "public": GRANT CREATE ON SCHEMA "public" TO "stranger"`,
    );
    await sql("GRANT CREATE ON SCHEMA public TO stranger");
    expect(await messageOf(driver.open(settingsOf("stranger")))).toMatch(
      /can't be used: the role "stranger" must own the table "\w+" in the schema "public"/,
    );
    await sql(`REVOKE CONNECT ON DATABASE ${DATABASE} FROM PUBLIC`);
    expect(await messageOf(driver.open(settingsOf("stranger")))).toBe(
      `${name}: permission denied for database "${DATABASE}"`,
    );
    await sql(`GRANT CONNECT ON DATABASE ${DATABASE} TO PUBLIC`);
  });

  test("behavior 12.79: timeouts of the role do not end the work of stillup", async () => {
    for (const [name, value] of [
      ["statement_timeout", "100ms"],
      ["lock_timeout", "10ms"],
      ["idle_in_transaction_session_timeout", "50ms"],
    ])
      await sql(`ALTER ROLE impatient SET ${name} = '${value}'`);
    await sql(`ALTER ROLE impatient SET default_transaction_isolation = 'serializable'`);
    const engine = await driver.open(settingsOf("impatient"));
    await engine.close();
    const { config } = await reach(settingsOf("impatient"), { forOwner: true });
    const connections = openConnections(config);
    expect(await connections.query("SELECT 1 AS one FROM pg_sleep(0.3)")).toEqual([{ one: 1 }]);
    expect(await connections.poll("SELECT 1 AS one FROM pg_sleep(0.3)")).toEqual([{ one: 1 }]);
    expect(await connections.read((tx) => tx.query("SELECT 1 AS one FROM pg_sleep(0.3)"))).toEqual([
      { one: 1 },
    ]);
    // The second edit waits for the lock of the first one.
    const locked = Promise.withResolvers<void>();
    const first = connections.transaction(async ({ query }) => {
      await query("LOCK TABLE monitors");
      locked.resolve();
      await query("SELECT pg_sleep(0.2)");
    });
    await locked.promise;
    await connections.transaction(({ query }) => query("LOCK TABLE monitors"));
    await first;
    await connections.close();
  });

  test("behavior 12.80: a start waits while the database is read-only, and edits are a fault of the database", async () => {
    await sql("ALTER ROLE frozen SET default_transaction_read_only = on");
    await expect(reach(settingsOf("frozen"), { patience: 0, forOwner: true })).rejects.toThrow(
      "can't be used: it is read-only (default_transaction_read_only)",
    );
    using proxy = await DatabaseProxy.start(cluster);
    const opening = driver.open({
      dataDir: "unused",
      databaseUrl: proxy.url(DATABASE).replace("postgres@", "frozen@"),
    });
    // A try takes two.
    await eventually(() => proxy.statements > 4);
    await sql("ALTER ROLE frozen SET default_transaction_read_only = off");
    await (await opening).close();

    await sql("ALTER ROLE frozen SET default_transaction_read_only = on");
    const engine = await driver.openExisting(settingsOf("frozen"));
    const edit = engine.write(({ query }) => query("DELETE FROM nodes"));
    await expect(edit).rejects.toBeInstanceOf(StorageFault);
    await edit.catch(({ cause }) => expect(cause.code).toBe("25006"));
    await engine.close();
  });

  test("behavior 12.80: what a standby refuses is a fault of the database", async () => {
    const refused = Object.assign(new Error("cannot use serializable mode in a hot standby"), {
      code: "0A000",
    });
    expect(classified(refused)).toBeInstanceOf(StorageFault);
  });
});
