import { type Connections, openConnections } from "../../../src/store/postgres/connections.ts";
import { engineOn } from "../../../src/store/postgres/driver.ts";
import { createStore, type Slot } from "../../../src/store/store.ts";
import { sharedCluster } from "../../../test/support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../../../test/support/store/postgres/databases.ts";
import { trackedStore } from "../../../test/support/store/tracked-store.ts";
import type { SimulatedDatabase } from "./database.ts";
import {
  createDueTimes,
  NEXT_DEADLINE,
  NEXT_DECISION,
  NEXT_DELIVERY,
  type Part,
  SLOTS,
  type StoredTimes,
} from "./due-times.ts";

/** A database of PostgreSQL. Its calls take real time, during which virtual time does not advance. */
export async function createPostgres(): Promise<SimulatedDatabase> {
  const name = await createTestDatabase();
  const config = (await sharedCluster()).config(name);
  const reader = openConnections(config);
  const running = new Set<Promise<unknown>>();
  const readers = new Set<TimesReader>();

  function track<Result>(io: Promise<Result>): Promise<Result> {
    running.add(io);
    const end = () => void running.delete(io);
    io.then(end, end);
    return io;
  }

  /** @returns whether the times of a server had to be read */
  async function refresh(): Promise<boolean> {
    const read = await Promise.all([...readers].map((one) => one.refresh()));
    return read.includes(true);
  }

  return {
    open() {
      return trackedStore(createStore(engineOn(openConnections(config))), { track });
    },
    readDueTimes({ nextWindow }) {
      const times = readTimes(reader, () => readers.delete(times));
      readers.add(times);
      return createDueTimes(times, nextWindow);
    },
    async settle() {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (running.size > 0) await Promise.allSettled(running);
        else if (!(await refresh())) return;
      }
    },
    isEmbedded: false,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(running);
      await reader.close();
      dropDatabase(name);
    },
  };
}

interface TimesReader extends StoredTimes {
  /** @returns whether anything had to be read */
  refresh(): Promise<boolean>;
}

/** Reads between two events what a write has changed. */
function readTimes({ query }: Pick<Connections, "query">, close: () => void): TimesReader {
  let slots: Slot[] | undefined;
  const times = new Map<Part, number>();
  const queries = [
    ["heartbeats", NEXT_DEADLINE],
    ["dispatcher", NEXT_DELIVERY],
    ["review", NEXT_DECISION],
  ] as const;
  return {
    slots: () => slots,
    deadline: () => times.get("heartbeats"),
    delivery: () => times.get("dispatcher"),
    decision: () => times.get("review"),
    newestDelivery: () => 0,
    forget(part) {
      times.delete(part);
      if (part === "scheduler") slots = undefined;
    },
    close,
    async refresh() {
      const missing = queries.filter(([part]) => !times.has(part));
      for (const [part, sql] of missing) {
        const [row] = await query<{ at: number | null }>(sql);
        times.set(part, row?.at ?? Number.POSITIVE_INFINITY);
      }
      const needsSlots = slots === undefined;
      slots ??= await query<Slot>(SLOTS);
      return missing.length > 0 || needsSlots;
    },
  };
}
