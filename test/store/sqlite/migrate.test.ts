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

test("the migrations in the binary are those of the folder", async () => {
  const folder = join(import.meta.dir, "../../../drizzle/sqlite");
  const files = [...new Bun.Glob("*.sql").scanSync(folder)].toSorted();
  expect(await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()))).toEqual([
    ...migrations,
  ]);
});
