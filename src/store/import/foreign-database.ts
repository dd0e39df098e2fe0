import type { Database as Sqlite } from "bun:sqlite";
import { AppError } from "../../errors.ts";
import { openSqlite } from "../sqlite-file.ts";

/** A row whose columns and types are not known. */
export type ForeignRow = Record<string, unknown>;

/** Maximum columns read from one table. */
const MAX_COLUMNS = 300;

/** Characters of a text that are read: more than any field takes. */
const MAX_TEXT = 100_000;

/** The database of another program, which may be damaged or hostile. Only its plain tables are read. */
export interface ForeignDatabase {
  has(table: string): boolean;
  /**
   * All rows; none if the table is missing. Blobs are null, and long texts are cut.
   *
   * @throws AppError `refused` if there are more than `most`
   */
  rows(table: string, most: number): ForeignRow[];
  count(table: string): number;
  /** @param sql reads tables that `has` found */
  query(sql: string, ...values: (string | number)[]): ForeignRow[];
  close(): void;
}

/**
 * Opens a copy of a database: SQLite creates files beside it.
 *
 * @throws an error with the code of SQLite, such as SQLITE_NOTADB
 */
export function openForeignDatabase(path: string): ForeignDatabase {
  const sqlite = openSqlite(path, { readwrite: true });
  // Views, triggers and generated columns could run code of the file, and a wrong page could be read as a row.
  sqlite.run("PRAGMA trusted_schema = OFF");
  sqlite.run("PRAGMA cell_size_check = ON");
  sqlite.run("PRAGMA query_only = ON");
  const tables = new Set(
    sqlite
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .all()
      .map(({ name }) => name),
  );
  const has = (table: string) => tables.has(table);
  function count(table: string): number {
    if (!has(table)) return 0;
    const [row] = sqlite.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${quoted(table)}`).all();
    return row?.count ?? 0;
  }
  return {
    has,
    rows(table, most) {
      // Before any is read: the rows of a large table need gigabytes.
      if (count(table) > most)
        throw new AppError(
          "refused",
          `the table ${table} has more than ${most} rows, which is the most that import reads`,
        );
      return has(table) ? sqlite.query<ForeignRow, []>(selectAll(sqlite, table)).all() : [];
    },
    count,
    query: (sql, ...values) => sqlite.query<ForeignRow, (string | number)[]>(sql).all(...values),
    close: () => sqlite.close(),
  };
}

/** `table_info` leaves out generated columns. */
function selectAll(sqlite: Sqlite, table: string): string {
  const columns = sqlite.query<{ name: string }, []>(`PRAGMA table_info(${quoted(table)})`).all();
  const cells = columns.slice(0, MAX_COLUMNS).map(({ name }) => {
    const column = quoted(name);
    return `CASE typeof(${column}) WHEN 'text' THEN substr(${column}, 1, ${MAX_TEXT}) WHEN 'blob' THEN NULL ELSE ${column} END AS ${column}`;
  });
  return `SELECT ${cells.join(", ")} FROM ${quoted(table)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
