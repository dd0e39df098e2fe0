import { type Column, getTableColumns, type Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";

/** A column of a table, and how the engine stores the value that a row has for it. */
export interface NamedColumn {
  name: string;
  /** As in SQL. */
  type: string;
  valueIn(row: object): unknown;
}

const known = new WeakMap<Table, Map<string, NamedColumn>>();

/** The columns of some fields of a table, as drizzle maps them. A field that a row lacks is null. */
export function columnsOf(table: Table, fields: readonly string[]): NamedColumn[] {
  const columns = known.get(table) ?? namedColumns(table);
  known.set(table, columns);
  return fields.map((field) => {
    const column = columns.get(field);
    if (!column) throw new Error(`a table has no column for ${field}`);
    return column;
  });
}

function namedColumns(table: Table): Map<string, NamedColumn> {
  const columns: Record<string, Column> = getTableColumns(table);
  return new Map(
    Object.entries(columns).map(([field, column]) => [
      field,
      {
        name: column.keyAsName ? toSnakeCase(column.name) : column.name,
        type: column.getSQLType(),
        valueIn(row) {
          const value: unknown = Reflect.get(row, field) ?? null;
          return value === null ? null : column.mapToDriverValue(value);
        },
      },
    ]),
  );
}

/**
 * The fields that each of some rows has; none without rows.
 *
 * @throws if a row has more or less of them, which would be lost or become null
 */
export function fieldsOf(rows: readonly object[]): string[] {
  const fields = Object.keys(rows[0] ?? {});
  if (rows.some((row) => Object.keys(row).length !== fields.length))
    throw new Error("all rows of a set must have the same fields");
  return fields;
}
