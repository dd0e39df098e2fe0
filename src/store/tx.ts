import type { Column, SQL } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Author } from "../domain/accounts/audit.ts";
import type { EngineReads } from "./engine-queries.ts";
import type { DamagedSegments } from "./results/segment-rows.ts";
import type { Tables } from "./tables/tables.ts";

/** The part of a connection or a transaction that queries use. */
export type Queries = Pick<BunSQLiteDatabase<Tables>, "select" | "insert" | "update" | "delete">;

/** Runs statements. */
export interface Sql {
  /**
   * Runs one text on either engine: in the words of PostgreSQL, which `sqlite/spelling.ts` knows.
   *
   * @param values of `$1`, `$2`, ...; an array is one parameter, for `= ANY($1)`
   * @returns the rows. On SQLite, JSON is text (see `fromJson`), and a boolean is 0 or 1
   */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** On PostgreSQL: the segments that reads left out. */
  damaged?: DamagedSegments | undefined;
}

/** The value of a column of JSON: one engine parses it, and the other returns its text. */
export function fromJson<Value>(value: Value | string): Value {
  return typeof value === "string" ? JSON.parse(value) : value;
}

/** The values of one row to change. @property where finds it: columns that are equal to these values, an indexed one first */
export interface RowUpdate<Table extends SQLiteTable> {
  where: Partial<Table["$inferSelect"]>;
  set: Partial<Table["$inferSelect"]>;
}

/**
 * Statements about many rows at once. The database may be some milliseconds away, so the number of statements must not grow with
 * the number of rows, except by batches of some thousands. All rows of a call have the same columns.
 */
export interface Sets {
  /** The condition that a number or text is one of some values, which are one parameter. */
  among(column: Column | SQL, values: readonly number[] | readonly string[]): SQL;
  /** The same in a statement that is prepared (`preparedOnce`). @param name of the values: see `list` */
  amongNamed(column: Column, name: string): SQL;
  /** The values of `amongNamed`, as they are given to its statement. */
  list(values: readonly number[] | readonly string[]): unknown;
  insert<Table extends SQLiteTable>(table: Table, rows: readonly Table["$inferInsert"][]): Promise<void>;
  update<Table extends SQLiteTable>(table: Table, rows: readonly RowUpdate<Table>[]): Promise<void>;
}

/**
 * A transaction, or a snapshot for reads: the first argument of every engine-neutral query.
 *
 * It has the types of SQLite. Another engine has the same tables with the same types of values. So a query works on
 * all engines if it awaits each statement, and does not use the methods that only SQLite has (`get`, `all`, `run`).
 */
export interface Tx extends Sql {
  db: Queries;
  tables: Tables;
  /**
   * Locks the states of monitors as recordings do, in the order of their numbers. After a second call, the transaction and a
   * recording could wait for each other: one call names all that change. Does nothing if only one transaction writes at a time.
   */
  lockStates(monitorPks: readonly number[]): Promise<void>;
  /** Locks channels after the states, in the order of their numbers: what is created for them is in the order of commits. */
  lockChannels(channelPks: readonly number[]): Promise<void>;
  /** Statements about many rows at once. */
  sets: Sets;
  /** The parts of reads that differ between the engines. */
  reads: EngineReads;
  /** Who makes the changes, for the audit log: see `Store.as`. Without an author, nothing is logged. */
  author?: Author | undefined;
  /** Why this machine can't ping; null if it can. Only a server knows it: a command may run as another user. */
  pingRefusal?: (() => Promise<string | null>) | undefined;
}

/** Prepares a statement once for each connection, because preparing takes longer than running it. */
export function preparedOnce<Statement>(build: (tx: Tx) => Statement): (tx: Tx) => Statement {
  const statements = new WeakMap<object, Statement>();
  return (tx) => {
    const statement = statements.get(tx.db) ?? build(tx);
    statements.set(tx.db, statement);
    return statement;
  };
}
