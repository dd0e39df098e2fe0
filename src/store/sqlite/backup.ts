import type { Database as Sqlite } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../errors.ts";
import { createDataDir } from "../data-dir.ts";
import { damageOf, type SegmentRow } from "../results/segment-rows.ts";
import { openSqlite } from "../sqlite-file.ts";
import { DATABASE, lockDataDir } from "./data-dir.ts";
import { assertOwnDatabase } from "./migrate.ts";
import { FOUND_SEGMENT } from "./results/segments.ts";

/** Suffixes of the logs that SQLite applies when it opens a database: the write-ahead log and the rollback journal. */
const LOG_SUFFIXES = ["-wal", "-journal"];

/**
 * Writes a consistent copy of a database, while other connections may write to the database. The copy gets its name
 * after it is complete and on the disk.
 *
 * @param file the path of the copy
 * @throws AppError `refused` if the file, or a log next to it, exists already
 */
export function backUp(sqlite: Sqlite, file: string): void {
  // SQLite would apply the log of another database to the copy.
  const taken = ["", ...LOG_SUFFIXES].map((suffix) => file + suffix).find((path) => existsSync(path));
  if (taken) throw new AppError("refused", `${taken} exists already: a backup overwrites nothing`);
  const folder = dirname(file);
  if (!existsSync(folder)) throw new AppError("refused", `the directory ${folder} does not exist`);
  overwriteBackup(sqlite, file);
}

/** Like `backUp`, but replaces an existing copy, for example after an interrupted migration. */
export function overwriteBackup(sqlite: Sqlite, file: string): void {
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  try {
    // Fails if there is a file or a link, which somebody created meanwhile.
    writeFileSync(partial, "", { mode: 0o600, flag: "wx" });
    sqlite.query("VACUUM INTO ?").run(partial);
    sync(partial);
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  sync(dirname(file));
}

/**
 * Replaces the database of a data directory by a backup. The previous database is kept beside it (behavior 9.7).
 *
 * @param now milliseconds since 1970, for the name of the previous database
 * @returns the path of the previous database, or of its log if only the log existed; undefined if neither existed
 * @throws AppError `refused` if a server runs on the directory, another program has the database open, the backup is
 *   damaged or not a database of stillup, or the restored database is damaged
 */
export function restore(file: string, dataDir: string, now: number): string | undefined {
  assertRestorable(file);
  createDataDir(dataDir);
  const path = join(dataDir, DATABASE);
  const incoming = `${path}.restoring`;
  const unlock = lockDataDir(dataDir);
  try {
    copy(file, incoming);
    const previous = setAside(path, new Date(now).toISOString().replaceAll(":", "-"));
    renameSync(incoming, path);
    sync(dataDir);
    assertRestored(path);
    return previous;
  } finally {
    rmSync(incoming, { force: true });
    unlock();
  }
}

/** Whether a path that `restore` returned is the log of a database. */
export function isLog(path: string): boolean {
  return LOG_SUFFIXES.some((suffix) => path.endsWith(suffix));
}

function assertRestorable(file: string): void {
  if (!existsSync(file)) throw new AppError("refused", `${file} does not exist`);
  if (statSync(file).isDirectory()) throw new AppError("refused", `${file} is a directory`);
  const [damage] = findDamage(file);
  if (damage) throw new AppError("refused", `${file} is damaged and can't be restored: ${damage}`);
  const sqlite = openSqlite(file, { readonly: true });
  try {
    assertOwnDatabase(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Opens the database as the next start will: with the logs that are next to it. */
function assertRestored(path: string): void {
  const [damage] = findDamage(path);
  if (damage) throw new AppError("refused", `${path} was restored but is damaged: ${damage}`);
}

function copy(from: string, to: string): void {
  rmSync(to, { force: true });
  const sqlite = openSqlite(from, { readonly: true });
  try {
    backUp(sqlite, to);
  } finally {
    sqlite.close();
  }
}

/**
 * Gives the database another name, as a second link, so that the directory always has a database. Moves the logs, also
 * if the database is missing.
 *
 * @returns as `restore`
 */
function setAside(path: string, time: string): string | undefined {
  const previous = `${path}.before-restore-${time}`;
  const exists = existsSync(path);
  if (exists) {
    finishLog(path);
    linkSync(path, previous);
  }
  // SQLite would apply a remaining log to the restored database.
  const logs = LOG_SUFFIXES.filter((suffix) => existsSync(path + suffix));
  for (const suffix of logs) renameSync(path + suffix, previous + suffix);
  rmSync(`${path}-shm`, { force: true });
  return exists ? previous : logs.map((suffix) => previous + suffix)[0];
}

/**
 * Copies the write-ahead log into the database, and deletes the log. If that fails, the log stays.
 *
 * @throws AppError `refused` if another program has the database open
 */
function finishLog(path: string): void {
  const sqlite = openSqlite(path);
  try {
    // Unlike a checkpoint, this is atomic, and fails unless this is the only connection.
    sqlite.run("PRAGMA journal_mode = DELETE");
  } catch (error) {
    // Other errors do not matter: the damaged database is replaced, and kept unchanged.
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

/** @returns a text for each damage of a database; none if it is intact */
export function findDamage(file: string): string[] {
  try {
    return damagesOf(openSqlite(file, { readonly: true }));
  } catch (error) {
    if ((error as { code?: string }).code !== "SQLITE_READONLY_ROLLBACK") return [(error as Error).message];
  }
  // A crash left a rollback journal. The next start applies it too.
  try {
    return damagesOf(openSqlite(file, { readwrite: true, create: false }));
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Closes the connection. */
function damagesOf(sqlite: Sqlite): string[] {
  try {
    const integrity = sqlite.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    const orphans = sqlite.query("PRAGMA foreign_key_check").all();
    const damages = integrity.map((row) => row.integrity_check).filter((text) => text !== "ok");
    if (orphans.length > 0) damages.push(`${orphans.length} rows without the row they refer to`);
    return [...damages, ...damagedSegments(sqlite)];
  } finally {
    sqlite.close();
  }
}

/** A backup of an older version has no segments. */
function damagedSegments(sqlite: Sqlite): string[] {
  if (!sqlite.query("SELECT 1 FROM sqlite_schema WHERE name = 'result_segments'").get()) return [];
  const damages: string[] = [];
  using list = sqlite.prepare<SegmentRow, []>(`SELECT ${FOUND_SEGMENT} FROM result_segments`);
  for (const segment of list.iterate()) {
    const damage = damageOf(segment);
    if (damage) damages.push(`results ${segment.firstPk} of monitor ${segment.monitorPk}: ${damage}`);
  }
  return damages;
}
