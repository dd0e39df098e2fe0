import { Database as Sqlite } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { type Connections, openConnections } from "../../../src/store/sqlite/connections.ts";
import { tempDir } from "../../support/temp-dir.ts";

let dir: ReturnType<typeof tempDir>;
let connections: Connections;
let other: Sqlite;

beforeEach(() => {
  dir = tempDir();
  connections = openConnections(dir.path);
  connections.writer.$client.run("CREATE TABLE t (x)");
  other = new Sqlite(connections.writer.$client.filename);
  other.run("BEGIN IMMEDIATE");
});

afterEach(() => {
  other.close();
  connections.close();
  dir[Symbol.dispose]();
});

const write = () => connections.write((tx) => tx.query("INSERT INTO t VALUES (1) RETURNING x"));

test("a write that waits for the lock of another process lets the event loop run, and is written once after it", async () => {
  let isWritten = false;
  const written = write().then(() => {
    isWritten = true;
  });
  // The lock ends only because these reads run while the write waits.
  for (let reads = 0; reads < 5; reads++) {
    await Bun.sleep(0);
    expect(await connections.poll("SELECT x FROM t")).toEqual([]);
  }
  expect(isWritten).toBeFalse();
  other.run("ROLLBACK");
  await written;
  expect(await connections.poll("SELECT x FROM t")).toEqual([{ x: 1 }]);
});

test("a write whose wait for the lock ends fails as a fault of the storage, and nothing is written", async () => {
  connections.writer.lockWait = 1;
  await expect(write()).rejects.toBeInstanceOf(StorageFault);
  other.run("ROLLBACK");
  expect(await connections.poll("SELECT x FROM t")).toEqual([]);
});
