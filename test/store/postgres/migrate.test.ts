import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import pg from "pg";
import { openEngine } from "../../../src/store/postgres/engine.ts";
import { migrations } from "../../../src/store/postgres/migrate.ts";
import { runSql, sharedCluster } from "../../support/store/postgres/cluster.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";

setDefaultTimeout(60_000);

/** The name of a new and empty database, which is not a copy of a migrated one. */
const DATABASE = "migrated";

describe.skipIf(findPrograms() === undefined)("migrations", () => {
  const configOf = async (database: string) => (await sharedCluster()).config(database);

  beforeEach(async () => {
    await runSql(await configOf("postgres"), `CREATE DATABASE ${DATABASE}`);
  });
  afterEach(async () => {
    await runSql(await configOf("postgres"), `DROP DATABASE ${DATABASE} WITH (FORCE)`);
  });

  const migrateTo = async (all: typeof migrations, onBlocked?: () => void) => {
    const engine = await openEngine(await configOf(DATABASE), { all, onBlocked });
    await engine.close();
  };
  const listVersions = async () =>
    runSql<{ version: number }>(
      await configOf(DATABASE),
      "SELECT version FROM schema_versions ORDER BY version",
    );

  test("a migration may take longer than other work, and other nodes wait for it", async () => {
    const slow = { sql: "SELECT pg_sleep(11); CREATE TABLE later (pk integer)", compatibleWith: 1 };
    const all = [...migrations, slow];
    await Promise.all([migrateTo(all), migrateTo(all), migrateTo(all)]);
    expect((await listVersions()).map(({ version }) => version)).toEqual(all.map((_, at) => at + 1));
  });

  test("behavior 12.72: a migration that meets a dump lets other nodes work, and is tried again until the dump ends", async () => {
    await migrateTo(migrations);
    const dump = new pg.Client(await configOf(DATABASE));
    await dump.connect();
    await dump.query("BEGIN; LOCK TABLE monitors IN ACCESS SHARE MODE");
    const blocked = Promise.withResolvers<void>();
    const later = { sql: "ALTER TABLE monitors ADD COLUMN later integer", compatibleWith: 1 };
    const migrated = migrateTo([...migrations, later], blocked.resolve);
    await blocked.promise;
    expect(await runSql(await configOf(DATABASE), "SELECT 1 FROM monitors")).toEqual([]);
    expect(await listVersions()).toHaveLength(migrations.length);
    await dump.end();
    await migrated;
    expect(await listVersions()).toHaveLength(migrations.length + 1);
  });

  test("a migration that fails leaves the database as it was", async () => {
    const broken = { sql: "CREATE TABLE later (pk integer); SELECT 1 / 0", compatibleWith: 1 };
    await migrateTo(migrations);
    expect(await migrateTo([...migrations, broken]).catch((error: Error) => error.message)).toMatch(
      /division/,
    );
    expect(await listVersions()).toHaveLength(migrations.length);
    await migrateTo([...migrations, { ...broken, sql: "CREATE TABLE later (pk integer)" }]);
  });

  test("an older version works on the schema of a newer one, if that one says so", async () => {
    const later = (compatibleWith: number) => ({ sql: "SELECT 1", compatibleWith });
    const next = migrations.length + 1;
    await migrateTo([...migrations, later(migrations.length)]);
    await migrateTo(migrations);
    await migrateTo([...migrations, later(migrations.length), later(next)]);
    expect(await migrateTo(migrations).catch((error: Error) => error.message)).toMatch(/newer version/);
    await migrateTo([...migrations, later(migrations.length)]);
  });
});
