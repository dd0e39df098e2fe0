import type { Queries } from "./sqlite/open.ts";
import type * as tables from "./sqlite/schema.ts";

/**
 * A transaction, or a snapshot for reads: everything that runs inside gets it as its first argument.
 *
 * The types are those of SQLite. Another engine has the same tables with the same types of values, so one text serves
 * all engines, if it awaits every query and uses nothing that only one builder has (`get`, `all`, `run`).
 */
export interface Tx {
  db: Queries;
  tables: typeof tables;
}

/** Builds a statement once for each connection, because building it takes longer than running it. */
export function preparedOnce<Statement>(build: (tx: Tx) => Statement): (tx: Tx) => Statement {
  const built = new WeakMap<object, Statement>();
  return (tx) => {
    const known = built.get(tx.db) ?? build(tx);
    built.set(tx.db, known);
    return known;
  };
}
