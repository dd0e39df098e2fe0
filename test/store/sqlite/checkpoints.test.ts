import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../../src/log.ts";
import { createCheckpoints } from "../../../src/store/sqlite/driver.ts";
import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { eventually } from "../../support/eventually.ts";
import { tempDir } from "../../support/temp-dir.ts";

const entry = new URL("../../../src/store/sqlite/checkpoint-worker.ts", import.meta.url);
const log = createLogger({ level: "silent" });
const doubtLog = () => {};

test("the checkpoint thread copies commits to the database, and after it stops the log is deleted", async () => {
  using dir = tempDir();
  const db = openDatabase(dir.path);
  const path = join(dir.path, "stillup.db");
  const checkpoints = createCheckpoints(entry, path, { log, doubtLog });
  // About 2 MB: enough for the checkpoint thread, but not enough that the commit runs a checkpoint itself.
  db.$client.run("CREATE TABLE blobs AS SELECT randomblob(2000000) AS blob");
  const counts = () =>
    db.$client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get();
  expect(counts()?.log).toBeGreaterThan(450);
  await eventually(() => {
    checkpoints.committed();
    return counts()?.checkpointed === counts()?.log;
  });
  await checkpoints.stop();
  closeDatabase(db);
  expect(existsSync(`${path}-wal`)).toBeFalse();
});

test("behavior 9.111: a log that grows during a long read is reported, and truncated when SQLite reuses it", async () => {
  using dir = tempDir();
  const db = openDatabase(dir.path);
  const path = join(dir.path, "stillup.db");
  const warnings: unknown[] = [];
  const warn = (values: unknown, message: unknown) => void warnings.push({ ...(values as object), message });
  const checkpoints = createCheckpoints(entry, path, {
    log: Object.assign(createLogger({ level: "silent" }), { warn }),
    doubtLog,
  });
  db.$client.run("CREATE TABLE blobs (blob)");
  const reader = new Sqlite(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM blobs").get();
  // No checkpoint can copy the commits since the read began, so the log grows.
  for (let at = 0; at < 50; at++) db.$client.run("INSERT INTO blobs VALUES (randomblob(2000000))");
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(100_000_000);
  await eventually(() => {
    checkpoints.committed();
    return warnings.length > 0;
  });
  reader.run("COMMIT");
  reader.close();
  await eventually(() => {
    db.$client.run("INSERT INTO blobs VALUES (1)");
    checkpoints.committed();
    return statSync(`${path}-wal`).size < 50_000_000;
  });
  expect(warnings).toEqual([
    {
      file: `${path}-wal`,
      megabytes: expect.any(Number),
      message: expect.stringContaining("another program keeps a transaction open"),
    },
  ]);
  await checkpoints.stop();
  closeDatabase(db);
}, 300_000);
