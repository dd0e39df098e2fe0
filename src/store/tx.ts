import { type Column, getTableColumns, type SQL, type Table } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Author } from "../domain/accounts/audit.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { notFound } from "../errors.ts";
import type { EngineReads } from "./engine-queries.ts";
import type { DamagedSegments } from "./results/segment-rows.ts";
import type { Tables } from "./tables/tables.ts";
import { nextTurn } from "./turns.ts";

/** The part of a connection or a transaction that queries use. */
export type Queries = Pick<BunSQLiteDatabase<Tables>, "select" | "insert" | "update" | "delete">;

/** Runs statements. */
export interface Sql {
  /**
   * Runs one text on either engine: in the words of PostgreSQL, which `spelled` of `sqlite/database.ts` knows.
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
  /** Why this server does not check a target; null if it does. Only a demonstration refuses any (behavior 24.25). */
  targetRefusal?: ((config: MonitorConfig) => string | null) | undefined;
}

/** A transaction that knows the time of its request, in milliseconds since 1970. */
export interface TimedTx extends Tx {
  now: number;
}

/** Gives a query the time that its caller gives last. */
export function at<Rest extends unknown[], Result>(
  work: (tx: TimedTx, ...rest: Rest) => Result,
): (tx: Tx, ...rest: [...Rest, now: number]) => Result {
  return (tx, ...rest) => work({ ...tx, now: rest.at(-1) as number }, ...(rest.slice(0, -1) as Rest));
}

/** The row that a query finds. @throws AppError `not_found` */
export function found<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}

/** The row that an insert returns. */
export function inserted<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("the insert returned no row");
  return row;
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

/** How many rows a statement has or reads: between two of them, other work of the process runs. */
const AT_ONCE = 2000;

/** Works on some items at a time, in their order. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    await work(items.slice(at, at + AT_ONCE));
  }
}

/**
 * Reads rows of a snapshot in the order of their numbers.
 *
 * @param read the first rows with a number above one, at most so many
 */
export async function readInBatches<Row extends { pk: number }>(
  read: (after: number, limit: number) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const some = await read(rows.at(-1)?.pk ?? 0, AT_ONCE);
    rows.push(...some);
    if (some.length < AT_ONCE) return rows;
    await nextTurn();
  }
}

/** A column of a table. */
export interface NamedColumn {
  field: string;
  name: string;
  /** As in SQL. */
  type: string;
  column: Column;
}

/** The columns of some fields of a table, and their values in some rows as the engine stores them. */
export interface StoredRows {
  columns: readonly NamedColumn[];
  /** The values of each row, in the order of the columns. */
  values: unknown[][];
}

/**
 * The columns of the fields that each of some rows has, and their values as drizzle maps them.
 *
 * @throws if a row has more or less fields than the first one: they would be lost or become null
 */
export function storedRows(table: Table, rows: readonly object[]): StoredRows {
  const columns = columnsOf(table, Object.keys(rows[0] ?? {}));
  const values: unknown[][] = [];
  for (const row of rows) {
    if (Object.keys(row).length !== columns.length)
      throw new Error("all rows of a set must have the same fields");
    const stored: unknown[] = [];
    for (const { field, column } of columns) {
      const value: unknown = Reflect.get(row, field) ?? null;
      stored.push(value === null ? null : column.mapToDriverValue(value));
    }
    values.push(stored);
  }
  return { columns, values };
}

/** The same of the values that find some rows, and of those that change in them. */
export function storedUpdates(
  table: Table,
  rows: readonly { where: object; set: object }[],
): { keys: StoredRows; changed: StoredRows } {
  const [keys, changed] = [rows.map(({ where }) => where), rows.map(({ set }) => set)];
  return { keys: storedRows(table, keys), changed: storedRows(table, changed) };
}

/** By the names of their fields. */
const known = new WeakMap<Table, Map<string, readonly NamedColumn[]>>();

function columnsOf(table: Table, fields: readonly string[]): readonly NamedColumn[] {
  const sets = known.get(table) ?? new Map<string, readonly NamedColumn[]>();
  known.set(table, sets);
  const key = fields.join();
  const columns = sets.get(key) ?? fields.map((field) => namedColumn(table, field));
  sets.set(key, columns);
  return columns;
}

function namedColumn(table: Table, field: string): NamedColumn {
  const column: Column | undefined = getTableColumns(table)[field];
  if (!column) throw new Error(`a table has no column for ${field}`);
  const name = column.keyAsName ? toSnakeCase(column.name) : column.name;
  return { field, name, type: column.getSQLType(), column };
}

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The ID of the last item, or null if nothing follows. */
  cursor: string | null;
}

export interface PageRequest {
  /** The most items of the page. */
  limit: number;
  /** The ID of the item before the page, without which the first page is meant. That item may be deleted. */
  cursor?: string | undefined;
}

/* The row that this service stores about itself. */

const FIND_STEADY = 'SELECT alive_at AS "aliveAt", coalesce(steady_at, alive_at) AS "steadyAt" FROM service';

/** When this service last ran with a steady clock; null before its first start. */
export async function lastSteady({ query }: Sql): Promise<number | null> {
  const [row] = await query<{ aliveAt: number; steadyAt: number }>(FIND_STEADY);
  return row ? Math.min(row.aliveAt, row.steadyAt) : null;
}

/** Stores that this service runs with a steady clock. */
export async function noteSteady({ query }: Sql, now: number): Promise<void> {
  await query("UPDATE service SET steady_at = $1", [now]);
}

/** Whether a DNS server of the operator has ever answered (behavior 4.18). */
export async function hasDnsAnswer({ query }: Sql): Promise<boolean> {
  return (await query("SELECT 1 FROM service WHERE dns_answered_at IS NOT NULL")).length > 0;
}

/** Stores the first such answer. */
export async function noteDnsAnswer({ query }: Sql, now: number): Promise<void> {
  await query("UPDATE service SET dns_answered_at = $1 WHERE dns_answered_at IS NULL", [now]);
}
