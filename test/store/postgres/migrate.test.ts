import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import pg from "pg";
import { openEngine } from "../../../src/store/postgres/driver.ts";
import { INITIAL, migrations, schemaVersion } from "../../../src/store/postgres/migrate.ts";
import { runSql, sharedCluster } from "../../support/store/postgres/cluster.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

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
    expect((await listVersions()).map(({ version }) => version)).toEqual(all.map((_, at) => INITIAL + at));
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

  test("the hours that were there are in runs after a migration, like those that are added then", async () => {
    const HOUR_RUNS = 43;
    await migrateTo(migrations.slice(0, HOUR_RUNS - INITIAL));
    const config = await configOf(DATABASE);
    const add = (rows: string) =>
      runSql(
        config,
        `INSERT INTO hourly_rollups SELECT monitor, hour, 0, status, 1, 0, 0, 0
          FROM (VALUES ${rows}) AS new (monitor, hour, status)`,
      );
    await add("(1, 3, 1), (1, 4, 1), (1, 4, 2), (1, 5, 1), (1, 9, 1), (1, 12, 1), (1, 13, 1), (2, 12, 1)");
    await migrateTo(migrations);
    const runs = async () => {
      const rows = await runSql<{ text: string }>(
        config,
        "SELECT monitor_pk || ': ' || first || '-' || last AS text FROM hour_runs ORDER BY monitor_pk, first",
      );
      return rows.map(({ text }) => text);
    };
    const others = ["1: 9-9", "1: 12-13", "2: 12-12"];
    expect(await runs()).toEqual(["1: 3-5", ...others]);
    await add("(1, 6, 1), (1, 7, 1), (1, 13, 2), (2, 14, 1)");
    expect(await runs()).toEqual(["1: 3-7", ...others, "2: 14-14"]);
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
    const next = schemaVersion() + 1;
    await migrateTo([...migrations, later(schemaVersion())]);
    await migrateTo(migrations);
    await migrateTo([...migrations, later(schemaVersion()), later(next)]);
    expect(await migrateTo(migrations).catch((error: Error) => error.message)).toMatch(/newer version/);
    await migrateTo([...migrations, later(schemaVersion())]);
  });

  test("a version that changes only what programs know has no SQL", async () => {
    await migrateTo(migrations);
    const next = schemaVersion() + 1;
    await migrateTo([...migrations, { compatibleWith: next }]);
    expect((await listVersions()).at(-1)).toEqual({ version: next });
    expect(await migrateTo(migrations).catch((error: Error) => error.message)).toMatch(/newer version/);
  });

  test("a database of a build before the first release is refused, and not changed", async () => {
    const config = await configOf(DATABASE);
    await migrateTo(migrations);
    await runSql(
      config,
      `DELETE FROM schema_versions; INSERT INTO schema_versions VALUES (${INITIAL - 1}, 1)`,
    );
    expect(await migrateTo(migrations).catch((error: Error) => error.message)).toMatch(
      /older than the first release: start the build of commit \w+ on it once/,
    );
    expect(await listVersions()).toEqual([{ version: INITIAL - 1 }]);
  });

  test("a database that all migrations of these builds made has the initial schema, and opens as it is", async () => {
    const config = await configOf(DATABASE);
    await migrateTo(migrations);
    const earlier = Array.from({ length: INITIAL - 1 }, (_, at) => `(${at + 1}, 1)`);
    await runSql(config, `INSERT INTO schema_versions VALUES ${earlier}`);
    await migrateTo(migrations);
    expect(await listVersions()).toHaveLength(schemaVersion());
  });

  test("the migrations in the binary are those of the folder", async () => {
    const folder = join(import.meta.dir, "../../../drizzle/postgres");
    const files = [...new Bun.Glob("*.sql").scanSync(folder)].toSorted();
    const texts = await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()));
    expect(texts).toEqual(migrations.flatMap(({ sql }) => sql ?? []));
  });
});
