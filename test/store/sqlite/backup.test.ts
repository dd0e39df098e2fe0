import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Progress } from "../../../src/store/engine.ts";
import { backUp, findDamage, restore } from "../../../src/store/sqlite/backup.ts";
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { createStore } from "../../../src/store/store.ts";
import { packAll } from "../../support/store/packed.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NOW = Date.UTC(2026, 10, 21, 10, 30);
const NAMED = { plan: "enterprise", subscription: "active" } as const;

/** Creates a database that no connection of this process has open. */
async function createSqliteDatabase(dataDir: string, name: string): Promise<void> {
  using source = tempDir();
  const engine = openEngine(source.path);
  const store = createStore(engine);
  await store.organizations.create({ ...NAMED, name }, NOW);
  mkdirSync(dataDir, { recursive: true });
  await backUp(engine.writer.$client.filename, join(dataDir, "stillup.db"));
  await engine.close();
}

function names(file: string): string[] {
  const sqlite = new Sqlite(file);
  const rows = sqlite.query<{ name: string }, []>("SELECT name FROM organizations ORDER BY name").all();
  sqlite.close();
  return rows.map(({ name }) => name);
}

/** Opens a database and commits another name. The commit stays in the log while the connection is open. */
function rename(file: string, name: string): Sqlite {
  const sqlite = new Sqlite(file);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("UPDATE organizations SET name = ?", [name]);
  return sqlite;
}

/** Overwrites the beginning of a file. */
function overwrite(path: string, text: string): void {
  const file = openSync(path, "r+");
  writeSync(file, text, 0);
  closeSync(file);
}

/** Overwrites a page in the middle of a file. */
function damage(file: string): void {
  const bytes = new Uint8Array(statSync(file).size);
  bytes.set(new Uint8Array(Bun.mmap(file)));
  bytes.fill(0xff, 8192, 12_288);
  writeFileSync(file, bytes);
}

