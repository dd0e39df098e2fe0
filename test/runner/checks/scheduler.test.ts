import { Database as Sqlite } from "bun:sqlite";
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import { createLogger } from "../../../src/log.ts";
import type { ProbeSettings } from "../../../src/probes/probe-settings.ts";
import { type ProbeThread, startProbeThread } from "../../../src/probes/probe-thread.ts";
import { createRecorder } from "../../../src/runner/checks/recorder.ts";
import { createScheduler, type Scheduler } from "../../../src/runner/checks/scheduler.ts";
import { updateMonitor } from "../../../src/store/monitors/monitor-update.ts";
import { createMonitor, deleteMonitor } from "../../../src/store/monitors/monitors.ts";
import { listResults } from "../../../src/store/sqlite/results/results.ts";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { answering, closedPort, silent, startServer, type TestServer } from "../../support/tcp-server.ts";

const OK = "HTTP/1.1 200 OK\r\n\r\n";
const RUN_AGAIN = "checks could not be made and are run again";
const HOUR = 3_600_000;

let database: TestDatabase;
let probes: ProbeThread;
let scheduler: Scheduler;
let healthy: TestServer;
let hung: TestServer;
/** The messages of errors. */
let logged: string[] = [];

beforeEach(async () => {
  database = await createDatabase();
  logged = [];
  healthy = await startServer(answering(OK));
  hung = await startServer(silent);
});
afterEach(async () => {
  await scheduler.stop(0);
  probes.stop();
  jest.useRealTimers();
  for (const one of [database, healthy, hung]) one[Symbol.dispose]();
});

function start({
  worker = "../../../src/probes/probe-worker.ts",
  most = 1000,
  settings = {},
}: {
  worker?: string;
  most?: number;
  settings?: Partial<ProbeSettings>;
} = {}): void {
  const log = createLogger({ level: "silent", format: "json" });
  log.error = (...[, message = ""]: unknown[]) => void logged.push(String(message));
  const entry = new URL(worker, import.meta.url);
  probes = startProbeThread(entry, { privateTargets: "allow", ...settings }, () => logged.push("died"));
  const recorder = createRecorder({ db: database.db, log, onNotable: () => {} });
  scheduler = createScheduler({ db: database.db, probes, recorder, log, most });
  scheduler.start();
}

const urlOf = ({ port }: TestServer) => `http://127.0.0.1:${port}/`;
const checks = (server: TestServer, interval = 86_400) => ({ url: urlOf(server), interval });

async function create(config: MonitorConfig<"HTTP">): Promise<string> {
  const values = { name: "a monitor", type: "HTTP" as const, config, alertChannelIds: [] };
  return (await createMonitor(database.db, database.owner, values, Date.now())).id;
}

async function update(id: string, changes: { config?: object; enabled?: boolean }): Promise<void> {
  await updateMonitor(database.db, database.owner, id, changes, Date.now());
  scheduler.wake();
}

async function results(monitorId: string) {
  const page = { monitorId, limit: 200, cursor: undefined };
  return (await listResults(database.db, database.owner.organizationId, page)).items.reverse();
}

/** Waits for as many results. */
function resultsOf(id: string, count = 1, patience = 8000) {
  return eventually(async () => {
    const found = await results(id);
    return found.length >= count && found;
  }, patience);
}

const statuses = (found: { status: string }[]) => found.map(({ status }) => status);

function setDue(id: string, at: number | null): void {
  database.db.$client.run("UPDATE monitors SET next_check_at = ? WHERE id = ?", [at, id]);
}

test("a new monitor is checked at once, and then at its own times, whatever its checks last", async () => {
  using slow = await startServer((socket) => {
    socket.once("data", () => setTimeout(() => socket.end(OK), 300));
  });
  const [first, second] = [await create(checks(healthy, 1)), await create(checks(slow, 1))];
  const created = Date.now();
  start();
  const [one] = await resultsOf(first, 3);
  expect(one?.createdAt).toBeLessThan(created + 1000);
  for (const [id, lasts] of [
    [first, 0],
    [second, 300],
  ] as const) {
    const [, ...later] = await resultsOf(id, 4);
    const slots = later.map(({ createdAt }) => nextCheckAt(id, 1, createdAt - lasts - 1) - 1000);
    // One check for each slot, none left out.
    expect(slots.map((slot) => (slot - (slots[0] ?? 0)) / 1000)).toEqual(slots.map((_, at) => at));
  }
});

test("an edit, a pause and its end start a new check at once while an old one hangs", async () => {
  const id = await create(checks(hung));
  start();
  await eventually(() => hung.received().includes("GET"));
  await update(id, { config: checks(healthy) });
  expect(statuses(await resultsOf(id))).toEqual(["up"]);

  await update(id, { config: checks(hung) });
  await eventually(() => hung.received().split("GET").length === 3);
  await update(id, { enabled: false });
  await update(id, { enabled: true });
  await eventually(() => hung.received().split("GET").length === 4);
  expect(statuses(await results(id))).toEqual(["up"]);
});

test("an edit ends the connection of the check before it", async () => {
  const closed = Promise.withResolvers<void>();
  using watched = await startServer((socket) => socket.once("close", () => closed.resolve()));
  const id = await create(checks(watched));
  start();
  await eventually(() => watched.received().includes("GET"));
  await update(id, { config: checks(healthy) });
  await closed.promise;
});

test("an edit of a monitor whose check is claimed ahead drops that check", async () => {
  const id = await create(checks(hung));
  setDue(id, Date.now() + 1200);
  start();
  await update(id, { config: checks(healthy) });
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
  const other = await create(checks(healthy));
  setDue(other, Date.now() + 1300);
  scheduler.wake();
  await resultsOf(other);
  expect(hung.received()).toBe("");
});

