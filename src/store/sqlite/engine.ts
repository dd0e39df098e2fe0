import { statSync } from "node:fs";
import { join } from "node:path";
import { StorageFault } from "../../errors.ts";
import type { Tx } from "../tx.ts";
import { DATABASE } from "./data-dir.ts";
import { closeDatabase, connect, type Database, dataVersion, isStorageFault, openDatabase } from "./open.ts";
import * as tables from "./schema.ts";

/**
 * The embedded engine: one connection writes, another one reads. A transaction spans several turns of the microtask
 * queue, so each connection serves one piece of work at a time; reads see only what is committed.
 */
export interface Engine {
  /** Runs work in a transaction: all of it is committed, or nothing if it throws. */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** The same without waiting for the disk: see `durability.ts`. */
  writeWithoutSync<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs reads on one snapshot. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs synchronous work that begins its own transaction, if it needs one. */
  writeDirectly<Result>(work: (db: Database) => Result): Promise<Awaited<Result>>;
  /** For synchronous reads. */
  reader: Database;
  /** Only for what concerns no transaction, such as tests of the engine. */
  writer: Database;
  /** A number that changes with each commit of another process. */
  foreignVersion(): number;
  /** The size of each file of the database, in bytes, by its name. */
  fileSizes(): Record<string, number>;
  close(): void;
}

export function openEngine(dataDir: string, migrations?: Parameters<typeof openDatabase>[1]): Engine {
  const writer = openDatabase(dataDir, migrations);
  const reader = connect(writer);
  reader.$client.run("PRAGMA query_only = ON");
  const writes = createQueue();
  const reads = createQueue();
  return {
    write: (work) => writes(() => transact(writer, "BEGIN IMMEDIATE", work)),
    writeWithoutSync: (work) =>
      writes(async () => {
        writer.$client.run("PRAGMA synchronous = NORMAL");
        try {
          return await transact(writer, "BEGIN IMMEDIATE", work);
        } finally {
          writer.$client.run("PRAGMA synchronous = FULL");
        }
      }),
    read: (work) => reads(() => transact(reader, "BEGIN", work)),
    async writeDirectly<Result>(work: (db: Database) => Result): Promise<Awaited<Result>> {
      return await writes(async () => work(writer));
    },
    reader,
    writer,
    foreignVersion: () => dataVersion(writer),
    fileSizes: () =>
      Object.fromEntries([DATABASE, `${DATABASE}-wal`].map((name) => [name, sizeOf(join(dataDir, name))])),
    close() {
      closeDatabase(reader);
      closeDatabase(writer);
    },
  };
}

async function transact<Result>(
  db: Database,
  begin: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  db.$client.run(begin);
  try {
    const result = await work({ db, tables });
    db.$client.run("COMMIT");
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some errors, such as a full disk.
    if (db.$client.inTransaction) db.$client.run("ROLLBACK");
    throw error;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Wraps faults of the storage, so that no other part knows the codes of this engine. */
export function classified(error: unknown): unknown {
  return isStorageFault(error) ? new StorageFault(error) : error;
}

/** Runs one piece of work after the other, in the order of the calls. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work).catch((error) => {
      throw classified(error);
    });
    last = result.catch(() => {});
    return result;
  };
}
