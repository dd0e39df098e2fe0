import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { unavailable } from "../../errors.ts";
import { IN_MEMORY } from "../sqlite-file.ts";
import type { Queries } from "../tx.ts";
import { type Database, oncePerDatabase, oncePerEngine, prepared } from "./database.ts";

/*
 * By default a commit waits until it is on the disk (`open.ts`), and blocks the event loop meanwhile. That is for the few
 * changes by users. Frequent writes commit without a sync. If a caller must know that such a commit survives a power
 * failure, such as a check-in before its answer, it awaits `syncWal`, which runs on another thread. A crash of the process
 * alone loses no commit.
 *
 * After a failed sync, Linux takes the pages for written: the next sync succeeds without them, and a power failure then cuts
 * the log before them, with all later commits. Therefore each write, and each sync of results, first repairs a log that is in
 * doubt (`repairLog`), and `syncWal` fails until then (behavior 1.51). PostgreSQL ends instead, and repairs at its start. But a
 * monitor that ends on a disk with faults would check nothing.
 */

/** Runs a synchronous transaction that is on the disk a little later. */
export function commitWithoutSync<Result>(db: Database, work: (tx: Queries) => Result): Result {
  db.$client.run("PRAGMA synchronous = NORMAL");
  try {
    return transact(db, work);
  } finally {
    db.$client.run("PRAGMA synchronous = FULL");
  }
}

/** The transaction of drizzle creates its objects for each call, which takes as long as one recording. */
function transact<Result>(db: Database, work: (tx: Queries) => Result): Result {
  const { $client } = db;
  prepared(db, "BEGIN IMMEDIATE").run();
  try {
    const result = work(db);
    prepared(db, "COMMIT").run();
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some errors, such as a full disk.
    if ($client.inTransaction) $client.query("ROLLBACK").run();
    throw error;
  }
}

/**
 * Resolves when all previous commits are on the disk.
 *
 * @throws AppError `unavailable` if the sync fails, or if one has failed since the last write; the commits stay in the
 *   database
 */
export function syncWal(db: Database): Promise<void> {
  return logOf(db).sync();
}

const NEWEST = "SELECT max(pk) AS pk FROM deliveries";

/** The newest delivery that this process knows to be on the disk. Numbers are never reused. */
const synced = oncePerEngine(() => ({ pk: 0 }));

export async function syncResults(db: Database): Promise<void> {
  const newest = prepared<{ pk: number | null }, []>(db, NEWEST).get()?.pk ?? 0;
  await syncWal(db);
  const newestSynced = synced(db);
  newestSynced.pk = Math.max(newestSynced.pk, newest);
}

export function isSynced(db: Database, pk: number): boolean {
  return pk <= synced(db).pk;
}

/** Deliveries up to this number may be on the disk. Before the first sync of this process nothing is known, and `isSynced` decides. */
export function syncedUpTo(db: Database): number {
  return synced(db).pk || Number.MAX_SAFE_INTEGER;
}

/** To be called with each error of a connection, because the sync of a commit may have failed. */
export function doubtLogAfter(db: Database, error: unknown): void {
  if ((error as { code?: string }).code?.startsWith("SQLITE_IOERR")) doubtLog(db);
}

/** A process that ended may have left a log after a sync that failed. */
export function doubtLog(db: Database): void {
  doubt(db).exists = true;
}

export function isLogInDoubt(db: Database): boolean {
  return doubt(db).exists;
}

/**
 * After a failed sync, writes the log again, so that Linux writes it to the disk again. To be called before a transaction.
 *
 * @throws the error of the disk or the lock; the log then stays in doubt
 */
export function repairLog(db: Database): void {
  if (!doubt(db).exists) return;
  // No other process may write to the log meanwhile.
  db.$client.run("BEGIN IMMEDIATE");
  try {
    rewrite(walOf(db));
    doubt(db).exists = false;
  } finally {
    db.$client.run("ROLLBACK");
  }
}

const doubt = oncePerEngine(() => ({ exists: false }));

function rewrite(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })) return;
  const file = openSync(path, "r+");
  try {
    const part = Buffer.alloc(1024 * 1024);
    for (let at = 0, length = 1; length > 0; at += length) {
      length = readSync(file, part, 0, part.length, at);
      writeSync(file, part, 0, length, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function walOf(db: Database): string {
  return `${db.$client.filename}-wal`;
}

/** Closes the file descriptor of the log. To be called before the database is closed. */
export function closeLog(db: Database): void {
  logOf(db).close();
}

const logOf = oncePerDatabase((db) =>
  db.$client.filename === IN_MEMORY ? NO_LOG : createSyncedLog(walOf(db), doubt(db)),
);

/** A database in memory is as durable as its process. */
const NO_LOG: ReturnType<typeof createSyncedLog> = { sync: async () => {}, close() {} };

/**
 * Syncs a file, one sync at a time (group commit). Calls during a sync share the next sync, because the current one may
 * have begun before their commits, and parallel syncs slow each other down.
 */
function createSyncedLog(path: string, doubt: { exists: boolean }) {
  let file: FileHandle | undefined;
  let inode: number | undefined;
  /** Resolves when the last requested sync has ended, also if it failed. */
  let last: Promise<void> = Promise.resolve();
  /** The sync that has not begun yet, which new calls share. */
  let next: Promise<void> | undefined;

  async function syncNow(): Promise<void> {
    next = undefined;
    try {
      // After a power failure SQLite would not read a log that was deleted or replaced meanwhile.
      if (statSync(path).ino !== inode) await reopen();
      if (doubt.exists) throw new Error("a sync of the log failed, and nothing has been written since");
      await file?.datasync().catch((error) => {
        doubt.exists = true;
        throw error;
      });
      // Another sync, such as the sync of a commit, has failed meanwhile.
      if (doubt.exists) throw new Error("another sync of the log failed");
    } catch (cause) {
      await release();
      throw unavailable(cause);
    }
  }

  async function reopen(): Promise<void> {
    await release();
    file = await open(path);
    inode = (await file.stat()).ino;
  }

  async function release(): Promise<void> {
    const previous = file;
    file = inode = undefined;
    await previous?.close().catch(() => {});
  }

  return {
    sync(): Promise<void> {
      if (next) return next;
      next = last.then(syncNow);
      last = next.catch(() => {});
      return next;
    },
    close(): void {
      last = last.then(release);
    },
  };
}
