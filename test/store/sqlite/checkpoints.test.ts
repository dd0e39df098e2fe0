import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../../src/log.ts";
import { startCheckpoints } from "../../../src/store/sqlite/checkpoints.ts";
import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { eventually } from "../../support/eventually.ts";
import { tempDir } from "../../support/temp-dir.ts";

const entry = new URL("../../../src/store/sqlite/checkpoint-worker.ts", import.meta.url);
const log = createLogger({ level: "silent", format: "json" });

test("what is committed gets into the database beside the thread that commits, and nothing is left of the log", async () => {
  using dir = tempDir();
  const db = openDatabase(dir.path);
  const path = join(dir.path, "stillup.db");
  const checkpoints = startCheckpoints(entry, path, log);
  // Some 2 MB: more than is worth it for the thread, and less than a commit would take itself.
  db.$client.run("CREATE TABLE blobs AS SELECT randomblob(2000000) AS blob");
  const counts = () =>
    db.$client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get();
  expect(counts()?.log).toBeGreaterThan(450);
  await eventually(() => counts()?.checkpointed === counts()?.log);
  await checkpoints.stop();
  closeDatabase(db);
  expect(existsSync(`${path}-wal`)).toBeFalse();
});

test("a log that grew while somebody read for long is cut once it begins again", async () => {
  using dir = tempDir();
  const db = openDatabase(dir.path);
  const path = join(dir.path, "stillup.db");
  const checkpoints = startCheckpoints(entry, path, log);
  db.$client.run("CREATE TABLE blobs (blob)");
  const reader = new Sqlite(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM blobs").get();
  // What was committed since the reader began can't be brought to the database to its end, so that the log grows.
  for (let at = 0; at < 50; at++) db.$client.run("INSERT INTO blobs VALUES (randomblob(2000000))");
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(100_000_000);
  reader.run("COMMIT");
  reader.close();
  await eventually(() => {
    db.$client.run("INSERT INTO blobs VALUES (1)");
    return statSync(`${path}-wal`).size < 50_000_000;
  });
  await checkpoints.stop();
  closeDatabase(db);
}, 30_000);
