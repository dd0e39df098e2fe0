import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import {
  createMaintenanceWatch,
  type MaintenanceWatch,
} from "../../../src/runner/maintenance/maintenance-watch.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { alone } from "../../support/store/alone.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

// Each second of virtual time takes some queries.
setDefaultTimeout(300_000);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let database: TestDatabase;
let clock: TestClock;
let watches: MaintenanceWatch[];
let wakes: string[];
let rounds: number;

beforeEach(async () => {
  database = await createDatabase();
  clock = createTestClock();
  [watches, wakes, rounds] = [[], [], 0];
});

afterEach(async () => {
  for (const watch of watches) await watch.stop();
  await database[Symbol.asyncDispose]();
});

/** @param isElsewhere whether another node watches */
function start({ isElsewhere = (): boolean => false } = {}): void {
  const { store } = database;
  const take: Store["claims"]["take"] = async (...claim) => !isElsewhere() && store.claims.take(...claim);
  const noteWindows: Store["maintenances"]["noteWindows"] = (...round) => {
    rounds++;
    return store.maintenances.noteWindows(...round);
  };
  const watched: Store = {
    ...store,
    claims: { ...store.claims, take },
    maintenances: { ...store.maintenances, noteWindows },
  };
  const watch = createMaintenanceWatch({
    store: trackedStore(watched, clock),
    clock,
    claimant: () => alone,
    log: createLogger({ level: "silent" }),
    wakeDispatcher: () => wakes.push("dispatcher"),
    wakeReview: () => wakes.push("review"),
  });
  watches.push(watch);
  watch.start();
}

async function createWindow(from: number, to: number): Promise<string> {
  const times = { startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() };
  const request = { title: "Move", selector: { all: true as const }, ...times };
  const { store, owner } = database;
  return (await store.maintenances.create(owner.organizationId, request, clock.now())).id;
}

describe("behavior 14.45: a window", () => {
  test("is noticed when it starts and when it ends, and the dispatcher and the review are woken", async () => {
    await createWindow(clock.now() + 10 * SECOND, clock.now() + MINUTE);
    start();
    await clock.advance(9 * SECOND);
    expect([wakes, rounds]).toEqual([[], 1]);
    await clock.advance(2 * SECOND);
    expect(wakes).toEqual(["dispatcher", "review"]);
    await clock.advance(45 * SECOND);
    expect([wakes.length, rounds]).toEqual([2, 2]);
    await clock.advance(6 * SECOND);
    expect(wakes.length).toBe(4);
    const before = rounds;
    await clock.advance(5 * MINUTE);
    expect([wakes.length, rounds]).toEqual([4, before]);
  });

  test("is noticed after a change of its times", async () => {
    const { store, owner } = database;
    const first = clock.now() + 60 * MINUTE;
    const id = await createWindow(first, first + MINUTE);
    start();
    await clock.advance(5 * SECOND);
    const startsAt = new Date(clock.now() + 5 * SECOND).toISOString();
    await store.maintenances.update(owner.organizationId, id, { startsAt }, clock.now());
    await clock.advance(4 * SECOND);
    expect(wakes).toEqual([]);
    await clock.advance(2 * SECOND);
    expect(wakes.length).toBe(2);
  });

  test("is noticed by one node, and by another one after that stopped", async () => {
    await createWindow(clock.now() + 5 * SECOND, clock.now() + MINUTE);
    let isElsewhere = true;
    start({ isElsewhere: () => isElsewhere });
    await clock.advance(10 * SECOND);
    expect([wakes, rounds]).toEqual([[], 0]);
    isElsewhere = false;
    await clock.advance(SECOND);
    expect(wakes.length).toBe(2);
  });

  test("costs nothing without maintenances", async () => {
    start();
    await clock.advance(MINUTE);
    expect(rounds).toBe(0);
  });
});
