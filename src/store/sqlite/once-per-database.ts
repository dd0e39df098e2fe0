import type { Database } from "./open.ts";

/** Creates a value once for each connection, such as a prepared statement. */
export function oncePerDatabase<Value>(create: (db: Database) => Value): (db: Database) => Value {
  const values = new WeakMap<Database, Value>();
  return (db) => {
    const value = values.get(db) ?? create(db);
    values.set(db, value);
    return value;
  };
}

/** Creates a value that all connections of one engine share, such as a cache that writes invalidate. */
export function oncePerEngine<Value>(create: () => Value): (db: Database) => Value {
  const values = new WeakMap<object, Value>();
  return ({ shared }) => {
    const value = values.get(shared) ?? create();
    values.set(shared, value);
    return value;
  };
}
