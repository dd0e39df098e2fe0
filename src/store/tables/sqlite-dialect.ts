import type { SQL } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  customType,
  type IndexBuilder,
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { deliveryStatusCodes, statusCodes, wordOf, wordsOf } from "../status-codes.ts";

/** How SQLite stores what `tables/` declares. Columns without a name are named by their field, in snake case. */
export const dialect = {
  table: sqliteTable,
  view: sqliteView,
  index,
  uniqueIndex,
  primaryKey,
  /** The number of a row. SQLite may give the number of a deleted row again. */
  key: () => integer().primaryKey(),
  largeKey: () => integer().primaryKey(),
  /** A number that is never given again. */
  lastingKey: () => integer().primaryKey({ autoIncrement: true }),
  largeLastingKey: () => integer().primaryKey({ autoIncrement: true }),
  resultKey: () => integer().primaryKey({ autoIncrement: true }),
  text: (name = "") => text(name),
  json: (name = "") => text(name, { mode: "json" }),
  boolean: () => integer({ mode: "boolean" }),
  /** At most two bytes. */
  small: () => integer(),
  /** At most four bytes. */
  integer: () => integer(),
  /** At most eight bytes. */
  large: () => integer(),
  /** Milliseconds since 1970. */
  time: () => integer(),
  bytes: customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" }),
  statusCode: coded(statusCodes),
  deliveryStatus: coded(deliveryStatusCodes),
  /** The columns of an index whose entries are read in the order of the keys of the rows. Each index of SQLite has these keys. */
  inOrder: (column: AnySQLiteColumn, _key: AnySQLiteColumn): [AnySQLiteColumn, ...AnySQLiteColumn[]] => [
    column,
  ],
  /** An index that needs only some rows. On SQLite, it has all of them. */
  partial: (index: IndexBuilder, _where: SQL) => index,
  /** A small index of ranges of a key that grows. */
  keyRanges: (_name: string, _key: AnySQLiteColumn): IndexBuilder[] => [],
  /** Columns that only PostgreSQL has, where only its own queries use them. */
  onPostgres: (_columns: () => object) => ({}),
  /** Columns that only SQLite has. */
  onSqlite: <Columns extends object>(columns: () => Columns): Columns => columns(),
  isPostgres: false as boolean,
};

export type Dialect = typeof dialect;

function coded<Word extends string>(codes: Record<Word, number>) {
  const words = wordsOf(codes);
  return customType<{ data: Word; driverData: number }>({
    dataType: () => "integer",
    toDriver: (word) => codes[word],
    fromDriver: (code) => wordOf(words, code),
  });
}
