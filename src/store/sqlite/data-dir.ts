import { existsSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { lockDirectory } from "../data-dir.ts";

/** The name of the database in a data directory. */
export const DATABASE = "stillup.db";

const LOCK = "serve.lock";

/** The path of the database in a data directory. @throws AppError `refused` if it does not exist */
export function existingDatabase(dataDir: string): string {
  const path = join(dataDir, DATABASE);
  if (!statSync(path, { throwIfNoEntry: false })) throw new AppError("refused", `${path} does not exist`);
  return path;
}

/**
 * Locks a data directory for one server (behavior 9.16).
 *
 * @returns releases the lock
 * @throws AppError `refused` if another server has the lock
 */
export function lockDataDir(dataDir: string): () => void {
  const unlock = lockDirectory(dataDir, LOCK);
  if (unlock) return unlock;
  throw new AppError(
    "refused",
    `another stillup server is running on ${dataDir}: stop it, or give --data-dir`,
  );
}

/**
 * Notes what a start on a data directory finds. To be called before anything is created.
 *
 * @returns deletes the lock and the directory if they are new and there is no database after all, so that a first start that
 *   failed leaves nothing behind; to be called by the process that has the lock
 */
export function noteBeforeStart(dataDir: string): { undo(): void } {
  const hadDirectory = existsSync(dataDir);
  const hadLock = existsSync(join(dataDir, LOCK));
  return {
    undo() {
      if (hadLock || existsSync(join(dataDir, DATABASE))) return;
      rmSync(join(dataDir, LOCK), { force: true });
      if (!hadDirectory) removeIfEmpty(dataDir);
    },
  };
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Another process has created a file in it meanwhile.
  }
}

/**
 * Locks a data directory while its database is copied, or a copy is written to it.
 *
 * @returns releases the lock
 * @throws AppError `refused` if a server, or another copy, has the lock
 */
export function lockForCopy(dataDir: string): () => void {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError("refused", `a stillup server or another copy uses ${dataDir}: end it first`);
  }
}
