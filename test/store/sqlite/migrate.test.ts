import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findDamage } from "../../../src/store/sqlite/damage-check.ts";
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import { migrate, migrations, schemaVersion } from "../../../src/store/sqlite/migrate.ts";
import { createStore } from "../../../src/store/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NOW = Date.UTC(2026, 10, 21, 10, 30);
const ROWS = 200_000;

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

test("behavior 9.8: kill -9 during a migration loses nothing, and the next start completes it", async () => {
  using dir = tempDir();
  const file = join(dir.path, "stillup.db");
  const backup = `${file}.before-migration-${schemaVersion()}`;
  await fill(dir.path);
  const walOver = (bytes: number) => () => existsSync(backup) && sizeOf(`${file}-wal`) > bytes;
  const moments = [
    // A busy machine may look only after the partial backup has become the backup.
    () => existsSync(`${backup}.partial`) || existsSync(backup),
    () => existsSync(backup),
    walOver(100_000),
    walOver(2_000_000),
  ];
  for (const reached of moments) {
    expect(await killWhen(reached, dir.path)).toBe("SIGKILL");
    expect(look(file)).toEqual({ damage: [], version: schemaVersion(), rows: ROWS });
  }
  expect(await killWhen(() => false, dir.path)).toBeNull();
  expect(look(file)).toEqual({ damage: [], version: schemaVersion() + 1, rows: ROWS });
  expect(look(backup)).toEqual({ damage: [], version: schemaVersion(), rows: ROWS });
}, 300_000);

async function fill(dataDir: string): Promise<void> {
  const engine = openEngine(dataDir);
  const db = engine.writer;
  const store = createStore(engine);
  await store.organizations.create({ name: "A", plan: "enterprise", subscription: "active" }, NOW);
  db.$client.run(
    `WITH RECURSIVE hours (hour) AS (SELECT 1 UNION ALL SELECT hour + 1 FROM hours LIMIT ${ROWS})
     INSERT INTO hourly_rollups SELECT 1, hour, 0, 1, 1, 0, 0, 0, NULL, NULL FROM hours`,
  );
  await store.close();
}

/** @returns the signal that killed the migration, or null if the migration finished */
async function killWhen(reached: () => boolean, dataDir: string): Promise<Bun.Subprocess["signalCode"]> {
  const script = join(import.meta.dir, "../../support/store/migrate-later.ts");
  const child = Bun.spawn(["bun", script, dataDir], { stderr: "inherit" });
  while (child.exitCode === null && child.signalCode === null && !reached()) await Bun.sleep(0);
  if (child.exitCode === null) child.kill("SIGKILL");
  await child.exited;
  return child.signalCode;
}

/** Reads a copy, because opening a database changes its write-ahead log. */
function look(file: string) {
  using dir = tempDir();
  const copy = join(dir.path, "copy.db");
  for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  using sqlite = new Sqlite(copy);
  const { version } = sqlite.query("SELECT user_version AS version FROM pragma_user_version").get() as {
    version: number;
  };
  const { rows } = sqlite.query("SELECT count(*) AS rows FROM hourly_rollups").get() as { rows: number };
  return { damage: findDamage(copy), version, rows };
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
