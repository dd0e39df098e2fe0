import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Author } from "../domain/accounts/audit.ts";
import type { Sets } from "./sets.ts";
import type { Tables } from "./tables/tables.ts";

/** What queries use of a connection or a transaction. */
export type Queries = Pick<BunSQLiteDatabase<Tables>, "select" | "insert" | "update" | "delete">;

/**
 * A transaction, or a snapshot for reads: the first argument of every engine-neutral query.
 *
 * The types are those of SQLite. Another engine has the same tables with the same types of values. So a query works on
 * all engines if it awaits each statement, and does not use the methods that only SQLite has (`get`, `all`, `run`).
 */
export interface Tx {
  db: Queries;
  tables: Tables;
  /**
   * Locks the states of monitors as recordings do, in the order of their numbers. After a second call, the transaction and a
   * recording could wait for each other: one call names all that change. Does nothing if only one transaction writes at a time.
   */
  lockStates(monitorPks: readonly number[]): Promise<void>;
  /** Statements about many rows at once. */
  sets: Sets;
  /** Who makes the changes, for the audit log: see `Store.as`. Without an author, nothing is logged. */
  author?: Author | undefined;
}

/** Prepares a statement once for each connection, because preparing takes longer than running it. */
export function preparedOnce<Statement>(build: (tx: Tx) => Statement): (tx: Tx) => Statement {
  const statements = new WeakMap<object, Statement>();
  return (tx) => {
    const statement = statements.get(tx.db) ?? build(tx);
    statements.set(tx.db, statement);
    return statement;
  };
}
