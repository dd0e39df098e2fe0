import type { Database } from "./open.ts";

/** Makes something once for each database, such as a statement that runs too often to be built anew each time. */
export function oncePerDatabase<Made>(make: (db: Database) => Made): (db: Database) => Made {
  const made = new WeakMap<Database, Made>();
  return (db) => {
    const known = made.get(db) ?? make(db);
    made.set(db, known);
    return known;
  };
}

/** As `oncePerDatabase`, but the connections of one engine share it, such as a cache that writes invalidate. */
export function oncePerEngine<Made>(make: () => Made): (db: Database) => Made {
  const made = new WeakMap<object, Made>();
  return ({ shared }) => {
    const known = made.get(shared) ?? make();
    made.set(shared, known);
    return known;
  };
}
