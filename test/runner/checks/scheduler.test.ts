import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import type { Clock } from "../../../src/clock.ts";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import { createLogger } from "../../../src/log.ts";
import { type ProbeSettings, type ProbeThread, startProbeThread } from "../../../src/probes/probe-thread.ts";
import { createRecorder, type Recorder } from "../../../src/runner/checks/recorder.ts";
import { createScheduler, type Scheduler } from "../../../src/runner/checks/scheduler.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import { createStorageHealth } from "../../../src/runner/runner.ts";
import { createTestClock, systemClock, type TestClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { startDeafServer } from "../../support/servers/deaf-server.ts";
import { startHttpProxy } from "../../support/servers/proxies.ts";
import {
  answering,
  closedPort,
  silent,
  startServer,
  type TestServer,
} from "../../support/servers/tcp-server.ts";
import { alone } from "../../support/store/alone.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { engineOfTests } from "../../support/store/engines.ts";
import { commitWithoutDisk, lockDatabase } from "../../support/store/faults.ts";
import { packAll } from "../../support/store/packed.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

/** On PostgreSQL a claim is written, so that no check starts while nothing can be: `several-nodes.test.ts`. */
const claimsInMemory = engineOfTests().name === "sqlite";

const OK = "HTTP/1.1 200 OK\r\n\r\n";
const RUN_AGAIN = "checks could not be made and are run again";
const HOUR = 3_600_000;

/** A DNS server has answered before: its silence is not a fault of the target. */
const ANSWERED = { answered: () => {}, hasAnswered: async () => true };

let database: TestDatabase;
/** The time by which the scheduler works. */
let clock: Clock;
let probes: ProbeThread;
let scheduler: Scheduler;
let recorder: Recorder;
let healthy: TestServer;
let hung: TestServer;
/** The messages of errors. */
let logged: string[] = [];
/** The arguments of warnings. */
let warned: unknown[][] = [];

beforeEach(async () => {
  database = await createDatabase();
  clock = systemClock();
  logged = [];
  warned = [];
  healthy = await startServer(answering(OK));
  hung = await startServer(silent);
});
afterEach(async () => {
  await scheduler.stop(0);
  // Otherwise a late commit fails because its database is closed, and is logged in the next test.
  await recorder.flush();
  probes.stop();
  jest.useRealTimers();
  for (const one of [healthy, hung]) one[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

function start({
  worker = "../../../src/probes/probe-worker.ts",
  max = 1000,
  settings = {},
}: {
  worker?: string;
  max?: number;
  settings?: Partial<ProbeSettings>;
} = {}): void {
  const log = createLogger({ level: "silent" });
  log.error = (...[, message = ""]: unknown[]) => void logged.push(String(message));
  log.warn = (...values: unknown[]) => void warned.push(values);
  const entry = new URL(worker, import.meta.url);
  const onDeath = () => logged.push("died");
  probes = startProbeThread(entry, { privateTargets: "allow", ...settings }, onDeath, undefined, ANSWERED);
  const { store } = database;
  const [storage, metrics] = [createStorageHealth(), createMetrics()];
  recorder = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: () => {} });
  scheduler = createScheduler({ store, clock, probes, recorder, claimant: () => alone, log, max });
  scheduler.start();
}

/**
 * The same in virtual time, and without a thread.
 *
 * @param run how a check runs
 * @returns the clock
 */
function simulate(run: (clock: TestClock) => ProbeThread["run"], { max = 1000 } = {}): TestClock {
  const own = createTestClock();
  clock = own;
  probes = {
    run: run(own),
    cancel() {},
    ping: async () => {},
    look: () => Promise.reject(new Error("nothing is looked at")),
    sockets: () => 0,
    stop() {},
  };
  const log = createLogger({ level: "silent" });
  const [storage, metrics] = [createStorageHealth(), createMetrics()];
  const store = trackedStore(database.store, own);
  recorder = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: () => {} });
  scheduler = createScheduler({ store, clock, probes, recorder, claimant: () => alone, log, max });
  return own;
}

const REACHED = { outcome: "reached", latencyMs: 1, detail: {} } as const;

const urlOf = ({ port }: TestServer) => `http://127.0.0.1:${port}/`;
const checks = (server: TestServer, interval = 86_400) => ({ url: urlOf(server), interval });

/** @param at when it is created, which is when its first check is due */
async function create(config: MonitorConfig<"HTTP">, at = clock.now()): Promise<string> {
  const values = { name: "a monitor", type: "HTTP" as const, config, alertChannelIds: [] };
  return (await database.store.monitors.create(database.owner, values, at)).id;
}

