import { afterEach, beforeEach, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createHousekeeping, type Housekeeping } from "../../src/runner/housekeeping.ts";
import { createMonitor, deleteMonitor } from "../../src/store/monitors/monitors.ts";
import { noteAlive } from "../../src/store/sqlite/recording/heartbeats.ts";
import { record } from "../../src/store/sqlite/recording/record.ts";
import { shiftClock } from "../support/clock.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

const JUMPED = "the clock may be wrong: nothing is deleted for its age until it has been steady for an hour";
const DAY = 24 * 60 * 60 * 1000;

let database: TestDatabase;
let housekeeping: Housekeeping | undefined;
let logged: string[];

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await housekeeping?.stop();
  database[Symbol.dispose]();
});

function start(): void {
  logged = [];
  const log = createLogger({ level: "silent", format: "json" });
  log.warn = (message: unknown) => void logged.push(String(message));
  housekeeping = createHousekeeping({ db: database.db, log, retentionDays: 90 });
  housekeeping.start();
}

async function makeJob(): Promise<string> {
  const values = { name: "job", type: "SCHEDULED", config: { interval: 300 } } as const;
  return (await createMonitor(database.db, database.owner, values, Date.now())).id;
}

async function checkIn(monitorId: string, at: number): Promise<void> {
  await record(database.db, [{ kind: "checkin", monitorId, status: "ok", at }]);
}

function count(table: string): number {
  return database.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
}

/** Waits until it has noticed the jump, and for the next round after that, which begins with what is deleted. */
async function noticed(): Promise<void> {
  await eventually(() => logged.includes(JUMPED), 20_000);
  await deleteMonitor(database.db, database.owner.organizationId, await makeJob());
  await eventually(() => count("deleted_monitors") === 0, 20_000);
}

test("results that are too old are deleted, but none because the clock jumps ahead while it runs", async () => {
  const job = await makeJob();
  await checkIn(job, Date.now() - 91 * DAY);
  await checkIn(job, Date.now());
  await noteAlive(database.db, Date.now());
  start();
  await eventually(() => count("check_results") === 1, 20_000);
  using _ = shiftClock(100 * DAY);
  await noticed();
  expect(count("check_results")).toBe(1);
}, 60_000);

test("no result is deleted at once by a service that starts with a clock far ahead, nor if it starts again", async () => {
  await checkIn(await makeJob(), Date.now());
  await noteAlive(database.db, Date.now());
  start();
  await eventually(() => count("service WHERE steady_at > 0") === 1, 20_000);
  await housekeeping?.stop();
  using _ = shiftClock(100 * DAY);
  for (let starts = 0; starts < 2; starts++) {
    start();
    await noteAlive(database.db, Date.now());
    await noticed();
    await housekeeping?.stop();
  }
  expect(count("check_results")).toBe(1);
}, 90_000);
