import { Database as Sqlite } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { lockDataDir } from "../../../src/store/sqlite/data-dir.ts";
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import { migrations, schemaVersion } from "../../../src/store/sqlite/migrate.ts";
import { closeDatabase, databaseOn, openDatabase } from "../../../src/store/sqlite/open.ts";
import { createStore } from "../../../src/store/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("the directory has mode 0700 and its files 0600, with any umask", () => {
  using dir = tempDir();
  const dataDir = join(dir.path, "data");
  const umask = process.umask(0);
  const db = openDatabase(dataDir);
  process.umask(umask);
  db.$client.run("CREATE TABLE written (at)");
  const mode = (name: string) => (statSync(join(dataDir, name)).mode & 0o777).toString(8);
  expect(mode(".")).toBe("700");
  expect(["stillup.db", "stillup.db-wal", "stillup.db-shm"].map(mode)).toEqual(["600", "600", "600"]);
  closeDatabase(db);
});

test("commits are durable, in a write-ahead log, with foreign keys and incremental vacuum", () => {
  using dir = tempDir();
  const db = openDatabase(dir.path);
  const pragma = (name: string) => Object.values(db.$client.query(`PRAGMA ${name}`).get() ?? {})[0];
  expect(pragma("journal_mode")).toBe("wal");
  expect(pragma("synchronous")).toBe(2);
  expect(pragma("foreign_keys")).toBe(1);
  expect(pragma("auto_vacuum")).toBe(2);
  expect(pragma("busy_timeout")).toBe(5000);
  closeDatabase(db);
});

test("the tables of rollups have no rowid, which would store their keys twice", () => {
  for (const table of ["hourly_rollups", "daily_rollups"]) {
    expect(migrations.join("")).toMatch(new RegExp(`CREATE TABLE \`${table}\`[^;]*WITHOUT ROWID;`));
  }
});

test("every migration of the folder is in the binary", async () => {
  const files = [...new Bun.Glob("*.sql").scanSync("drizzle/sqlite")].sort();
  const texts = await Promise.all(files.map((file) => Bun.file(join("drizzle/sqlite", file)).text()));
  expect(migrations).toEqual(texts);
});

test("behavior 9.8: a database of a newer version is refused and not changed", () => {
  using dir = tempDir();
  closeDatabase(openDatabase(dir.path));
  const sqlite = new Sqlite(join(dir.path, "stillup.db"));
  sqlite.run("PRAGMA user_version = 999");
  sqlite.close();
  expect(() => openDatabase(dir.path)).toThrow("was created by a newer version of stillup");
});

test("a second server on the same directory is refused until the first releases the lock", () => {
  using dir = tempDir();
  const unlock = lockDataDir(dir.path);
  expect(() => lockDataDir(dir.path)).toThrow("another stillup server is running on");
  unlock();
  lockDataDir(dir.path)();
});

test("a statement that drizzle builds again is not prepared again", () => {
  const sqlite = new Sqlite(":memory:");
  const prepare = spyOn(sqlite, "prepare");
  const db = databaseOn(sqlite, {});
  const count = (at: number) => db.get(sql`SELECT ${at} + 1`);
  expect([count(1), count(2)]).toEqual([[2], [3]]);
  expect(prepare).toHaveBeenCalledTimes(1);
  sqlite.close();
});

test("behavior 12.78: a server notices that a command of a newer version has migrated its database", async () => {
  using dir = tempDir();
  const store = createStore(openEngine(dir.path));
  await store.nodes.assertCompatible();
  const newer = new Sqlite(join(dir.path, "stillup.db"));
  newer.run(`PRAGMA user_version = ${schemaVersion() + 1}`);
  newer.close();
  await expect(store.nodes.assertCompatible()).rejects.toThrow(
    "a newer version of stillup migrated this database",
  );
  await store.close();
});
