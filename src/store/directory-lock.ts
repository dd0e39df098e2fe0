import { Database as Sqlite } from "bun:sqlite";
import { createDataDir, privateFile } from "./data-dir.ts";

/**
 * Locks a directory for one process. A transaction that never ends holds a lock of the operating system, which ends with
 * the process, also after a crash.
 *
 * @param file the name of the file for the lock, which is created with the directory if it is missing
 * @returns releases the lock; undefined if another process has it
 */
export function lockDirectory(directory: string, file: string): (() => void) | undefined {
  createDataDir(directory);
  const lock = new Sqlite(privateFile(directory, file));
  try {
    // The transaction writes nothing and needs no journal file.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    return undefined;
  }
  return () => lock.close();
}
