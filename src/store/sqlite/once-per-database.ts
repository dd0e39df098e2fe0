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
