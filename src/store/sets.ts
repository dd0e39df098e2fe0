import type { Column, SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

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
  insert<Table extends SQLiteTable>(table: Table, rows: readonly Table["$inferInsert"][]): Promise<void>;
  update<Table extends SQLiteTable>(table: Table, rows: readonly RowUpdate<Table>[]): Promise<void>;
}
