import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createHousekeeping, type Housekeeping } from "../../src/runner/housekeeping.ts";
import type { Store } from "../../src/store/store.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { alone } from "../support/store/alone.ts";
import { createDatabase, type TestDatabase } from "../support/store/database.ts";
import { countRows, createMaintenanceRun } from "../support/store/states.ts";
import { trackedStore } from "../support/store/tracked-store.ts";

// The first one may start a database server.
setDefaultTimeout(300_000);

const JUMPED = "the clock may be wrong: nothing is deleted for its age until it has been steady for an hour";
const DAY = 24 * 60 * 60 * 1000;

let database: TestDatabase;
let housekeeping: Housekeeping | undefined;
let logged: string[];
let clock: TestClock;

beforeEach(async () => {
  database = await createDatabase();
  clock = createTestClock();
});

afterEach(async () => {
  await housekeeping?.stop();
  await database[Symbol.asyncDispose]();
});

async function start(store: Store = trackedStore(database.store, clock)): Promise<void> {
  logged = [];
  const log = createLogger({ level: "silent" });
  log.warn = (...given: unknown[]) => void logged.push(String(given.at(-1)));
  housekeeping = createHousekeeping({
    store,
    clock,
    claimant: () => alone,
    log,
    retentionDays: 90,
  });
  housekeeping.start(await database.store.housekeeping.lastSteady());
}

async function makeJob(alertChannelIds: string[] = []): Promise<string> {
  const values = { name: "job", type: "SCHEDULED", config: { interval: 300 }, alertChannelIds } as const;
  return (await database.store.monitors.create(database.owner, values, clock.now())).id;
}

async function checkIn(monitorId: string, at: number, status = "ok"): Promise<void> {
  await database.store.recording.record([{ kind: "checkin", monitorId, status, at }]);
}

async function resultCount(): Promise<number> {
  const page = { limit: 200, cursor: undefined };
  return (await database.store.results.listEvents(database.owner.organizationId, page)).items.length;
}

/** Deletes a monitor with a pending delivery, which housekeeping deletes. */
async function deleteNotifyingJob(): Promise<void> {
  const { store, owner } = database;
  const config = { url: "http://127.0.0.1:1/" };
  const channel = { name: "c", type: "WEBHOOK", config, enabled: true } as const;
  const { id: channelId } = await store.channels.create(owner, channel, clock.now());
  const job = await makeJob([channelId]);
  await checkIn(job, clock.now(), "fail");
  expect(await pendingCount()).toBe(1);
  await store.monitors.delete(owner.organizationId, job);
}

function pendingCount(): Promise<number> {
  return database.store.deliveries.countPending(database.owner.organizationId);
}

/** Notes that the service is alive. Until a steady time is noted as well, the two are the same. */
async function isSteadyNoted(): Promise<boolean> {
  const now = clock.now();
  await database.store.heartbeats.noteAlive(now);
  return (await database.store.housekeeping.lastSteady()) !== now;
}

/** Lets housekeeping detect the jump and finish a whole round after that. */
async function roundAfterJump(): Promise<void> {
  await clock.until(() => logged.includes(JUMPED));
  await deleteNotifyingJob();
  await clock.until(async () => (await pendingCount()) === 0);
  await clock.advance(60_000);
}

test("behavior 12.73: what a node of the last hour keeps longer is not deleted, and the log says that they differ", async () => {
  const job = await makeJob();
  await checkIn(job, clock.now() - 300 * DAY);
  const other = { pk: 9, name: "other", version: "1", retentionDays: 400 };
  await database.store.nodes.join(other, clock.now());
  await database.store.heartbeats.noteAlive(clock.now());
  await start();
  await database.store.nodes.leave(other.pk);
  await clock.until(() => logged.length > 0);
  await clock.advance(60_000);
  expect(logged).toEqual(["nodes differ in --retention-days: results are kept for 400 days"]);
  expect(await resultCount()).toBe(1);
  await clock.advance(60 * 60_000);
  await clock.until(async () => (await resultCount()) === 0);
});

test("expired results are deleted, but none because the clock jumps ahead at runtime", async () => {
  const job = await makeJob();
  await checkIn(job, clock.now() - 91 * DAY);
  await checkIn(job, clock.now());
  await database.store.heartbeats.noteAlive(clock.now());
  await start();
  await clock.until(async () => (await resultCount()) === 1);
  clock.jump(100 * DAY);
  await roundAfterJump();
  expect(await resultCount()).toBe(1);
});

test("an hour after a jump, results that are expired by the new time are deleted", async () => {
  await checkIn(await makeJob(), clock.now());
  await start();
  await clock.advance(10_000);
  clock.jump(100 * DAY);
  await roundAfterJump();
  await clock.advance(55 * 60_000);
  expect(await resultCount()).toBe(1);
  await clock.advance(5 * 60_000);
  await clock.until(async () => (await resultCount()) === 0);
});

test("behavior 14.75, 14.76: entries of the audit log are kept for a year, windows of maintenances as long as rollups", async () => {
  const { store, owner, db } = database;
  const actor = { type: "cli", id: null, name: "root" } as const;
  for (const days of [367, 365]) {
    const author = { actor, address: null, at: clock.now() - days * DAY };
    await store.as(author).organizations.update(owner.organizationId, { name: `${days}` });
  }
  for (const days of [93, 91])
    await createMaintenanceRun(db, { startsAt: days, endsAt: clock.now() - days * DAY });
  await store.heartbeats.noteAlive(clock.now());
  await start();
  await clock.advance(60 * 60_000);
  const names = async () => {
    const { items } = await store.audit.list(owner.organizationId, { limit: 50 });
    return items.map(({ resource }) => resource.name);
  };
  await clock.until(
    async () => (await names()).length === 1 && (await countRows(db, "maintenance_runs")) === 1,
  );
  expect(await names()).toEqual(["365"]);
});

test("a service that starts with a clock far ahead deletes no result, also if it starts again", async () => {
  await checkIn(await makeJob(), clock.now());
  await database.store.heartbeats.noteAlive(clock.now());
  await start();
  await clock.until(isSteadyNoted);
  await housekeeping?.stop();
  clock.jump(100 * DAY);
  for (let starts = 0; starts < 2; starts++) {
    start();
    await database.store.heartbeats.noteAlive(clock.now());
    await roundAfterJump();
    await housekeeping?.stop();
  }
  expect(await resultCount()).toBe(1);
});

test("a stop waits for the piece that is being deleted, of all kinds of data", async () => {
  const store = trackedStore(database.store, clock);
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isDeleted = false;
  await start({
    ...store,
    housekeeping: {
      ...store.housekeeping,
      async pruneDetails(...given) {
        reached.resolve();
        await gate.promise;
        const end = await store.housekeeping.pruneDetails(...given);
        isDeleted = true;
        return end;
      },
    },
  });
  await clock.advance(60 * 60 * 1000);
  await reached.promise;
  const stopped = housekeeping?.stop();
  gate.resolve();
  await stopped;
  expect(isDeleted).toBe(true);
});
