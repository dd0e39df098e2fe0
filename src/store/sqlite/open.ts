import { Database as Sqlite } from "bun:sqlite";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { AppError } from "../../errors.ts";
import { backUpAnew } from "./backup.ts";
import { DATABASE, makeDataDir, privateFile } from "./data-dir.ts";
import { closeLog } from "./durability.ts";
import { migrate, migrations } from "./migrate.ts";
import * as schema from "./schema.ts";

export type Database = BunSQLiteDatabase<typeof schema> & {
  $client: Sqlite;
  /** The same object for all connections of one engine: the key of what they share. */
  shared: object;
};

/** Within a transaction the same queries run on this. */
export type Queries = Pick<Database, "select" | "insert" | "update" | "delete">;

/**
 * Opens the database of a data directory, makes both where they are missing, and brings it up to date.
 *
 * @param texts the migrations that bring it there
 * @throws AppError `refused` where it is damaged, or not of this version or an older one
 */
export function openDatabase(dataDir: string, texts = migrations): Database {
  makeDataDir(dataDir);
  const path = privateFile(dataDir, DATABASE);
  const sqlite = new Sqlite(path);
  try {
    configure(sqlite);
    migrate(sqlite, (from) => backUpAnew(sqlite, `${path}.before-migration-${from}`), texts);
  } catch (error) {
    sqlite.close();
    throw isDamage(error) ? new AppError("refused", `${path} is damaged: restore a backup`) : error;
  }
  return withSchema(sqlite, {});
}

/** Another connection to an open database. */
export function connect({ $client, shared }: Database): Database {
  const sqlite = new Sqlite($client.filename);
  configure(sqlite);
  return withSchema(sqlite, shared);
}

function withSchema(sqlite: Sqlite, shared: object): Database {
  return Object.assign(drizzle(sqlite, { schema, casing: "snake_case" }), { shared });
}

export function closeDatabase(db: Database): void {
  closeLog(db);
  db.$client.close(false);
}

function configure(sqlite: Sqlite): void {
  sqlite.run("PRAGMA busy_timeout = 5000");
  // Holds only for a database without tables, so it comes before the migrations.
  sqlite.run("PRAGMA auto_vacuum = INCREMENTAL");
  sqlite.run("PRAGMA journal_mode = WAL");
  // What is acknowledged survives a power cut, not only a crash of ours.
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  // So many pages of the log are left to `checkpoint-worker.ts`; a commit that finds more brings them to the database.
  sqlite.run("PRAGMA wal_autocheckpoint = 4000");
  // Bytes: while somebody reads for long the log grows without a bound. It is cut when it begins again after that.
  sqlite.run(`PRAGMA journal_size_limit = ${32 * 1024 * 1024}`);
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test((error as { code?: string }).code ?? "");
}

/** Whether an error comes from the disk or the lock of the database, and not from what was to be written. */
export function isStorageFault(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|(EIO|ENOSPC|EDQUOT|EROFS)$)/.test(
    code,
  );
}

/** A number that changes when another connection, such as one of the command line, has committed something. */
export function dataVersion(db: Database): number {
  return db.$client.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
}

/** A number that changes whenever this connection writes; also when that is rolled back. */
export function ownChanges(db: Database): number {
  return db.$client.query<{ changes: number }, []>("SELECT total_changes() AS changes").get()?.changes ?? 0;
}
