import { statSync } from "node:fs";
import { join } from "node:path";
import { StorageFault } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Tx } from "../tx.ts";
import { DATABASE } from "./data-dir.ts";
import {
  type Database,
  dataVersion,
  isStorageFault,
  oncePerDatabase,
  prepared,
  rowsOf,
  setsOf,
  sqlOf,
} from "./database.ts";
import { doubtLog, doubtLogAfter, isLogInDoubt, repairLog } from "./durability.ts";
import { closeDatabase, connect, openDatabase } from "./open.ts";
import { readsOf } from "./results/reads.ts";
import * as tables from "./schema.ts";
import { rollupCacheOf } from "./statistics/statistics.ts";

/**
 * The connections of the embedded engine: one writes, the others read only what is committed. A transaction contains
 * awaits, so each connection runs one transaction at a time, from a queue. Direct reads have a connection of their own.
 *
 * Errors of the disk or the lock are thrown as `StorageFault`.
 */
export interface Connections
  extends Pick<
    Engine,
    "write" | "writeApart" | "writeMany" | "writeWithoutSync" | "read" | "poll" | "editMark"
  > {
  /** Runs synchronous work in the queue for writes. The work begins its own transaction, if it needs one. */
  writeDirectly<Result>(work: (db: Database) => Result): Promise<Awaited<Result>>;
  /** Writes the log again if a sync of it may have failed: see `durability.ts`. */
  repairLog(): Promise<void>;
  /** Runs a read that needs no snapshot, and therefore no queue. */
  readDirectly<Result>(work: (db: Database) => Result): Promise<Awaited<Result>>;
  /** The connection for direct reads. */
  reader: Database;
  /** The connection for writes. It bypasses the queue: only within a write, and for tests and tools. */
  writer: Database;
  /** @param listener called after each write */
  onWrite(listener: () => void): void;
  /** A number that changes with each commit of another process. */
  foreignVersion(): number;
  /** The size in bytes of the database and of its write-ahead log, by file name. */
  fileSizes(): Record<string, number>;
  close(): void;
}

/*
 * SQLite waits for the lock of another process within the call, which blocks the event loop. A write therefore waits there for
 * `LOCK_ATTEMPT` only, and then gives the event loop `LOCK_PAUSE` before it tries again; both in milliseconds.
 */
const LOCK_ATTEMPT = 10;
const LOCK_PAUSE = 10;

/** @param migrations all migrations, oldest first @throws AppError `refused`: see `openDatabase` */
export function openConnections(
  dataDir: string,
  migrations?: Parameters<typeof openDatabase>[1],
): Connections {
  const hasLog = sizeOf(join(dataDir, `${DATABASE}-wal`)) > 0;
  const writer = openDatabase(dataDir, migrations);
  if (hasLog) doubtLog(writer);
  const sizes = () =>
    Object.fromEntries([DATABASE, `${DATABASE}-wal`].map((name) => [name, sizeOf(join(dataDir, name))]));
  const [reader, snapshots] = [connect(writer), connect(writer)];
  for (const one of [reader, snapshots]) one.$client.run("PRAGMA query_only = ON");
  return connectionsOf({ writer, reader, snapshots }, sizes);
}

/** Direct reads have a connection of their own: they must not see the older snapshot of a read that has not ended. */
type Opened = Record<"writer" | "reader" | "snapshots", Database>;

/** In KiB. With the 2 MB of SQLite, each of 15,000 monitors that are recorded in turns is read from the system again. */
export const USUAL_CACHE = "PRAGMA cache_size = -16000";

/** @param fileSizes see `Connections` */
export function connectionsOf(
  { writer, reader, snapshots }: Opened,
  fileSizes: Connections["fileSizes"],
): Connections {
  writer.$client.run(`PRAGMA busy_timeout = ${LOCK_ATTEMPT}`);
  writer.$client.run(USUAL_CACHE);
  const inTurn = createQueue();
  let onWrite = () => {};
  const writes: typeof inTurn = (work) =>
    inTurn(async () => {
      try {
        const result = await whenUnlocked(writer, () => {
          repairLog(writer);
          return work();
        });
        rollupCacheOf(writer).forgetLate();
        onWrite();
        return result;
      } catch (error) {
        doubtLogAfter(writer, error);
        throw error;
      }
    });
  const reads = createQueue();
  let edits = 0;
  const edit = async <Result>(work: (tx: Tx) => Promise<Result>) => {
    const result = await transact(writer, "BEGIN IMMEDIATE", work);
    edits++;
    return result;
  };
  async function readDirectly<Result>(work: (db: Database) => Result): Promise<Awaited<Result>> {
    try {
      return await work(reader);
    } catch (error) {
      throw classified(error);
    }
  }
  return {
    editMark: () => `${edits} ${dataVersion(writer)}`,
    write: (work) => writes(() => edit(work)),
    writeApart: (work) => writes(() => transact(writer, "BEGIN IMMEDIATE", work)),
    // Nothing else writes meanwhile.
    writeMany: (work) => writes(() => edit((tx) => work(tx, async () => {}))),
    writeWithoutSync: (work) =>
      writes(async () => {
        writer.$client.run("PRAGMA synchronous = NORMAL");
        try {
          return await transact(writer, "BEGIN IMMEDIATE", work);
        } finally {
          writer.$client.run("PRAGMA synchronous = FULL");
        }
      }),
    read: (work) => reads(() => transact(snapshots, "BEGIN", work)),
    poll: <Row>(text: string, values?: readonly unknown[]) =>
      readDirectly((db) => rowsOf<Row>(db, text, values)),
    readDirectly,
    async writeDirectly<Result>(work: (db: Database) => Result): Promise<Awaited<Result>> {
      return await writes(async () => work(writer));
    },
    async repairLog() {
      // Each piece of work in the queue repairs the log first.
      if (isLogInDoubt(writer)) await writes(async () => {});
    },
    reader,
    writer,
    onWrite(listener) {
      onWrite = listener;
    },
    foreignVersion: () => dataVersion(writer),
    fileSizes,
    close() {
      closeDatabase(reader);
      closeDatabase(snapshots);
      closeDatabase(writer);
    },
  };
}

/** Repeats work that failed because another process locks the database: it has changed nothing. */
async function whenUnlocked<Result>({ lockWait }: Database, work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + lockWait;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== "SQLITE_BUSY" || performance.now() >= end) throw error;
    }
    await Bun.sleep(LOCK_PAUSE);
  }
}

async function transact<Result>(
  db: Database,
  begin: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  prepared(db, begin).run();
  try {
    const result = await work(txOf(db));
    prepared(db, "COMMIT").run();
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some errors, such as a full disk.
    if (db.$client.inTransaction) db.$client.run("ROLLBACK");
    throw error;
  }
}

const txOf = oncePerDatabase((db): Tx => {
  const lock = async () => {};
  return {
    db,
    tables,
    ...sqlOf(db),
    sets: setsOf(db),
    reads: readsOf(db),
    lockStates: lock,
    lockChannels: lock,
  };
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** @returns a `StorageFault` for an error of the disk or the lock, so that other rooms need no codes of SQLite */
export function classified(error: unknown): unknown {
  return isStorageFault(error) ? new StorageFault(error) : error;
}

/** A queue that runs one piece of work at a time, in the order of the calls. */
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