test("a monitor is checked once, however often the scheduler is woken for it", async () => {
  start();
  const id = await create(checks(healthy));
  for (let times = 0; times < 5; times++) scheduler.wake();
  await resultsOf(id);
  const other = await create(checks(healthy));
  scheduler.wake();
  await resultsOf(other);
  expect(healthy.received().split("GET")).toHaveLength(3);
});

test("hung checks do not keep healthy monitors waiting", async () => {
  const sick = await Promise.all(Array.from({ length: 60 }, () => create(checks(hung, 1))));
  start({ most: 80 });
  // From their first timeout on they are known, and take half of the room.
  await Promise.all(sick.map((id) => resultsOf(id, 1)));
  const since = Date.now();
  const well = await Promise.all(Array.from({ length: 30 }, () => create(checks(healthy))));
  scheduler.wake();
  const found = await Promise.all(well.map((id) => resultsOf(id)));
  for (const [result] of found) expect(result).toMatchObject({ status: "up" });
  expect(Math.max(...found.map(([result]) => result?.createdAt ?? 0)) - since).toBeLessThan(900);
});

test("overdue checks are spread instead of starting all at once", async () => {
  // More than start late together while the probe thread is still starting.
  const ids = await Promise.all(Array.from({ length: 1000 }, () => create(checks(healthy))));
  for (const id of ids) setDue(id, Date.now() - HOUR);
  start();
  const found = (await Promise.all(ids.map((id) => resultsOf(id)))).flat();
  const times = found.map(({ createdAt }) => createdAt);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(100);
  expect(found).toHaveLength(1000);
});

test("a check is in time however many others are overdue", async () => {
  const ids = await Promise.all(Array.from({ length: 1000 }, () => create(checks(healthy))));
  const [first = "", ...overdue] = ids;
  for (const id of overdue) setDue(id, Date.now() - HOUR);
  const due = Date.now() + 400;
  setDue(first, due);
  start();
  const [result] = await resultsOf(first);
  expect((result?.createdAt ?? 0) - due).toBeWithin(0, 500);
});

test("a check that a clock put back has moved out of sight is made", async () => {
  const id = await create(checks(healthy, 60));
  setDue(id, Date.now() + HOUR);
  start();
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
});

test("a clock that is put back or forward while it runs stops no check", async () => {
  const id = await create(checks(healthy, 1));
  start();
  await resultsOf(id, 2);
  for (const jump of [-HOUR, HOUR]) {
    const before = (await results(id)).length;
    jest.setSystemTime(Date.now() + jump);
    await resultsOf(id, before + 3);
  }
});

test("a check that gives no result is run again and not recorded, and an edit ends that at once", async () => {
  const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }];
  const id = await create({ url: "http://unknown.test/", interval: 86_400 });
  start({ settings: { dnsServers } });
  await eventually(() => logged.length === 2, 8000);
  expect(await results(id)).toEqual([]);
  await update(id, { config: checks(healthy) });
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
});

test("a worker that dies with checks in flight is replaced, and they are run again and not recorded", async () => {
  using dying = await startServer(answering(OK));
  const ids = [await create(checks(healthy)), await create(checks(dying))];
  start({ worker: "../../support/mortal-worker.ts" });
  const found = await Promise.all(ids.map((id) => resultsOf(id)));
  expect(found.map(statuses)).toEqual([["up"], ["up"]]);
  expect(new Set(logged)).toEqual(new Set(["died", RUN_AGAIN]));
});

test("a database that another process has locked for seconds delays results and invents none", async () => {
  const id = await create(checks(healthy));
  database.db.$client.run("PRAGMA busy_timeout = 50");
  const other = new Sqlite(database.db.$client.filename);
  other.run("BEGIN IMMEDIATE");
  start();
  await eventually(() => logged.includes("the database can't be written to: results are held in memory"));
  expect(await results(id)).toEqual([]);
  other.run("ROLLBACK");
  other.close();
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
});

test("a monitor that is deleted while its check hangs leaves nothing behind", async () => {
  const id = await create(checks(hung, 1));
  start();
  await eventually(() => hung.received().includes("GET"));
  await deleteMonitor(database.db, database.owner.organizationId, id);
  const other = await create(checks(healthy));
  scheduler.wake();
  await resultsOf(other);
  expect(logged).toEqual([]);
});

test("places that checks leave are taken again before the next second", async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => create(checks(healthy))));
  for (const id of ids) setDue(id, Date.now() - HOUR);
  // Two places, filled once a second, would take 20 s.
  start({ most: 2 });
  for (const id of ids) await resultsOf(id);
  expect(healthy.received().split("GET")).toHaveLength(41);
});

test("after a database that was locked, an edit, a pause and a resume start a check at once", async () => {
  const id = await create(checks(healthy));
  database.db.$client.run("PRAGMA busy_timeout = 50");
  const other = new Sqlite(database.db.$client.filename);
  other.run("BEGIN IMMEDIATE");
  start();
  await eventually(() => logged.includes("the database can't be written to: results are held in memory"));
  other.run("ROLLBACK");
  other.close();
  await resultsOf(id);
  await update(id, { config: checks(healthy, 3600) });
  expect(statuses(await resultsOf(id, 2))).toEqual(["up", "up"]);
  await update(id, { enabled: false });
  await update(id, { enabled: true });
  expect(statuses(await resultsOf(id, 3))).toEqual(["up", "up", "up"]);
});