describe("a backup", () => {
  test("is complete, has mode 0600, and overwrites no file", async () => {
    using dir = tempDir();
    const engine = openEngine(dir.path);
    const store = createStore(engine);
    await store.organizations.create({ ...NAMED, name: "A" }, NOW);
    const file = join(dir.path, "backup.db");
    await backUp(engine.writer.$client.filename, file);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(findDamage(file)).toEqual([]);
    await expect(backUp(engine.writer.$client.filename, file)).rejects.toThrow(
      "exists already: a backup overwrites nothing",
    );
    expect(existsSync(`${file}.partial`)).toBe(false);
    await engine.close();
  });

  test("behavior 9.128: says how much of it is done, by the size of the copy", async () => {
    using dir = tempDir();
    const db = openDatabase(dir.path);
    db.$client.run("CREATE TABLE blobs (blob)");
    for (let at = 0; at < 200; at++) db.$client.run("INSERT INTO blobs VALUES (zeroblob(1000000))");
    const shares: number[] = [];
    await backUp(db.$client.filename, join(dir.path, "backup.db"), (share) => shares.push(share));
    closeDatabase(db);
    expect(shares[0]).toBe(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const between = shares.filter((share) => share > 0 && share <= 1);
    expect(between).toEqual(shares.slice(shares.lastIndexOf(0) + 1));
    expect(between).not.toBeEmpty();
  });

  test("with damaged packed results is damaged", async () => {
    using dir = tempDir();
    const engine = openEngine(dir.path);
    const { $client } = engine.writer;
    $client.run("INSERT INTO check_results (monitor_pk, status, created_at) VALUES (1, 1, 0), (1, 2, 1)");
    const store = createStore(engine);
    await packAll(store);
    const [file, damaged] = [join(dir.path, "backup.db"), join(dir.path, "damaged.db")];
    await backUp($client.filename, file);
    $client.run("UPDATE result_segments SET data = substr(data, 1, length(data) - 1)");
    await backUp($client.filename, damaged);
    await store.close();
    expect(findDamage(file)).toEqual([]);
    expect(findDamage(damaged)).toEqual(["results 1 of monitor 1: a segment does not match its checksum"]);
  });

  test("leaves no file if it fails", async () => {
    using dir = tempDir();
    await createSqliteDatabase(dir.path, "A");
    damage(join(dir.path, "stillup.db"));
    const sqlite = new Sqlite(join(dir.path, "stillup.db"));
    const before = readdirSync(dir.path);
    await expect(backUp(sqlite.filename, join(dir.path, "backup.db"))).rejects.toThrow("malformed");
    expect(readdirSync(dir.path)).toEqual(before);
    sqlite.close();
  });

  test("is restored over another database, which is kept", async () => {
    using dir = tempDir();
    const [old, dataDir, file] = [join(dir.path, "old"), join(dir.path, "data"), join(dir.path, "backup.db")];
    await createSqliteDatabase(old, "from the backup");
    const db = openDatabase(old);
    await backUp(db.$client.filename, file);
    closeDatabase(db);
    await createSqliteDatabase(dataDir, "previous");

    const previous = await restore(file, dataDir, { now: NOW });
    expect(names(join(dataDir, "stillup.db"))).toEqual(["from the backup"]);
    expect(previous).toBe(join(dataDir, "stillup.db.before-restore-2026-11-21T10-30-00.000Z"));
    expect(findDamage(previous ?? "")).toEqual([]);
    expect(await restore(previous ?? "", dataDir, { now: NOW + 1 })).toBeDefined();
    expect(names(join(dataDir, "stillup.db"))).toEqual(["previous"]);
  });

  test("is restored into a new directory", async () => {
    using dir = tempDir();
    await createSqliteDatabase(join(dir.path, "old"), "A");
    const given: [string, string] = [join(dir.path, "old", "stillup.db"), join(dir.path, "new")];
    const shown: Progress[] = [];
    const onProgress = (progress: Progress) => shown.push(progress);
    expect(await restore(...given, { now: NOW, onProgress })).toBeUndefined();
    expect(names(join(dir.path, "new", "stillup.db"))).toEqual(["A"]);
    expect(shown[0]).toEqual({ step: "checking the backup", share: 0 });
    expect(shown).toContainEqual({ step: "restoring", share: 0 });
    expect(shown.at(-1)).toEqual({ step: "checking the database", share: 1 });
  });
});

describe("the previous database", () => {
  test.each([
    ["reads", "BEGIN; SELECT 1 FROM organizations"],
    ["has it open", "SELECT 1"],
  ])("is not replaced while another program %s", async (_, sql) => {
    using dir = tempDir();
    const [file, path] = [join(dir.path, "backup", "stillup.db"), join(dir.path, "stillup.db")];
    await createSqliteDatabase(join(dir.path, "backup"), "from the backup");
    await createSqliteDatabase(dir.path, "previous");
    const other = rename(path, "first");
    other.run(sql);
    rename(path, "second").close();
    const before = readdirSync(dir.path);
    await expect(restore(file, dir.path, { now: NOW })).rejects.toThrow("another program has");
    expect(readdirSync(dir.path).filter((name) => name !== "serve.lock")).toEqual(before);
    expect(names(path)).toEqual(["second"]);

    other.close();
    const previous = (await restore(file, dir.path, { now: NOW })) ?? "";
    expect(findDamage(previous)).toEqual([]);
    expect(names(previous)).toEqual(["second"]);
    expect(names(path)).toEqual(["from the backup"]);
  });

  test.each([
    ["it is too damaged to be read", (path: string) => overwrite(path, "x".repeat(16))],
    ["its log can't be opened", (path: string) => symlinkSync("nowhere", `${path}-shm`)],
  ])("is kept with the content of its log if %s", async (_, harm) => {
    using dir = tempDir();
    const [file, path] = [join(dir.path, "backup", "stillup.db"), join(dir.path, "stillup.db")];
    await createSqliteDatabase(join(dir.path, "backup"), "from the backup");
    await createSqliteDatabase(join(dir.path, "running"), "in the database");
    const running = rename(join(dir.path, "running", "stillup.db"), "in the log");
    for (const end of ["", "-wal"]) copyFileSync(join(dir.path, "running", `stillup.db${end}`), path + end);
    running.close();
    harm(path);

    const previous = (await restore(file, dir.path, { now: NOW })) ?? "";
    expect(names(path)).toEqual(["from the backup"]);
    overwrite(previous, "SQLite format 3\0");
    expect(names(previous)).toEqual(["in the log"]);
  });
});

describe("a log whose database was moved away", () => {
  test("is kept, and does not change the restored database", async () => {
    using dir = tempDir();
    const [file, path] = [join(dir.path, "backup", "stillup.db"), join(dir.path, "data", "stillup.db")];
    await createSqliteDatabase(join(dir.path, "backup"), "from the backup");
    await createSqliteDatabase(join(dir.path, "running"), "in the database");
    const running = rename(join(dir.path, "running", "stillup.db"), "in the log");
    mkdirSync(join(dir.path, "data"));
    for (const end of ["-wal", "-shm"])
      copyFileSync(join(dir.path, "running", `stillup.db${end}`), path + end);
    running.close();

    const log = await restore(file, join(dir.path, "data"), { now: NOW });
    expect(findDamage(path)).toEqual([]);
    expect(names(path)).toEqual(["from the backup"]);
    expect(log).toBe(`${path}.before-restore-2026-11-21T10-30-00.000Z-wal`);
    expect(existsSync(log ?? "")).toBeTrue();
  });

  test("stops a backup to the path of that database", async () => {
    using dir = tempDir();
    const file = join(dir.path, "backup.db");
    const db = openDatabase(dir.path);
    writeFileSync(`${file}-wal`, "committed");
    await expect(backUp(db.$client.filename, file)).rejects.toThrow("backup.db-wal exists already");
    expect(existsSync(file)).toBeFalse();
    closeDatabase(db);
  });
});

describe("a file that can't be restored changes nothing", () => {
  test.each([
    ["a missing file", () => {}, "does not exist"],
    [
      "not a database",
      (file: string) => writeFileSync(file, "x".repeat(20_000)),
      "is damaged and can't be restored",
    ],
    ["a damaged database", damage, "is damaged and can't be restored"],
    [
      "a database of another program",
      (file: string) => void new Sqlite(file).run("CREATE TABLE theirs (x)"),
      "is not a database of stillup",
    ],
  ])("%s", async (what, make, error) => {
    using dir = tempDir();
    const [dataDir, file] = [join(dir.path, "data"), join(dir.path, "backup.db")];
    await createSqliteDatabase(dataDir, "kept");
    if (what === "a damaged database") {
      const db = openDatabase(dataDir);
      await backUp(db.$client.filename, file);
      closeDatabase(db);
    }
    make(file);
    const before = readdirSync(dataDir);
    await expect(restore(file, dataDir, { now: NOW })).rejects.toThrow(error);
    expect(readdirSync(dataDir)).toEqual(before);
    expect(names(join(dataDir, "stillup.db"))).toEqual(["kept"]);
  });
});

test("a damaged database is refused with a clear error", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "stillup.db"), "x".repeat(20_000));
  expect(() => openDatabase(dir.path)).toThrow("stillup.db is damaged: restore a backup");
});

test("a rollback journal that a crash left is no damage: it is applied", () => {
  using dir = tempDir();
  const [file, crashed] = [join(dir.path, "a.db"), join(dir.path, "crashed.db")];
  const sqlite = new Sqlite(file);
  sqlite.run("CREATE TABLE t (x)");
  sqlite.run("INSERT INTO t VALUES (randomblob(100000))");
  // Without a cache, the transaction writes to the database before its commit.
  sqlite.run("PRAGMA cache_size = 1");
  sqlite.run("BEGIN");
  sqlite.run("UPDATE t SET x = randomblob(200000)");
  sqlite.run("INSERT INTO t VALUES (randomblob(200000))");
  for (const suffix of ["", "-journal"]) copyFileSync(file + suffix, crashed + suffix);
  sqlite.close();
  expect(findDamage(crashed)).toEqual([]);
  expect(existsSync(`${crashed}-journal`)).toBe(false);
  const rows = new Sqlite(crashed, { readonly: true }).query("SELECT length(x) AS size FROM t").all();
  expect(rows).toEqual([{ size: 100_000 }]);
});
