import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DATABASE } from "../../../src/store/sqlite/data-dir.ts";
import { openEngine } from "../../../src/store/sqlite/engine.ts";
import { createStore, type Slot } from "../../../src/store/store.ts";
import { memoryDir } from "../../../test/support/temp-dir.ts";
import type { SimulatedDatabase } from "./database.ts";
import {
  createDueTimes,
  NEXT_DEADLINE,
  NEXT_DECISION,
  NEXT_DELIVERY,
  SLOTS,
  type StoredTimes,
} from "./due-times.ts";

export function createSqlite(): SimulatedDatabase {
  const dataDir = mkdtempSync(join(memoryDir(), "stillup-simulation-"));
  return {
    open: () => createStore(openEngine(dataDir)),
    readDueTimes: (nextWindow) => createDueTimes(readTimes(join(dataDir, DATABASE)), nextWindow),
    isEmbedded: true,
    [Symbol.asyncDispose]: async () => rmSync(dataDir, { recursive: true }),
  };
}

function readTimes(file: string): StoredTimes {
  const db = new Database(file);
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
    decision: reader(NEXT_DECISION),
    newestDelivery: reader("SELECT coalesce(max(pk), 0) AS at FROM deliveries"),
    forget(part) {
      if (part === "scheduler") known = undefined;
    },
    close: () => db.close(),
  };
}
