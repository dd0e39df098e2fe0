import { statSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { lockDirectory } from "../data-dir.ts";

/** The name of the database in a data directory. */
export const DATABASE = "stillup.db";

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
  const unlock = lockDirectory(dataDir, "serve.lock");
  if (unlock) return unlock;
  throw new AppError(
    "refused",
    `another stillup server is running on ${dataDir}: stop it, or give --data-dir`,
  );
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
