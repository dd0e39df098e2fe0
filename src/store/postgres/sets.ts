import { Column, getTableName, sql } from "drizzle-orm";
import { createTurns } from "../turns.ts";
import { columnsOf, fieldsOf, type NamedColumn, type Sets, type Sql } from "../tx.ts";
import { arrayOf } from "./values.ts";

/** Rows of one statement: to send them blocks other work of this process for some milliseconds. */
const ROWS_AT_ONCE = 2000;

/** Each column of the rows is an array, which is one parameter. */
export function setsOf({ query }: Sql): Sets {
  return {
    among(column, values) {
      const type = column instanceof Column ? column.getSQLType() : "bigint";
      return sql`${column} = ANY(${sql.param(arrayOf(values))}::${sql.raw(type)}[])`;
    },
    amongNamed: (column, name) =>
      sql`${column} = ANY(${sql.placeholder(name)}::${sql.raw(column.getSQLType())}[])`,
    list: arrayOf,
    async insert(table, rows) {
      if (rows.length === 0) return;
      const columns = columnsOf(table, fieldsOf(rows));
      const names = columns.map(({ name }) => `"${name}"`).join(", ");
      const text = `INSERT INTO ${getTableName(table)} (${names}) SELECT * FROM unnest(${parametersOf(columns)})`;
      for (const some of slicesOf(rows)) await query(text, await valuesOf(columns, some));
    },
    async update(table, rows) {
      if (rows.length === 0) return;
      const keys = columnsOf(table, fieldsOf(rows.map(({ where }) => where)));
      const changed = columnsOf(table, fieldsOf(rows.map(({ set }) => set)));
      const text = updateOf(getTableName(table), keys, changed);
      for (const some of slicesOf(rows)) {
        const found = await valuesOf(
          keys,
          some.map(({ where }) => where),
        );
        const values = await valuesOf(
          changed,
          some.map(({ set }) => set),
        );
        await query(text, [...found, ...values]);
      }
    },
  };
}

/** The values of each column as one parameter. */
async function valuesOf(columns: readonly NamedColumn[], rows: readonly object[]): Promise<unknown[]> {
  const turn = createTurns();
  const values: unknown[] = [];
  for (const column of columns) {
    values.push(arrayOf(rows.map((row) => column.valueIn(row))));
    await turn();
  }
  return values;
}

/** `ANY` lets it find the rows by the index of the first key. */
function updateOf(table: string, keys: readonly NamedColumn[], changed: readonly NamedColumn[]): string {
  const columns = [...keys, ...changed];
  const values = changed.map(({ name }, at) => `"${name}" = new.c${keys.length + at}`).join(", ");
  const isSame = keys.map(({ name }, at) => `${table}."${name}" = new.c${at}`).join(" AND ");
  return `UPDATE ${table} SET ${values}
    FROM unnest(${parametersOf(columns)}) AS new (${columns.map((_, at) => `c${at}`).join(", ")})
    WHERE ${isSame} AND ${table}."${keys[0]?.name}" = ANY($1::${keys[0]?.type}[])`;
}

function parametersOf(columns: readonly NamedColumn[]): string {
  return columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(", ");
}

function slicesOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, at) => rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE));
}
