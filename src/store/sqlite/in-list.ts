import { type Column, type SQL, sql } from "drizzle-orm";

/**
 * The condition that a column has one of some numbers. The numbers are one parameter, so SQLite parses the statement
 * once. `inArray` has one parameter for each number, so each count of numbers is another statement.
 */
export function inList(column: Column, numbers: readonly number[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
}
