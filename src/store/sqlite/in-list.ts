import { type Column, type SQL, sql } from "drizzle-orm";

/**
 * Whether a column has one of some numbers. They are one parameter, however many there are, where `inArray` builds a
 * text with hundreds of them and has it parsed anew.
 */
export function inList(column: Column, numbers: readonly number[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
}
