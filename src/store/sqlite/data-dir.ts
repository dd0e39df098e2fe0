import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";

/** The name of the database in a data directory. */
export const DATABASE = "stillup.db";

/** The path of the database in a data directory. @throws AppError `refused` where there is none */
export function existingDatabase(dataDir: string): string {
  const path = join(dataDir, DATABASE);
  if (!statSync(path, { throwIfNoEntry: false })) throw new AppError("refused", `${path} does not exist`);
  return path;
}

/** Makes a data directory where it is missing. Nobody but its owner can look into it. */
export function makeDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/**
 * The path of a file in a data directory, made if it is missing, that only its owner can read.
 * SQLite gives the files beside a database (`-wal`, `-shm`) the mode of the database itself.
 */
export function privateFile(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  return path;
}

/** Leaves the first owner key where only the owner of the data directory can read it. */
export function writeInitialKey(dataDir: string, key: string): void {
  const path = join(dataDir, "initial-owner-key");
  rmSync(path, { force: true });
  writeFileSync(path, `${key}\n`, { mode: 0o600, flush: true });
}
