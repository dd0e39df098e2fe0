import { Database as Sqlite } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KumaTables, readKumaDatabase } from "../../../src/store/import/kuma-database.ts";
import { createKumaDatabase } from "../../support/store/kuma-database.ts";

let folder: string;
let temporary: string;
const usual = process.env.TMPDIR;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stillup-test-"));
  temporary = join(folder, "temporary");
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
});

const SINCE = Date.parse("2026-08-24T00:00:00Z");

function read(path: string): Promise<KumaTables> {
  return readKumaDatabase(path, { since: SINCE, clock: { sleep: async () => {} } });
}

let number = 0;

/** A database of Uptime Kuma with one monitor. */
function kumaDatabase(sql = ""): { path: string; kuma: Sqlite } {
  const path = join(folder, `kuma-${number++}.db`);
  const kuma = createKumaDatabase(path);
  kuma.run(
    `INSERT INTO monitor (name, type, url) VALUES ('Shop', 'http', 'https://shop.example.com/'); ${sql}`,
  );
  return { path, kuma };
}

test("behavior 16.94: a database is read while Uptime Kuma has it open, with what is only in its log", async () => {
  const { path, kuma } = kumaDatabase(
    "CREATE TABLE api_key (id INTEGER); INSERT INTO api_key VALUES (1), (2)",
  );
  const names = readdirSync(folder);
  const files = ["", "-wal", "-shm"].map((ending) => readFileSync(path + ending));
  const { monitors, others } = await read(path);
  expect(monitors).toMatchObject([{ id: 1, name: "Shop", url: "https://shop.example.com/", interval: 20 }]);
  expect(others).toMatchObject({ api_key: 2, docker_host: 0 });
  expect(["", "-wal", "-shm"].map((ending) => readFileSync(path + ending))).toEqual(files);
  expect(readdirSync(folder)).toEqual(names);
  kuma.run("INSERT INTO monitor (name) VALUES ('Blog')");
  expect((await read(path)).monitors).toHaveLength(2);
  kuma.close();
});

test("behavior 16.94: a database is read whole while Uptime Kuma writes to it", async () => {
  const { path, kuma } = kumaDatabase("CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT)");
  kuma.run("PRAGMA wal_autocheckpoint = 4");
  let written = 0;
  for (let round = 0; round < 20; round++) {
    const reading = read(path);
    // Both rows or none of them are there after each transaction.
    for (let more = 0; more < 5; more++, written++)
      kuma.transaction(() => {
        kuma.run(`INSERT INTO monitor (name) VALUES ('${"x".repeat(3000)}')`);
        kuma.run("INSERT INTO tag (name) VALUES ('x')");
      })();
    const { monitors, tags } = await reading;
    expect(monitors.length).toBe(tags.length + 1);
    expect(tags.length).toBeLessThanOrEqual(written);
  }
  kuma.close();
});

test("behavior 16.102: version 2 has the results of each day", async () => {
  const day = Date.parse("2026-11-21T00:00:00Z") / 1000;
  const { path, kuma } =
    kumaDatabase(`INSERT INTO stat_daily VALUES (1, 1, ${day}, 12.5, 100, 2), (2, 1, ${SINCE / 1000 - 86_400}, 1, 1, 1);
    INSERT INTO heartbeat (monitor_id, status, time, ping) VALUES (1, 1, '2026-11-20 10:00:00', 5)`);
  expect((await read(path)).days).toEqual([{ monitor_id: 1, timestamp: day, up: 100, down: 2, ping: 12.5 }]);
  kuma.close();
});

test("behavior 16.102: the results of version 1 are counted by day", async () => {
  const { path, kuma } = kumaDatabase(`INSERT INTO heartbeat (monitor_id, status, time, ping) VALUES
    (1, 1, '2026-11-20 00:00:00.123', 100), (1, 1, '2026-11-20 23:59:59.999', 200), (1, 0, '2026-11-20 10:00:00', NULL),
    (1, 2, '2026-11-20 10:01:00', NULL), (1, 3, '2026-11-20 10:02:00', NULL), (1, 1, '2026-11-21 00:00:00', 7),
    (1, 1, '2026-08-23 23:59:59', 7), (2, 1, X'00', 7), (2, 'x', 'soon', 'x')`);
  const days = (await read(path)).days.filter(({ monitor_id }) => monitor_id === 1);
  expect(days).toEqual([
    { monitor_id: 1, timestamp: Date.parse("2026-11-20T00:00:00Z") / 1000, up: 2, down: 2, ping: 150 },
    { monitor_id: 1, timestamp: Date.parse("2026-11-21T00:00:00Z") / 1000, up: 1, down: 0, ping: 7 },
  ]);
  kuma.close();
});

test("behavior 16.94: only plain tables are read: no views, virtual tables and generated columns", async () => {
  const endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS name FROM n";
  const { path, kuma } = kumaDatabase(`CREATE VIEW tag AS ${endless};
    CREATE VIRTUAL TABLE maintenance USING fts5(title);
    CREATE TABLE setting (key TEXT, value TEXT, big AS (hex(zeroblob(10000000))));
    INSERT INTO setting (key, value) VALUES ('a', X'00FF');
    UPDATE monitor SET name = hex(zeroblob(500000))`);
  const { monitors, tags, maintenances, settings } = await read(path);
  expect([tags, maintenances]).toEqual([[], []]);
  expect(settings).toEqual([{ key: "a", value: null }]);
  expect(String(monitors[0]?.name)).toHaveLength(100_000);
  kuma.close();
});

test("behavior 16.94: a file that is no database of Uptime Kuma is refused, and a damaged one too", async () => {
  const { path, kuma } = kumaDatabase();
  kuma.run("PRAGMA wal_checkpoint(TRUNCATE)");
  kuma.close();
  const bytes = readFileSync(path);
  const other = join(folder, "other.db");
  new Sqlite(other, { create: true }).run("CREATE TABLE a (b)");
  await expect(read(other)).rejects.toThrow("is not a database of Uptime Kuma");
  const damaged = join(folder, "damaged.db");
  for (const damage of [
    bytes.subarray(0, 100),
    bytes.subarray(0, 5000),
    Buffer.alloc(8192, 7),
    damagedAfter(bytes, 100),
  ]) {
    writeFileSync(damaged, damage);
    await expect(read(damaged)).rejects.toThrow(/can't be read|is not a database/);
  }
  await expect(read(join(folder, "missing.db"))).rejects.toThrow("ENOENT");
  expect(readdirSync(temporary)).toEqual([]);
});

function damagedAfter(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes.subarray(0, length), Buffer.alloc(bytes.length - length, 0xab)]);
}

test("behavior 16.94: more than 20,000 monitors are refused before any is read", async () => {
  const { path, kuma } = kumaDatabase(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO monitor (name, type) SELECT 'm' || i, 'http' FROM n",
  );
  kuma.close();
  expect(read(path)).rejects.toThrow(
    "the table monitor has more than 20000 rows, which is the most that import reads",
  );
});
