import { Database as Sqlite } from "bun:sqlite";
import { AppError } from "../../errors.ts";
import { makeDataDir, privateFile } from "./data-dir.ts";

/**
 * Claims a data directory for one server. The lock is the operating system's, held through a transaction that is
 * never ended: it goes with the process, however that dies.
 *
 * @returns releases it
 * @throws AppError `refused` while another server has it
 */
export function lockDataDir(dataDir: string): () => void {
  makeDataDir(dataDir);
  const lock = new Sqlite(privateFile(dataDir, "serve.lock"));
  try {
    // Without a file for the journal of a transaction that never writes.
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
