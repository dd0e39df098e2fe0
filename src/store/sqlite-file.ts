import { Database as Sqlite } from "bun:sqlite";
import { dirname } from "node:path";

/**
 * Opens a file of SQLite, with any name. Nothing else opens such a file.
 *
 * Temporary data, such as the journal of a statement, stays in memory: a container may have no directory for temporary files, and
 * without one, the statement fails with an error of the disk.
 *
 * @param options as for `Sqlite`; default: the file may be written, and is created if it is missing
 */
export function openSqlite(path: string, options: SqliteOptions = { readwrite: true, create: true }): Sqlite {
  const sqlite = new Sqlite(path, options);
  sortInMemory(sqlite);
  return sqlite;
}

/** The name of a database in memory. */
export const IN_MEMORY = ":memory:";

type SqliteOptions = { readonly: true } | { readwrite: true; create?: boolean };

/**
 * Lets SQLite sort in files beside the database, which are deleted with the connection: building an index of millions of rows
 * would need hundreds of megabytes of memory. To be called outside of transactions.
 */
export function sortInFiles(sqlite: Sqlite): void {
  // A database in memory is empty when it is migrated, and its process may have no directory that it can write to.
  if (sqlite.filename === IN_MEMORY) return;
  const directory = dirname(sqlite.filename).replaceAll("'", "''");
  sqlite.run(`PRAGMA temp_store_directory = '${directory}'`);
  sqlite.run("PRAGMA temp_store = FILE");
}

/** Ends what `sortInFiles` began. */
export function sortInMemory(sqlite: Sqlite): void {
  sqlite.run("PRAGMA temp_store = MEMORY");
}
