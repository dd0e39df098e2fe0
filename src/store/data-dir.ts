import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { openSqlite } from "./sqlite-file.ts";

/** Creates a data directory that only its owner can read, if it does not exist. @throws AppError `refused` if it is a file */
export function createDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new AppError("refused", `${dataDir} is not a directory`);
  }
}

/**
 * Creates a file that only its owner can read, if it does not exist. SQLite gives the files next to a database (`-wal`,
 * `-shm`) the mode of the database.
 *
 * @returns the path of the file
 */
export function privateFile(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  return path;
}

/** Writes the first owner key to a file that only the owner of the data directory can read (behavior 9.15). */
export function writeInitialKey(dataDir: string, key: string): void {
  createDataDir(dataDir);
  const path = initialKeyFile(dataDir);
  rmSync(path, { force: true });
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, `${key}\n`);
    // The option `flush` of writeFileSync ignores an error of the disk.
    fsyncSync(file);
  } catch (error) {
    // An error of an open file does not name it.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  } finally {
    closeSync(file);
  }
}

/** The path of the file with the first owner key, which the operator may have deleted. */
export function initialKeyFile(dataDir: string): string {
  return join(dataDir, "initial-owner-key");
}

/** The first owner key, which may be deleted since; undefined without its file. */
export function readInitialKey(dataDir: string): string | undefined {
  return readText(initialKeyFile(dataDir));
}

/**
 * Notes when a backup of a data directory was made: beside the database, so that a restored database does not have the time of an
 * older backup.
 *
 * @param now milliseconds since 1970
 */
export function noteBackup(dataDir: string, now: number): void {
  const path = join(dataDir, LAST_BACKUP);
  const partial = `${path}.partial`;
  try {
    rmSync(partial, { force: true });
    writeFileSync(partial, `${new Date(now).toISOString()}\n`, { mode: 0o600, flag: "wx" });
    renameSync(partial, path);
  } catch {
    // The backup is complete without its note.
  }
}

/** When the last backup of a data directory was made, in milliseconds since 1970; null if none is known. */
export function lastBackup(dataDir: string): number | null {
  return Date.parse(readText(join(dataDir, LAST_BACKUP)) ?? "") || null;
}

const LAST_BACKUP = "last-backup";

/** The trimmed text of a file; undefined if it can't be read. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * Locks a directory for one process. A transaction that never ends holds a lock of the operating system, which ends with
 * the process, also after a crash.
 *
 * @param file the name of the file for the lock, which is created with the directory if it is missing
 * @returns releases the lock; undefined if another process has it
 */
export function lockDirectory(directory: string, file: string): (() => void) | undefined {
  for (;;) {
    createDataDir(directory);
    const path = privateFile(directory, file);
    const inode = inodeOf(path);
    const lock = openSqlite(path);
    if (!isLockable(lock)) return undefined;
    if (inodeOf(path) === inode) return () => lock.close();
    // A first start that failed has deleted the file: the next process would create another one, and lock that.
    lock.close();
  }
}

/** Closes a lock that another process has. */
function isLockable(lock: ReturnType<typeof openSqlite>): boolean {
  try {
    // The transaction writes nothing and needs no journal file.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    return false;
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** The last commit before the first release whose builds migrate the databases of all earlier ones, to the initial schema. */
const UPGRADED_BY = "a74cee96fdde";

/** @param name of the database, as users know it */
export function tooOld(name: string): AppError {
  return new AppError(
    "refused",
    `${name} was created by a build older than the first release: start the build of commit ${UPGRADED_BY} on it once`,
  );
}