async function update(id: string, changes: { config?: object; enabled?: boolean }): Promise<void> {
  await database.store.monitors.update(database.owner, id, changes, clock.now());
  scheduler.wake();
}

/** Makes every next check overdue, as a clock that was set back by two days does. */
async function makeAllDue(): Promise<void> {
  await database.store.checks.recall(clock.now() - 48 * HOUR);
  scheduler.wake();
}

async function results(monitorId: string) {
  const page = { monitorId, limit: 200, cursor: undefined };
  return (await database.store.results.list(database.owner.organizationId, page)).items.reverse();
}

/** Waits until a monitor has this number of results. */
function resultsOf(id: string, count = 1, patience = 120_000) {
  return eventually(async () => {
    const found = await results(id);
    return found.length >= count && found;
  }, patience);
}

/** Deletes all results, also of deleted monitors. @returns how many there were */
async function deleteResults(): Promise<number> {
  await packAll(database.store);
  return database.store.housekeeping.pruneResults(clock.now() + 48 * HOUR);
}

const statuses = (found: { status: string }[]) => found.map(({ status }) => status);

test("a new monitor is checked immediately and then in its own slots, however long its checks take", async () => {
  const starts = new Map<string, number[]>();
  const virtual = simulate((own) => async ({ startAt, config }, { onEnd } = {}) => {
    const { url = "" } = config as MonitorConfig<"HTTP">;
    starts.set(url, [...(starts.get(url) ?? []), startAt]);
    await own.sleep(startAt - own.now() + Number(new URL(url).port));
    onEnd?.(own.now());
    return REACHED;
  });
  const created = virtual.now();
  const ids = new Map<string, string>();
  for (const url of ["http://quick:1/", "http://slow:300/", "http://slower:600/"])
    ids.set(url, await create({ url, interval: 1 }));
  // Its slots are a day apart.
  await create({ url: "http://daily/", interval: 86_400 });
  scheduler.start();
  await virtual.settle();
  await virtual.advance(16_000);
  for (const [url, id] of ids) {
    const [first = Number.NaN, second = Number.NaN, ...later] = starts.get(url) ?? [];
    expect(first).toBeWithin(created, created + ids.size + 1);
    const slot = nextCheckAt(id, 1, first);
    // The first slots may follow the first check too soon to be found in time.
    expect(second).toBeWithin(slot, slot + 1000);
    // One check in each slot, none left out.
    expect(later.length).toBeGreaterThanOrEqual(12);
    const last = later.slice(-4);
    const next = nextCheckAt(id, 1, (last[0] ?? Number.NaN) - 1);
    expect(last).toEqual([0, 1, 2, 3].map((at) => next + at * 1000));
  }
  expect(starts.get("http://daily/")).toHaveLength(1);
});

test("behavior 13.50, 13.53: offline, nothing is recorded and no error logged; checks run again when the network is back", async () => {
  using deaf = await startDeafServer();
  const networkCheck = [{ host: "127.0.0.1", port: deaf.port }];
  start({ settings: { networkCheck } });
  const id = await create({ ...checks(hung), timeout: 1 });
  scheduler.wake();
  await eventually(() => probes.network?.state() === "offline" && scheduler.running() === 0);
  expect(await results(id)).toEqual([]);
  deaf.accept();
  // Its interval is a day.
  expect(statuses(await resultsOf(id, 1, 15_000))).toEqual(["down"]);
  expect(logged).toEqual([]);
}, 300_000);

test("behavior 11.8: a change is confirmed by checks that begin a delay after the end of the previous one", async () => {
  let requests = 0;
  using failing = await startServer((socket) => {
    // The first check succeeds, and the others end after some time.
    const isFirst = ++requests === 1;
    socket.once("data", () => (isFirst ? socket.end(OK) : setTimeout(() => socket.destroy(), 100)));
  });
  // After the first check its slots are a day apart, so that the test makes the others due.
  const id = await create(checks(failing));
  await database.store.monitors.update(database.owner, id, { confirmations: 2 }, clock.now());
  start();
  await resultsOf(id);
  await makeAllDue();
  const due = async () =>
    (await database.store.checks.listDueSlots(alone, { now: 0, before: Number.MAX_SAFE_INTEGER }))[0]
      ?.nextCheckAt;
  const [, second] = await resultsOf(id, 2);
  expect(second).toMatchObject({ status: "up", detail: { seen: { status: "down", reason: "closed" } } });
  expect(await due()).toBe((second?.createdAt ?? 0) + 20_000);
  await makeAllDue();
  const [, , third] = await resultsOf(id, 3);
  expect(await due()).toBe((third?.createdAt ?? 0) + 20_000);
  await makeAllDue();
  expect(statuses(await resultsOf(id, 4))).toEqual(["up", "up", "up", "down"]);
  expect(await due()).toBe(nextCheckAt(id, 86_400, clock.now()));
});

