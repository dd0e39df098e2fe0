import { Database as Sqlite } from "bun:sqlite";
import { AppError } from "../../errors.ts";
import { createDataDir, privateFile } from "../data-dir.ts";

/**
 * Locks a data directory for one server (behavior 9.16). A transaction that never ends holds a lock of the operating
 * system, which ends with the process, also after a crash.
 *
 * @returns releases the lock
 * @throws AppError `refused` if another server has the lock
 */
export function lockDataDir(dataDir: string): () => void {
  createDataDir(dataDir);
  const lock = new Sqlite(privateFile(dataDir, "serve.lock"));
  try {
    // The transaction writes nothing and needs no journal file.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    throw new AppError(
      "refused",
      `another stillup server is running on ${dataDir}: stop it, or give --data-dir`,
    );
  }
  return () => lock.close();
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
