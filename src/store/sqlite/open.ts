import type { Database as Sqlite, Statement } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { AppError } from "../../errors.ts";
import { createDataDir, privateFile } from "../data-dir.ts";
import { openSqlite } from "../sqlite-file.ts";
import { overwriteBackup } from "./backup.ts";
import { DATABASE } from "./data-dir.ts";
import { type Database, isStorageFault, spelled } from "./database.ts";
import { closeLog } from "./durability.ts";
import { isEmpty, migrate, migrations } from "./migrate.ts";

const LOCK_WAIT = 5000;

/**
 * Opens the database of a data directory, creates both if they do not exist, and migrates the database.
 *
 * @param texts the SQL of all migrations, oldest first
 * @throws AppError `refused` if the database is damaged, or a newer version of stillup or another program created it
 */
export function openDatabase(dataDir: string, texts = migrations): Database {
  createDataDir(dataDir);
  const isNew = !existsSync(join(dataDir, DATABASE));
  const path = privateFile(dataDir, DATABASE);
  const sqlite = openSqlite(path);
  try {
    const db = databaseOn(sqlite, {});
    configureFile(sqlite);
    migrate(sqlite, (version) => overwriteBackup(sqlite, `${path}.before-migration-${version}`), texts);
    return db;
  } catch (error) {
    if (isNew) deleteCreated(sqlite);
    sqlite.close();
    if (isDamage(error)) throw new AppError("refused", `${path} is damaged: restore a backup`);
    // An error of SQLite does not name the file.
    throw isStorageFault(error) ? Object.assign(error as Error, { path, syscall: "open" }) : error;
  }
}

/** Deletes a database that could not be created, unless another process uses it meanwhile. */
function deleteCreated(sqlite: Sqlite): void {
  try {
    if (!isEmpty(sqlite)) return;
    // Fails if there is another connection.
    sqlite.run("PRAGMA journal_mode = DELETE");
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY")) return;
  }
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(sqlite.filename + suffix, { force: true });
}

/** Opens another connection to an open database, without migrations. */
export function connect({ $client, shared }: Database): Database {
  return databaseOn(openSqlite($client.filename), shared);
}

/** Configures a connection. @param shared see `Database` */
export function databaseOn(sqlite: Sqlite, shared: object): Database {
  configureConnection(sqlite);
  const statements = new Map<string, Statement>();
  return Object.assign(drizzle(keepingStatements(sqlite), { casing: "snake_case" }), {
    $client: sqlite,
    shared,
    statements,
    lockWait: LOCK_WAIT,
  });
}

/** The statements that drizzle builds are kept, most of which have few texts. A list of values may have many. */
const MAX_KEPT = 500;

/** The same database for drizzle, which prepares each statement for each run: that takes longer than most runs. */
function keepingStatements(sqlite: Sqlite): Sqlite {
  const kept = new Map<string, Statement>();
  const prepare = (sql: string) => {
    const known = kept.get(sql);
    if (known) return known;
    // A statement may still be used by a query that was prepared for good, so that only the garbage collector ends it.
    if (kept.size >= MAX_KEPT) kept.clear();
    const statement = sqlite.prepare(spelled(sql));
    kept.set(sql, statement);
    return statement;
  };
  return { prepare, exec: sqlite.exec.bind(sqlite), transaction: sqlite.transaction.bind(sqlite) } as Sqlite;
}

export function closeDatabase(db: Database): void {
  closeLog(db);
  // SQLite leaves a database open as long as one of its statements exists.
  for (const statement of db.statements.values()) statement.finalize();
  db.$client.close(false);
}

/** The settings of a database file. */
function configureFile(sqlite: Sqlite): void {
  // Has an effect only in a database without tables, so it precedes the migrations. It would write, and sync, at each start.
  const { auto_vacuum } = sqlite.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get() ?? {};
  if (auto_vacuum !== INCREMENTAL) sqlite.run("PRAGMA auto_vacuum = INCREMENTAL");
  sqlite.run("PRAGMA journal_mode = WAL");
}

/** The answer of `PRAGMA auto_vacuum` for a database that can give pages back. */
const INCREMENTAL = 2;

function configureConnection(sqlite: Sqlite): void {
  sqlite.run(`PRAGMA busy_timeout = ${LOCK_WAIT}`);
  // Commits survive a power failure, not only a crash of stillup. See `durability.ts` for the exceptions.
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  // `checkpoint-worker.ts` runs the checkpoints. Only a commit that finds more pages in the log runs one itself.
  sqlite.run("PRAGMA wal_autocheckpoint = 4000");
  // Bytes. A long read lets the log grow without limit. SQLite truncates it when it reuses the log.
  sqlite.run(`PRAGMA journal_size_limit = ${32 * 1024 * 1024}`);
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test((error as { code?: string }).code ?? "");
}
