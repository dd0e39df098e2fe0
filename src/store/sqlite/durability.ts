import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { unavailable } from "../../errors.ts";
import { oncePerDatabase } from "./once-per-database.ts";
import { type Database, prepared, type Queries } from "./open.ts";

/*
 * By default a commit waits until it is on the disk (`open.ts`), and blocks the event loop meanwhile. That is for the few
 * changes by users. Frequent writes commit without a sync. If a caller must know that such a commit survives a power
 * failure, such as a check-in before its answer, it awaits `syncWal`, which runs on another thread. A crash of the process
 * alone loses no commit.
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
 * @throws AppError `unavailable` if the sync fails; the commits stay in the database
 */
export function syncWal(db: Database): Promise<void> {
  return logOf(db).sync();
}

/** Closes the file descriptor of the log. To be called before the database is closed. */
export function closeLog(db: Database): void {
  logOf(db).close();
}

const logOf = oncePerDatabase((db) => createSyncedLog(`${db.$client.filename}-wal`));

/**
 * Syncs a file, one sync at a time (group commit). Calls during a sync share the next sync, because the current one may
 * have begun before their commits, and parallel syncs slow each other down.
 */
function createSyncedLog(path: string) {
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
      await file?.datasync();
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
