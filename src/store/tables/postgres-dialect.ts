import type { SQL } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  type IndexBuilder,
  index,
  integer,
  json,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { deliveryStatusCodes, statusCodes, wordOf, wordsOf } from "../status-codes.ts";
import type { Dialect } from "./sqlite-dialect.ts";

const large = () => bigint({ mode: "number" });
const key = () => integer().primaryKey().generatedByDefaultAsIdentity();
const largeKey = () => large().primaryKey().generatedByDefaultAsIdentity();

/**
 * How PostgreSQL stores what `tables/` declares. Its values have the types of SQLite, so that engine-neutral queries work on
 * both. JSON is `json`, not `jsonb`, because a config is returned as it was sent.
 */
const parts: Record<keyof Dialect, unknown> = {
  table: pgTable,
  view: pgView,
  index,
  uniqueIndex,
  primaryKey,
  key,
  largeKey,
  lastingKey: key,
  largeLastingKey: largeKey,
  // Not a primary key: a btree would be a third of the space.
  resultKey: () => large().notNull(),
  text: (name = "") => text(name),
  json: (name = "") => json(name),
  boolean: () => boolean(),
  small: () => smallint(),
  integer: () => integer(),
  large,
  time: large,
  bytes: customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" }),
  statusCode: coded(statusCodes),
  deliveryStatus: coded(deliveryStatusCodes),
  inOrder: (column: AnyPgColumn, pk: AnyPgColumn) => [column, pk],
  partial: (builder: IndexBuilder, where: SQL) => builder.where(where),
  keyRanges: (name: string, pk: AnyPgColumn) => [
    index(name).using("brin", pk).with({ autosummarize: true, pages_per_range: 32 }),
  ],
  onPostgres: (columns: () => Record<string, unknown>) => columns(),
  onSqlite: () => ({}),
  isPostgres: true,
};

export const dialect = parts as unknown as Dialect;

function coded<Word extends string>(codes: Record<Word, number>) {
  const words = wordsOf(codes);
  return customType<{ data: Word; driverData: number }>({
    dataType: () => "smallint",
    toDriver: (word) => codes[word],
    fromDriver: (code) => wordOf(words, code),
  });
}
