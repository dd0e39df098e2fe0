import { Database as Sqlite } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../errors.ts";
import { DATABASE, makeDataDir } from "./data-dir.ts";
import { lockDataDir } from "./lock.ts";
import { assertOurs } from "./migrate.ts";

/** The endings of the files that SQLite applies to a database when it opens it: the write-ahead log, and the rollback journal. */
const LOGS = ["-wal", "-journal"];

/**
 * Copies a database as it stands at one moment, while others may write to it. The copy appears under its name only
 * when it is whole and on the disk.
 *
 * @throws AppError `refused` where the file exists already
 */
export function backUp(sqlite: Sqlite, file: string): void {
  // SQLite would apply the log of another database to the copy.
  const taken = ["", ...LOGS].map((end) => file + end).find((path) => existsSync(path));
  if (taken) throw new AppError("refused", `${taken} exists already: a backup overwrites nothing`);
  backUpAnew(sqlite, file);
}

/** The same in place of an earlier copy, such as that of a migration that was cut off. */
export function backUpAnew(sqlite: Sqlite, file: string): void {
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  try {
    writeFileSync(partial, "", { mode: 0o600 });
    sqlite.query("VACUUM INTO ?").run(partial);
    sync(partial);
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  sync(dirname(file));
}

/**
 * Puts a backup in the place of the database of a data directory, where no server runs. The database that was there
 * is kept beside it.
 *
 * @returns where the former database is, if there was one, or where only its log was left, that log
 * @throws AppError `refused` where a server runs, another program has the database open, the file is no sound
 *   database of stillup, or what was restored is damaged
 */
export function restore(file: string, dataDir: string, now: number): string | undefined {
  assertRestorable(file);
  makeDataDir(dataDir);
  const path = join(dataDir, DATABASE);
  const incoming = `${path}.restoring`;
  const unlock = lockDataDir(dataDir);
  try {
    copy(file, incoming);
    const former = setAside(path, new Date(now).toISOString().replaceAll(":", "-"));
    renameSync(incoming, path);
    sync(dataDir);
    assertRestored(path);
    return former;
  } finally {
    rmSync(incoming, { force: true });
    unlock();
  }
}

/** What is wrong with a database; nothing where it is sound. */
export function findDamage(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    const integrity = sqlite.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    const orphans = sqlite.query("PRAGMA foreign_key_check").all();
    const words = integrity.map((row) => row.integrity_check).filter((word) => word !== "ok");
    return orphans.length === 0 ? words : [...words, `${orphans.length} rows without the row they refer to`];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    sqlite.close();
  }
}

function assertRestorable(file: string): void {
  if (!existsSync(file)) throw new AppError("refused", `${file} does not exist`);
  const [damage] = findDamage(file);
  if (damage) throw new AppError("refused", `${file} is damaged and can't be restored: ${damage}`);
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    assertOurs(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Reads it the way the next start will, with whatever lies beside it. */
function assertRestored(path: string): void {
  const [damage] = findDamage(path);
  if (damage) throw new AppError("refused", `${path} was restored but is damaged: ${damage}`);
}

function copy(from: string, to: string): void {
  rmSync(to, { force: true });
  const sqlite = new Sqlite(from, { readonly: true });
  try {
    backUp(sqlite, to);
  } finally {
    sqlite.close();
  }
}

/** Links the database under another name, so that at no moment there is none. Moves its logs, also those of a missing one. */
function setAside(path: string, stamp: string): string | undefined {
  const former = `${path}.before-restore-${stamp}`;
  const exists = existsSync(path);
  if (exists) {
    finishLog(path);
    linkSync(path, former);
  }
  // SQLite would apply a log that is left to the restored database.
  const logs = LOGS.filter((end) => existsSync(path + end));
  for (const end of logs) renameSync(path + end, former + end);
  rmSync(`${path}-shm`, { force: true });
  return exists ? former : logs.map((end) => former + end)[0];
}

/**
 * Moves what the write-ahead log holds into the database itself, and ends the log; one for which that
 * fails stays.
 *
 * @throws AppError `refused` where others have the database open
 */
function finishLog(path: string): void {
  const sqlite = new Sqlite(path);
  try {
    // Unlike a checkpoint, this is done as a whole or not at all, and by nobody but the only one who has it open.
    sqlite.run("PRAGMA journal_mode = DELETE");
  } catch (error) {
    // What else is wrong with it is no matter: it is about to be replaced, and kept as it is.
    if (!(error as { code?: string }).code?.startsWith("SQLITE_BUSY")) return;
    throw new AppError(
      "refused",
      `another program has ${path} open: end it and try again; nothing has changed`,
    );
  } finally {
    sqlite.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
