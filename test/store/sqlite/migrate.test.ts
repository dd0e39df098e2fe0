import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate, migrations, schemaVersion } from "../../../src/store/sqlite/migrate.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("behavior 9.8: a database with data is backed up before it is migrated", () => {
  using dir = tempDir();
  const sqlite = new Sqlite(join(dir.path, "stillup.db"));
  const backedUp: number[] = [];
  const backUp = (from: number) => backedUp.push(from);
  migrate(sqlite, backUp);
  migrate(sqlite, backUp);
  expect(backedUp).toEqual([]);
  migrate(sqlite, backUp, [...migrations, "CREATE TABLE later (x)"]);
  expect(backedUp).toEqual([schemaVersion()]);
  expect(() => migrate(sqlite, backUp)).toThrow("was created by a newer version");
  sqlite.close();
});

test("a database of a build before the first release is refused, and not changed", () => {
  using dir = tempDir();
  const file = join(dir.path, "stillup.db");
  using sqlite = new Sqlite(file);
  migrate(sqlite, () => {});
  sqlite.run("PRAGMA user_version = 30");
  const before = readFileSync(file);
  const backUp = () => expect.unreachable();
  expect(() => migrate(sqlite, backUp)).toThrow(
    /older than the first release: start the build of commit \w+ on it once/,
  );
  expect(readFileSync(file)).toEqual(before);
});

test("the hours that were there are in runs after a migration, like those that are added then", () => {
  using dir = tempDir();
  const sqlite = new Sqlite(join(dir.path, "stillup.db"));
  const HOUR_RUNS = 10;
  migrate(sqlite, () => {}, migrations.slice(0, HOUR_RUNS));
  const add = (monitor: number, start: number, status = 1) =>
    sqlite.run("INSERT INTO hourly_rollups VALUES (?, ?, 0, ?, 1, 0, 0, 0, NULL, NULL)", [
      monitor,
      start,
      status,
    ]);
  for (const start of [3, 4, 5, 9, 12, 13]) add(1, start);
  add(1, 4, 2);
  add(2, 12);
  migrate(sqlite, () => {});
  const runs = () => sqlite.query("SELECT * FROM hour_runs ORDER BY monitor_pk, first").values();
  const others = [
    [1, 9, 9],
    [1, 12, 13],
    [2, 12, 12],
  ];
  expect(runs()).toEqual([[1, 3, 5], ...others]);
  add(1, 6);
  add(1, 13, 2);
  add(2, 14);
  expect(runs()).toEqual([[1, 3, 6], ...others, [2, 14, 14]]);
  sqlite.close();
});

test("the migrations in the binary are those of the folder", async () => {
  const folder = join(import.meta.dir, "../../../drizzle/sqlite");
  const files = [...new Bun.Glob("*.sql").scanSync(folder)].toSorted();
  expect(await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()))).toEqual([
    ...migrations,
  ]);
});
