import { Database as Sqlite } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE } from "../../../src/store/sqlite/data-dir.ts";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { engineOn, openEngine } from "../../../src/store/sqlite/driver.ts";
import { onOneConnection } from "../../../src/store/sqlite/memory.ts";
import { databaseOn } from "../../../src/store/sqlite/open.ts";
import { createStore, type Slot, type Store } from "../../../src/store/store.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import type { SimulatedDatabase } from "./database.ts";
import { createDueTimes, NEXT_DEADLINE, NEXT_DELIVERY, SLOTS, type StoredTimes } from "./due-times.ts";
import { createReviewTimes } from "./review-times.ts";

/** A database in memory. All lives of the server have the same connection and statements. */
export function createSqlite(): SimulatedDatabase {
  const sqlite = Sqlite.deserialize(emptyDatabase());
  const statements: Database["statements"] = new Map();
  return {
    open: () => openStore(Object.assign(databaseOn(sqlite, {}), { statements })),
    readDueTimes: ({ nextWindow, now }) => createDueTimes(readTimes(sqlite, now), nextWindow),
    isEmbedded: true,
    async [Symbol.asyncDispose]() {
      for (const statement of statements.values()) statement.finalize();
      sqlite.close();
    },
  };
}

function openStore(db: Database): Store {
  return createStore(engineOn({ ...onOneConnection(db), close() {} }));
}

let empty: Buffer | undefined;

/** The bytes of a new database: its migrations would take most of the time of a short run. */
function emptyDatabase(): Buffer {
  if (!empty) {
    using dir = tempDir();
    void openEngine(dir.path).close();
    using file = new Sqlite(join(dir.path, DATABASE));
    // A database in memory has no write-ahead log.
    file.run("PRAGMA journal_mode = DELETE");
    empty = file.serialize();
  }
  return empty;
}

function readTimes(db: Sqlite, now: () => number): StoredTimes {
  const reader = (sql: string) => {
    const query = db.query<{ at: number | null }, []>(sql);
    return () => query.get()?.at ?? Number.POSITIVE_INFINITY;
  };
  const slots = db.query<Slot, []>(SLOTS);
  let known: Slot[] | undefined;
  return {
    slots() {
      known ??= slots.all();
      return known;
    },
    deadline: reader(NEXT_DEADLINE),
    delivery: reader(NEXT_DELIVERY),
    decision: createReviewTimes(db, now),
    newestDelivery: reader("SELECT coalesce(max(pk), 0) AS at FROM deliveries"),
    forget(part) {
      if (part === "scheduler") known = undefined;
    },
    close() {},
  };
}
