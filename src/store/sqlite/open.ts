import type { SQLQueryBindings, Database as Sqlite, Statement } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { AppError } from "../../errors.ts";
import { createDataDir, privateFile } from "../data-dir.ts";
import { openSqlite } from "../sqlite-file.ts";
import type { Sql, Tx } from "../tx.ts";
import { overwriteBackup } from "./backup.ts";
import { DATABASE } from "./data-dir.ts";
import { closeLog } from "./durability.ts";
import { isEmpty, migrate, migrations } from "./migrate.ts";
import { spelled } from "./spelling.ts";

export type Database = BunSQLiteDatabase & {
  $client: Sqlite;
  /** The same object for all connections of one engine: the key of what they share. */
  shared: object;
  /** The statements of this connection, by their SQL. To be used by `prepared`. */
  statements: Map<string, Statement>;
  /** How long a write waits while another process locks the database, in milliseconds. */
  lockWait: number;
};

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

/**
 * A statement that is prepared once for each connection, for SQL that runs for each result. Bun's own `query` keeps only
 * the 20 latest statements, and its search for one is a fifth of the time of a small statement.
 *
 * @param sql one of a fixed number of texts: see `spelling.ts`
 */
export function prepared<Row, Params extends SQLQueryBindings[]>(
  { $client, statements }: Database,
  sql: string,
): Statement<Row, Params> {
  let statement = statements.get(sql);
  if (!statement) {
    statement = $client.prepare(spelled(sql));
    statements.set(sql, statement);
  }
  return statement as Statement<Row, Params>;
}

/** The connection of a transaction, for SQL of this engine. */
export function databaseOf({ db }: Pick<Tx, "db">): Database {
  return db as Database;
}

/** The rows of a text of SQL that both engines share: see `Sql.query`. */
export function rowsOf<Row>(db: Database, text: string, values: readonly unknown[] = []): Row[] {
  const parameters = values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
  return prepared<Row, SQLQueryBindings[]>(db, text).all(...(parameters as SQLQueryBindings[]));
}

/** Runs texts of SQL that both engines share. */
export function sqlOf(db: Database): Sql {
  return { query: async <Row>(text: string, values?: readonly unknown[]) => rowsOf<Row>(db, text, values) };
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

/** Whether an error comes from the disk, a lock or damage, and not from the values to write. */
export function isStorageFault(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|(EIO|ENOSPC|EDQUOT|EROFS)$)/.test(
    code,
  );
}

/** A number that changes with each commit of another connection, such as one of the command line. */
export function dataVersion(db: Database): number {
  return db.$client.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
}

/** Creates a value once for each connection, such as a prepared statement. */
export function oncePerDatabase<Value>(create: (db: Database) => Value): (db: Database) => Value {
  const values = new WeakMap<Database, Value>();
  return (db) => {
    const value = values.get(db) ?? create(db);
    values.set(db, value);
    return value;
  };
}

/** Creates a value that all connections of one engine share, such as a cache that writes invalidate. */
export function oncePerEngine<Value>(create: () => Value): (db: Database) => Value {
  const values = new WeakMap<object, Value>();
  return ({ shared }) => {
    const value = values.get(shared) ?? create();
    values.set(shared, value);
    return value;
  };
}
