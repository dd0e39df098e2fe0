import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { unavailable } from "../../errors.ts";
import { oncePerDatabase } from "./once-per-database.ts";
import type { Database, Queries } from "./open.ts";

/*
 * A commit waits until it is on the disk (`open.ts`), and everybody else with it: a disk may take its time. That is for
 * the few changes that users make. What happens all the time is committed without the wait, and whoever must know that
 * it outlives a power cut waits aside. A crash of the process takes nothing back either way.
 */

/** Runs a transaction that is on the disk a little later. */
export function commitWithoutSync<Result>(db: Database, work: (tx: Queries) => Result): Result {
  db.$client.run("PRAGMA synchronous = NORMAL");
  try {
    return db.transaction(work, { behavior: "immediate" });
  } finally {
    db.$client.run("PRAGMA synchronous = FULL");
  }
}

/**
 * Resolves when all that was committed before is on the disk.
 *
 * @throws AppError `unavailable` where the disk does not take it; what was committed is in the database all the same
 */
export function syncWal(db: Database): Promise<void> {
  return logOf(db).sync();
}

/** Gives back the descriptor of the log. To be called when the database is closed. */
export function closeLog(db: Database): void {
  logOf(db).close();
}

const logOf = oncePerDatabase((db) => createSyncedLog(`${db.$client.filename}-wal`));

/**
 * Syncs a file, one sync at a time. Calls made while a sync runs share the next one: what they wait for may have been
 * written too late for the sync that runs, and several at once only slow each other down.
 */
function createSyncedLog(path: string) {
  let file: FileHandle | undefined;
  let inode: number | undefined;
  /** Settles when the last sync that was asked for has ended; never rejects. */
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function syncNow(): Promise<void> {
    next = undefined;
    try {
      // A log that was deleted or replaced is not what SQLite reads after a power cut.
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
    const former = file;
    file = inode = undefined;
    await former?.close().catch(() => {});
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
