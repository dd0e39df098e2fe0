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
import { workerUrl } from "../../worker-url.ts";
import { createDataDir } from "../data-dir.ts";
import type { Progress } from "../engine.ts";
import { damageOf, type SegmentRow } from "../results/segment-rows.ts";
import { openSqlite } from "../sqlite-file.ts";
import { DATABASE, lockDataDir } from "./data-dir.ts";
import { assertOwnDatabase } from "./migrate.ts";
import { FOUND_SEGMENT } from "./results/segments.ts";
import type { VacuumAnswer, VacuumJob } from "./vacuum-worker.ts";

/** Suffixes of the logs that SQLite applies when it opens a database: the write-ahead log and the rollback journal. */
const LOG_SUFFIXES = ["-wal", "-journal"];

/**
 * Writes a consistent copy of a database, while other connections may write to the database. The copy gets its name
 * after it is complete and on the disk. A signal that ends the process leaves no part of the copy.
 *
 * @param file the path of the copy @param onProgress gets the share that is copied, from 0 to 1
 * @throws AppError `refused` if the file, or a log next to it, exists already
 */
export async function backUp(
  from: string,
  file: string,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  // SQLite would apply the log of another database to the copy.
  const taken = ["", ...LOG_SUFFIXES].map((suffix) => file + suffix).find((path) => existsSync(path));
  if (taken) throw new AppError("refused", `${taken} exists already: a backup overwrites nothing`);
  const folder = dirname(file);
  if (!existsSync(folder)) throw new AppError("refused", `the directory ${folder} does not exist`);
  const partial = createPartial(file);
  const stopWatching = beforeSignals(partial.delete);
  try {
    await vacuumInThread({ from, to: partial.path }, onProgress);
    partial.name();
  } finally {
    stopWatching();
    partial.delete();
  }
}

/** Copies a database as `backUp` does, but at once, and replaces a copy, for example after an interrupted migration. */
export function overwriteBackup(sqlite: Sqlite, file: string): void {
  const partial = createPartial(file);
  try {
    sqlite.query("VACUUM INTO ?").run(partial.path);
    partial.name();
  } finally {
    partial.delete();
  }
}

/** An empty file for a copy. @returns gives the complete copy its name, or deletes what there is of it */
function createPartial(file: string): { path: string; name(): void; delete(): void } {
  const path = `${file}.partial`;
  const remove = () => {
    for (const suffix of ["", ...LOG_SUFFIXES]) rmSync(path + suffix, { force: true });
  };
  remove();
  // Fails if there is a file or a link, which somebody created meanwhile.
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  const name = () => {
    sync(path);
    renameSync(path, file);
    sync(dirname(file));
  };
  return { path, name, delete: remove };
}

const VACUUM_WORKER = workerUrl("store/sqlite/vacuum-worker.ts");

/** Milliseconds between two looks at the size of a copy. */
const LOOK_EVERY = 100;

async function vacuumInThread(job: VacuumJob, onProgress: (share: number) => void): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const worker = new Worker(VACUUM_WORKER, { smol: true });
  let bytes = Number.POSITIVE_INFINITY;
  worker.onerror = ({ message }) => ended.reject(new Error(message));
  worker.onmessage = ({ data }: MessageEvent<VacuumAnswer>) => {
    if (data === "done") ended.resolve();
    else if ("bytes" in data) bytes = data.bytes;
    else ended.reject(Object.assign(new Error(data.message), { code: data.code }));
  };
  const look = () =>
    onProgress(Math.min(1, (statSync(job.to, { throwIfNoEntry: false })?.size ?? 0) / bytes));
  const timer = setInterval(look, LOOK_EVERY);
  try {
    onProgress(0);
    worker.postMessage(job);
    await ended.promise;
  } finally {
    clearInterval(timer);
    worker.terminate();
  }
}

/** Cleans up before a signal ends the process. @returns a function that leaves the signals alone again */
export function beforeSignals(clean: () => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = (signal: NodeJS.Signals) => {
    stop();
    clean();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return stop;
}

/**
 * Replaces the database of a data directory by a backup. The previous database is kept beside it (behavior 9.7).
 *
 * @param options.now milliseconds since 1970, for the name of the previous database
 * @returns the path of the previous database, or of its log if only the log existed; undefined if neither existed
 * @throws AppError `refused` if a server runs on the directory, another program has the database open, the backup is
 *   damaged or not a database of stillup, or the restored database is damaged
 */
export async function restore(
  file: string,
  dataDir: string,
  { now, onProgress = () => {} }: { now: number; onProgress?: ((progress: Progress) => void) | undefined },
): Promise<string | undefined> {
  onProgress({ step: "checking the backup", share: 0 });
  assertRestorable(file);
  createDataDir(dataDir);
  const path = join(dataDir, DATABASE);
  const incoming = `${path}.restoring`;
  const unlock = lockDataDir(dataDir);
  const remove = () => rmSync(incoming, { force: true });
  try {
    remove();
    await backUp(file, incoming, (share) => onProgress({ step: "restoring", share }));
    const previous = setAside(path, new Date(now).toISOString().replaceAll(":", "-"));
    renameSync(incoming, path);
    sync(dataDir);
    onProgress({ step: "checking the database", share: 1 });
    assertRestored(path);
    return previous;
  } finally {
    remove();
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

export function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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
