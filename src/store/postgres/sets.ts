import { Column, getTableName, sql } from "drizzle-orm";
import { createTurns } from "../turns.ts";
import { type NamedColumn, type Sets, type Sql, storedRows, storedUpdates } from "../tx.ts";
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
      for (const some of slicesOf(rows)) {
        const { columns, values } = storedRows(table, some);
        const names = columns.map(({ name }) => `"${name}"`).join(", ");
        const text = `INSERT INTO ${getTableName(table)} (${names}) SELECT * FROM unnest(${parametersOf(columns)})`;
        await query(text, await arraysOf(columns, values));
      }
    },
    async update(table, rows) {
      for (const some of slicesOf(rows)) {
        const { keys, changed } = storedUpdates(table, some);
        const [found, values] = [
          await arraysOf(keys.columns, keys.values),
          await arraysOf(changed.columns, changed.values),
        ];
        await query(updateOf(getTableName(table), keys.columns, changed.columns), [...found, ...values]);
      }
    },
  };
}

/** The values of each column as one parameter. */
async function arraysOf(
  columns: readonly NamedColumn[],
  rows: readonly (readonly unknown[])[],
): Promise<unknown[]> {
  const turn = createTurns();
  const arrays: unknown[] = [];
  for (const at of columns.keys()) {
    arrays.push(arrayOf(rows.map((row) => row[at])));
    const others = turn();
    if (others) await others;
  }
  return arrays;
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
