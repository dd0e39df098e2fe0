import { Database as Sqlite } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { commitWithoutSync, doubtLog, repairLog, syncWal } from "../../../src/store/sqlite/durability.ts";
import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { eventually } from "../../support/eventually.ts";
import { tempDir } from "../../support/temp-dir.ts";

let dir: ReturnType<typeof tempDir>;
let db: Database;
let log: string;

beforeEach(() => {
  dir = tempDir();
  db = openDatabase(dir.path);
  log = join(dir.path, "stillup.db-wal");
  commitWithoutSync(db, () => db.$client.run("CREATE TABLE t (x)"));
});

afterEach(() => dir[Symbol.dispose]());

/** How many descriptors of this process refer to files whose path begins with a text, deleted files included. */
function descriptorsOf(path: string): number {
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return targets.filter((target) => target.startsWith(path)).length;
}

test("calls during a sync share the next sync", async () => {
  const ended: string[] = [];
  const first = syncWal(db).then(() => ended.push("first"));
  await Promise.resolve();
  const [second, third] = [syncWal(db), syncWal(db)];
  expect(third).toBe(second);
  await Promise.all([first, second.then(() => ended.push("second"))]);
  expect(ended).toEqual(["first", "second"]);
  closeDatabase(db);
});

test("all syncs use one descriptor, which is closed with the database", async () => {
  const ofSqlite = descriptorsOf(log);
  let ended = false;
  let most = 0;
  const syncs: Promise<void>[] = [];
  for (let count = 0; count < 100; count++) {
    syncs.push(syncWal(db));
    await Promise.resolve();
  }
  void Promise.all(syncs).then(() => {
    ended = true;
  });
  await eventually(() => {
    most = Math.max(most, descriptorsOf(log));
    return ended;
  });
  expect(Math.max(most, descriptorsOf(log))).toBe(ofSqlite + 1);
  closeDatabase(db);
  await eventually(() => descriptorsOf(log) === 0);
});

test("a sync fails if the log was deleted or moved, and syncs the new log if it was replaced", async () => {
  await syncWal(db);
  renameSync(log, `${log}-moved`);
  await expect(syncWal(db)).rejects.toMatchObject({ kind: "unavailable" });
  copyFileSync(`${log}-moved`, log);
  await syncWal(db);
  rmSync(log);
  await expect(syncWal(db)).rejects.toMatchObject({ kind: "unavailable" });
  renameSync(`${log}-moved`, log);
  await syncWal(db);
  closeDatabase(db);
});

test("a failed sync rejects all calls that share it, and no later call", async () => {
  await syncWal(db);
  renameSync(log, `${log}-moved`);
  const shared = await Promise.allSettled([syncWal(db), syncWal(db)]);
  expect(shared.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  renameSync(`${log}-moved`, log);
  await syncWal(db);
  closeDatabase(db);
});

test("behavior 1.51: after a failed sync no sync succeeds until the log has been written again, unchanged", async () => {
  await syncWal(db);
  doubtLog(db);
  await expect(syncWal(db)).rejects.toMatchObject({ kind: "unavailable" });
  const before = readFileSync(log);
  expect(before.length).toBeGreaterThan(0);
  repairLog(db);
  expect(readFileSync(log).equals(before)).toBeTrue();
  await syncWal(db);
  closeDatabase(db);
});

test("a log in doubt that can't be written again stays in doubt", async () => {
  await syncWal(db);
  doubtLog(db);
  const other = new Sqlite(db.$client.filename);
  other.run("BEGIN IMMEDIATE");
  db.$client.run("PRAGMA busy_timeout = 0");
  expect(() => repairLog(db)).toThrow("database is locked");
  await expect(syncWal(db)).rejects.toMatchObject({ kind: "unavailable" });
  other.run("ROLLBACK");
  other.close();
  repairLog(db);
  await syncWal(db);
  closeDatabase(db);
});
