import type { SQLQueryBindings, Database as Sqlite, Statement } from "bun:sqlite";
import { getTableName, sql, type Table } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { type Sets, type Sql, storedRows, storedUpdates, type Tx } from "../tx.ts";

export type Database = BunSQLiteDatabase & {
  $client: Sqlite;
  /** The same object for all connections of one engine: the key of what they share. */
  shared: object;
  /** The statements of this connection, by their SQL. To be used by `prepared`. */
  statements: Map<string, Statement>;
  /** How long a write waits while another process locks the database, in milliseconds. */
  lockWait: number;
};

/**
 * A statement that is prepared once for each connection, for SQL that runs for each result. Bun's own `query` keeps only
 * the 20 latest statements, and its search for one is a fifth of the time of a small statement.
 *
 * @param sql one of a fixed number of texts: see `spelled`
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

/** Rows until other work of the process runs: some milliseconds. */
const ROWS_AT_ONCE = 500;

/** One statement for each row, because the database is in this process: it is prepared once. */
export function setsOf(db: Database): Sets {
  const runEach = async <Row>(rows: readonly Row[], statementOf: (some: readonly Row[]) => RowStatement) => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      if (at > 0) await new Promise((resolve) => setImmediate(resolve));
      const { text, values } = statementOf(rows.slice(at, at + ROWS_AT_ONCE));
      const statement = prepared<unknown, SQLQueryBindings[]>(db, text);
      for (const row of values) statement.run(...(row as SQLQueryBindings[]));
    }
  };
  return {
    among: (column, values) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
    amongNamed: (column, name) => sql`${column} IN (SELECT value FROM json_each(${sql.placeholder(name)}))`,
    list: (values) => JSON.stringify(values),
    insert: (table, rows) => runEach(rows, (some) => insertOf(table, some)),
    update: (table, rows) => runEach(rows, (some) => updateOf(table, some)),
  };
}

/** A statement that is to run for each of some rows. @property values of its parameters, by row */
interface RowStatement {
  text: string;
  values: unknown[][];
}

function insertOf(table: Table, rows: readonly object[]): RowStatement {
  const { columns, values } = storedRows(table, rows);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const places = columns.map(() => "?").join(", ");
  return { text: `INSERT INTO ${getTableName(table)} (${names}) VALUES (${places})`, values };
}

function updateOf(table: Table, rows: readonly { where: object; set: object }[]): RowStatement {
  const { keys, changed } = storedUpdates(table, rows);
  const values = changed.columns.map(({ name }) => `"${name}" = ?`).join(", ");
  const isSame = keys.columns.map(({ name }) => `"${name}" = ?`).join(" AND ");
  return {
    text: `UPDATE ${getTableName(table)} SET ${values} WHERE ${isSame}`,
    values: changed.values.map((row, at) => [...row, ...(keys.values[at] ?? [])]),
  };
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

type Spelling = readonly [
  pattern: RegExp,
  spelling: string | ((text: string, ...groups: string[]) => string),
];

/*
 * The texts of SQL that both engines share are in the words of PostgreSQL. SQLite knows all other ones. One transaction writes at
 * a time, so nothing is to be locked.
 */
const SPELLINGS: readonly Spelling[] = [
  [/= ANY\(\$(\d+)(::\w+\[\])?\)/g, "IN (SELECT value FROM json_each(?$1))"],
  [/(\w+)::jsonb \? \$(\d+)/g, "EXISTS (SELECT 1 FROM json_each($1) WHERE value = ?$2)"],
  [
    /json_to_recordset\(\$(\d+)\) AS (\w+) \(([^)]+)\)/g,
    (_, place = "", name, columns = "") => recordsOf({ place, columns, name }),
  ],
  [/\s+FOR (NO KEY )?UPDATE( OF \w+)?( SKIP LOCKED)?/g, ""],
  [/\bleast\(/g, "min("],
  // The type of a parameter, or of null. Any other conversion is a `CAST`.
  [/(\$\d+|NULL)::\w+/g, "$1"],
  [/\$(\d+)/g, "?$1"],
  // SQLite prepares a statement again for each run if its plan may depend on a parameter. Its plan never depends on `+?`.
  [/\?\d*/g, "+$&"],
];

/** A text of PostgreSQL, or of SQLite, as SQLite runs it fastest. No text has a question mark in a string. */
export function spelled(text: string): string {
  return SPELLINGS.reduce((sql, [pattern, spelling]) => sql.replace(pattern, spelling as string), text);
}

/** Rows that are one parameter, in JSON. @param columns with their types; SQLite takes the types of the values in JSON */
function recordsOf({
  place,
  columns,
  name,
}: {
  place: string;
  columns: string;
  name: string | undefined;
}): string {
  const values = columns.split(",").map((column) => {
    const [field] = column.trim().split(" ");
    return `value ->> '${field}' AS ${field}`;
  });
  return `(SELECT ${values.join(", ")} FROM json_each(?${place})) AS ${name}`;
}