test("behavior 11.4, 11.8: with a short interval, the check after a failed one is not in a slot", async () => {
  let checksMade = 0;
  const virtual = simulate((own) => async ({ startAt }, { onEnd } = {}) => {
    await own.sleep(startAt - own.now());
    onEnd?.(own.now());
    return ++checksMade === 2 ? { outcome: "failed", reason: "closed", detail: {} } : REACHED;
  });
  const id = await create(checks(healthy, 2));
  await database.store.monitors.update(database.owner, id, { confirmations: 1 }, clock.now());
  scheduler.start();
  const found = await virtual.until(async () => {
    const all = await results(id);
    return all.length >= 4 && all;
  });
  expect(statuses(found.slice(0, 4))).toEqual(["up", "up", "up", "up"]);
  const seen = found.map(({ detail }) => (detail?.seen as { status: string } | undefined)?.status);
  expect(seen.slice(0, 4)).toEqual([undefined, "down", undefined, undefined]);
  const [, second = Number.NaN, third = Number.NaN, fourth] = found.map(({ createdAt }) => createdAt);
  // Half the interval after its end.
  expect(third - second).toBe(1000);
  expect(fourth).toBe(nextCheckAt(id, 2, third));
});

test("an edit and a resume start a new check immediately while the previous one hangs", async () => {
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

test("an edit closes the connection of the running check", async () => {
  const closed = Promise.withResolvers<void>();
  using watched = await startServer((socket) => socket.once("close", () => closed.resolve()));
  const id = await create(checks(watched));
  start();
  await eventually(() => watched.received().includes("GET"));
  await update(id, { config: checks(healthy) });
  await closed.promise;
});

test("an edit cancels a check that is claimed for a later start", async () => {
  const id = await create(checks(hung), clock.now() + 1200);
  start();
  await update(id, { config: checks(healthy) });
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
  const other = await create(checks(healthy), clock.now() + 1300);
  scheduler.wake();
  await resultsOf(other);
  expect(hung.received()).toBe("");
});

test("behavior 1.57: a monitor that is paused or deleted gets no check afterwards, although one was claimed", async () => {
  const [paused, deleted] = [
    await create(checks(hung), Date.now() + 1000),
    await create(checks(hung), Date.now() + 1000),
  ];
  const other = await create(checks(healthy), Date.now() + 1300);
  start();
  await eventually(() => scheduler.running() === 3);
  await database.store.monitors.update(database.owner, paused, { enabled: false }, Date.now());
  await database.store.monitors.delete(database.owner.organizationId, deleted);
  await scheduler.refresh();
  expect(scheduler.running()).toBe(1);
  await resultsOf(other);
  expect(hung.received()).toBe("");
});

test("behavior 1.57: an edit leaves the old target alone as soon as it is acknowledged", async () => {
  const id = await create(checks(hung), Date.now() + 1200);
  start();
  await eventually(() => scheduler.running() === 1);
  await database.store.monitors.update(database.owner, id, { config: checks(healthy) }, Date.now());
  await scheduler.refresh();
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
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

test("behavior 1.13: checks that hang do not delay healthy monitors", async () => {
  await commitWithoutDisk(database.db);
  const ends: number[] = [];
  const virtual = simulate(
    (own) =>
      async ({ startAt, timeout, config }, { onEnd } = {}) => {
        const { url } = config as MonitorConfig<"HTTP">;
        const isHung = url === urlOf(hung);
        await own.sleep(startAt - own.now() + (isHung ? timeout : 0));
        onEnd?.(own.now());
        if (!isHung) ends.push(own.now());
        return isHung ? { outcome: "failed", reason: "timeout", detail: {} } : REACHED;
      },
    { max: 80 },
  );
  const sick: string[] = [];
  for (let at = 0; at < 120; at++) sick.push(await create(checks(hung, 3)));
  scheduler.start();
  // After their first timeout they are known to be slow, and take half of the places.
  await virtual.advance(10_000);
  for (const id of sick) expect(await results(id)).not.toEqual([]);
  const since = virtual.now();
  await Promise.all(Array.from({ length: 30 }, () => create(checks(healthy))));
  scheduler.wake();
  await virtual.until(() => ends.length === 30);
  // Within the timeout of the checks that hang.
  expect(Math.max(...ends) - since).toBeLessThan(3000);
}, 300_000);

describe("of 300 overdue checks and one that is due in 400 ms", () => {
  /** When each check starts, in milliseconds from now, by the interval of its monitor. */
  async function startTimes(): Promise<Map<number, number>> {
    const starts = new Map<number, number>();
    simulate(
      (own) =>
        ({ startAt, config }) => {
          starts.set(config.interval, startAt - own.now());
          return new Promise(() => {});
        },
      { max: 2000 },
    );
    await commitWithoutDisk(database.db);
    for (let at = 0; at < 300; at++) await create(checks(healthy, 1000 + at), clock.now() - HOUR + at);
    await create(checks(healthy, 9), clock.now() + 400);
    scheduler.start();
    await eventually(() => starts.size === 301);
    return starts;
  }

  test("behavior 1.12: the overdue ones are spread, the most overdue first, and the other starts in its slot", async () => {
    const starts = await startTimes();
    expect(starts.get(9)).toBe(400);
    starts.delete(9);
    expect([...starts.values()]).toEqual(Array.from({ length: 300 }, (_, at) => at));
  }, 300_000);
});

test("behavior 1.52: a result has the time at which its check ended, although the process was suspended afterwards", async () => {
  const ends: number[] = [];
  const virtual = simulate(
    (own) =>
      async (_, { onEnd } = {}) => {
        ends.push(own.now());
        onEnd?.(own.now());
        own.jump(40_000);
        return { outcome: "failed", reason: "refused", detail: {} };
      },
    { max: 10 },
  );
  const id = await create(checks(healthy));
  scheduler.start();
  const found = await virtual.until(async () => {
    const all = await results(id);
    return all.length > 0 && all;
  });
  // The next slot may follow at once.
  expect(found.at(-1)).toMatchObject({ status: "down", createdAt: ends[0] });
});

test("a check whose thread has a clock that is a little behind is made once in its slot", async () => {
  const starts: number[] = [];
  const virtual = simulate(
    (own) =>
      async ({ startAt }, { onEnd } = {}) => {
        await own.sleep(startAt - own.now());
        starts.push(startAt);
        onEnd?.(startAt - 2);
        return REACHED;
      },
    { max: 10 },
  );
  await create(checks(healthy, 10));
  scheduler.start();
  await virtual.until(() => starts.length === 5);
  // The first slot may follow the first check too soon to be found in time.
  const [, , ...slots] = starts;
  expect(slots.map((slot) => slot - (slots[0] ?? 0))).toEqual([0, 10_000, 20_000]);
});

test("behavior 1.17: a monitor that is due much too late, because the clock was set back, is checked immediately", async () => {
  const id = await create(checks(healthy, 60), clock.now() + HOUR);
  start();
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
});

test("behavior 1.9, 1.17: a check that runs while the clock is set back is cancelled for the next one, and leaves its place", async () => {
  let [runs, cancels] = [0, 0];
  const virtual = simulate(
    (own) =>
      async (_, { onEnd } = {}) => {
        await own.sleep(++runs === 1 ? 5000 : 0);
        onEnd?.(own.now());
        return REACHED;
      },
    { max: 1 },
  );
  probes.cancel = () => void cancels++;
  const id = await create(checks(healthy, 60));
  scheduler.start();
  await virtual.until(() => runs === 1);
  virtual.setBack(HOUR);
  await virtual.until(() => runs === 2);
  expect(cancels).toBe(1);
  await virtual.until(async () => (await results(id)).length > 0);
  const other = await create(checks(healthy, 60));
  await virtual.until(async () => (await results(other)).length > 0);
});

test("a clock that is set back or ahead at runtime stops no checks", async () => {
  const id = await create(checks(healthy, 1));
  start();
  await resultsOf(id, 2);
  for (const jump of [-HOUR, HOUR]) {
    const before = (await results(id)).length;
    jest.setSystemTime(clock.now() + jump);
    await resultsOf(id, before + 3);
  }
});

test("an inconclusive check is run again and not recorded, and an edit ends that immediately", async () => {
  const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }];
  const id = await create({ url: "http://unknown.test/", interval: 86_400 });
  start({ settings: { dnsServers } });
  await eventually(() => logged.length === 2);
  expect(await results(id)).toEqual([]);
  await update(id, { config: checks(healthy) });
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
});

test("behavior 26.22, 26.30: a fault of a proxy records nothing, is logged once with its monitor, and again after a good check", async () => {
  using proxy = await startHttpProxy({ login: { user: "me", password: "right" } });
  const config = { ...checks(healthy), proxy: { url: proxy.url, user: "me", password: "wrong" } };
  const id = await create(config);
  start();
  await eventually(() => proxy.asked.length >= 3);
  expect(await results(id)).toEqual([]);
  expect(logged).toEqual([]);
  const why =
    "the proxy answered 407 Proxy Authentication Required: it does not accept config.proxy.user and config.proxy.password";
  const warning = [{ monitor: id, reason: "proxy_failed", cause: why }, "a monitor can't be checked"];
  expect(warned).toEqual([warning]);
  await update(id, { config: { ...config, proxy: { ...config.proxy, password: "right" } } });
  expect(statuses(await resultsOf(id))).toEqual(["up"]);
  await update(id, { config });
  await eventually(() => warned.length === 2);
  expect(warned).toEqual([warning, warning]);
  expect(await results(id)).toHaveLength(1);
});

test("a worker that dies during checks is replaced, and the checks are run again", async () => {
  using dying = await startServer(answering(OK));
  const ids = [await create(checks(healthy)), await create(checks(dying))];
  start({ worker: "../../support/probes/mortal-worker.ts" });
  const found = await Promise.all(ids.map((id) => resultsOf(id)));
  expect(found.map(statuses)).toEqual([["up"], ["up"]]);
  expect(new Set(logged)).toEqual(new Set(["died", RUN_AGAIN]));
});

test.if(claimsInMemory)(
  "a database that another process locks for seconds delays results and causes no false ones",
  async () => {
    const id = await create(checks(healthy));
    const unlock = await lockDatabase(database.db);
    start();
    await eventually(() => logged.includes("the database can't be written to: results are held in memory"));
    expect(await results(id)).toEqual([]);
    await unlock();
    expect(statuses(await resultsOf(id))).toEqual(["up"]);
  },
);

test.if(claimsInMemory)("behavior 1.50: writing what was held cancels no check that runs", async () => {
  const starts: number[] = [];
  const virtual = simulate((own) => async ({ startAt }, { onEnd } = {}) => {
    await own.sleep(startAt - own.now());
    starts.push(own.now());
    // Longer than the wait for the next attempt to write, and so short that two of them end before the third slot.
    await own.sleep(2000);
    onEnd?.(own.now());
    return REACHED;
  });
  let cancelled = 0;
  probes.cancel = () => void cancelled++;
  const id = await create(checks(healthy, 10));
  const unlock = await lockDatabase(database.db);
  scheduler.start();
  await virtual.until(() => starts.length === 2);
  await unlock();
  await virtual.until(async () => (await results(id)).length === 3);
  expect(cancelled).toBe(0);
  expect(starts[2]).toBe(nextCheckAt(id, 10, starts[1] ?? 0));
});

test("a monitor that is deleted while its check hangs leaves nothing behind", async () => {
  const id = await create(checks(hung, 1));
  start();
  await eventually(() => hung.received().includes("GET"));
  await database.store.monitors.delete(database.owner.organizationId, id);
  const other = await create(checks(healthy));
  scheduler.wake();
  await resultsOf(other);
  await eventually(() => scheduler.running() === 0);
  expect(await deleteResults()).toBe(1);
  // On a busy machine a check may be inconclusive.
  expect(logged.filter((message) => message !== RUN_AGAIN)).toEqual([]);
});

test("finished checks are replaced before the next regular scan", async () => {
  const overdue = Array.from({ length: 40 }, () => create(checks(healthy), clock.now() - HOUR));
  const ids = await Promise.all(overdue);
  // Two checks per second would take 20 s.
  start({ max: 2 });
  for (const id of ids) await resultsOf(id);
  expect(healthy.received().split("GET")).toHaveLength(41);
});

test.if(claimsInMemory)(
  "after a locked database, an edit and a resume start a check immediately",
  async () => {
    const id = await create(checks(healthy));
    const unlock = await lockDatabase(database.db);
    start();
    await eventually(() => logged.includes("the database can't be written to: results are held in memory"));
    await unlock();
    await resultsOf(id);
    await update(id, { config: checks(healthy, 3600) });
    expect(statuses(await resultsOf(id, 2))).toEqual(["up", "up"]);
    await update(id, { enabled: false });
    await update(id, { enabled: true });
    expect(statuses(await resultsOf(id, 3))).toEqual(["up", "up", "up"]);
  },
);
