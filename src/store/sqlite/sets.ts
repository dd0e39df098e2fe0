import type { SQLQueryBindings } from "bun:sqlite";
import { type Column, getTableName, type SQL, sql } from "drizzle-orm";
import { columnsOf, fieldsOf } from "../columns.ts";
import type { Sets } from "../tx.ts";
import { type Database, prepared } from "./open.ts";

/** Rows until other work of the process runs: some milliseconds. */
const ROWS_AT_ONCE = 500;

/** One statement for each row, because the database is in this process: it is prepared once. */
export function setsOf(db: Database): Sets {
  const runEach = async (text: string, rows: readonly (() => unknown[])[]) => {
    const statement = prepared<unknown, SQLQueryBindings[]>(db, text);
    for (const [at, valuesOf] of rows.entries()) {
      if (at > 0 && at % ROWS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
      statement.run(...(valuesOf() as SQLQueryBindings[]));
    }
  };
  return {
    among: (column, values) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
    amongNamed: (column, name) => sql`${column} IN (SELECT value FROM json_each(${sql.placeholder(name)}))`,
    list: (values) => JSON.stringify(values),
    async insert(table, rows) {
      if (rows.length === 0) return;
      const columns = columnsOf(table, fieldsOf(rows));
      const names = columns.map(({ name }) => `"${name}"`).join(", ");
      const text = `INSERT INTO ${getTableName(table)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`;
      await runEach(
        text,
        rows.map((row) => () => columns.map((column) => column.valueIn(row))),
      );
    },
    async update(table, rows) {
      if (rows.length === 0) return;
      const keys = columnsOf(table, fieldsOf(rows.map(({ where }) => where)));
      const changed = columnsOf(table, fieldsOf(rows.map(({ set }) => set)));
      const values = changed.map(({ name }) => `"${name}" = ?`).join(", ");
      const isSame = keys.map(({ name }) => `"${name}" = ?`).join(" AND ");
      await runEach(
        `UPDATE ${getTableName(table)} SET ${values} WHERE ${isSame}`,
        rows.map(({ where, set }) => () => [
          ...changed.map((column) => column.valueIn(set)),
          ...keys.map((column) => column.valueIn(where)),
        ]),
      );
    },
  };
}

/**
 * The condition that a column has one of some numbers. The numbers are one parameter, so SQLite parses the statement
 * once. `inArray` has one parameter for each number, so each count of numbers is another statement.
 */
export function inList(column: Column, numbers: readonly number[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
}
