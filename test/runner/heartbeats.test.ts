import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import type { NetworkState } from "../../src/probes/network-state.ts";
import type { NetworkView } from "../../src/probes/probe-thread.ts";
import { createRecorder, type Recorder } from "../../src/runner/checks/recorder.ts";
import { createMetrics, type Metrics } from "../../src/runner/metrics/metrics.ts";
import {
  createHeartbeats,
  createStorageHealth,
  type Heartbeats,
  type StorageHealth,
} from "../../src/runner/runner.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { alone } from "../support/store/alone.ts";
import { forbidWrites } from "../support/store/faults.ts";
import { Ledger } from "../support/store/ledger.ts";
import { breakRhythm } from "../support/store/states.ts";
import { trackedStore } from "../support/store/tracked-store.ts";

let ledger: Ledger;
let recorder: Recorder;
let heartbeats: Heartbeats;
let storage: StorageHealth;
let clock: TestClock;
let metrics: Metrics;
let errors: string[];

const HOUR = 3_600_000;

/** No clock of any zone changes in the days before and after, which would make windows longer (behavior 3.29). */
const START = Date.UTC(2026, 10, 18, 12);

beforeEach(async () => {
  clock = createTestClock(START);
  ledger = await Ledger.create(undefined, clock);
  metrics = createMetrics();
  errors = [];
  storage = createStorageHealth();
  const log = createLogger({ level: "error" }, (line: string) => void errors.push(line));
  const store = trackedStore(ledger.store, clock);
  recorder = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: () => {} });
  heartbeats = createHeartbeats({ store, clock, recorder, claimant: () => alone, log, storage, metrics });
});

afterEach(async () => {
  await heartbeats.stop();
  await ledger[Symbol.asyncDispose]();
});

test("a job that could not check in, because nothing could be written, is not late", async () => {
  const job = await ledger.job();
  await ledger.checkin(job, "ok", clock.now());
  await heartbeats.start();
  const deadline = clock.now() + 10_000;
  await ledger.store.heartbeats.postponeDeadline(job, deadline);
  const allowWrites = await forbidWrites(ledger.db);
  await clock.advance(15_000);
  expect(storage.isHealthy()).toBeFalse();
  expect(recorder.held()).toBe(0);
  await allowWrites();
  await clock.until(async () => (await deadlineOf(job)) > deadline);
  expect((await deadlineOf(job)) - deadline).toBeWithin(15_000, 25_000);
  await clock.until(() => storage.isHealthy());
  expect(await ledger.find(job)).toMatchObject({ status: "ok" });
});

describe("behavior 3.20: a job whose deadline passes while stillup", () => {
  /** @returns a job whose deadline is in three seconds, while the heartbeats run */
  async function jobDueSoon(
    isDeaf = () => false,
    network?: Pick<NetworkView, "state" | "look">,
  ): Promise<string> {
    const store = trackedStore(ledger.store, clock);
    const log = createLogger({ level: "silent" });
    heartbeats = createHeartbeats({
      store,
      clock,
      recorder,
      claimant: () => alone,
      log,
      storage,
      metrics,
      isDeaf,
      network,
    });
    const job = await ledger.job();
    await ledger.checkin(job, "ok", clock.now());
    await heartbeats.start();
    await store.heartbeats.postponeDeadline(job, clock.now() + 3000);
    return job;
  }

  test("is stopped for some seconds is not late", async () => {
    const job = await jobDueSoon();
    clock.jump(5000);
    await clock.advance(1000);
    expect(await ledger.find(job)).toMatchObject({ status: "ok" });
    // As much later as the stop lasted.
    expect((await deadlineOf(job)) - clock.now()).toBe(3000);
  });

  test("lacks descriptors to accept a check-in is not late", async () => {
    let isDeaf = true;
    const job = await jobDueSoon(() => isDeaf);
    await clock.advance(6000);
    isDeaf = false;
    await clock.advance(1000);
    expect(await ledger.find(job)).toMatchObject({ status: "ok" });
    expect((await deadlineOf(job)) - clock.now()).toBe(3000);
  });

  test("is stopped, and the clock is set back a little afterwards, is not late", async () => {
    let isDeaf = true;
    const job = await jobDueSoon(() => isDeaf);
    await clock.advance(40_000);
    clock.setBack(1000);
    isDeaf = false;
    await clock.advance(1000);
    expect(await ledger.find(job)).toMatchObject({ status: "ok" });
    expect(await deadlineOf(job)).toBeGreaterThan(clock.now());
  });

  test("behavior 13.56: has no network is not late, also if no check has noticed it yet", async () => {
    const network = createNetwork();
    const job = await jobDueSoon(undefined, network);
    await clock.advance(2000);
    network.isUp = false;
    await clock.advance(40_000);
    expect(await ledger.find(job)).toMatchObject({ status: "ok" });
    expect(network.looks).toBe(1);
    network.isUp = true;
    network.seen = "online";
    await clock.advance(1000);
    expect(await ledger.find(job)).toMatchObject({ status: "ok" });
    // As much of its window is left as when the network went.
    expect((await deadlineOf(job)) - clock.now()).toBeWithin(0, 1001);
    await clock.until(async () => (await ledger.find(job)).status === "havent_heard");
  });

  test("behavior 13.56: stops without a network is not late after the next start", async () => {
    const network = createNetwork();
    const job = await jobDueSoon(undefined, network);
    network.seen = "offline";
    await clock.advance(10_000);
    await heartbeats.stop();
    await clock.advance(10_000);
    network.seen = "online";
    await heartbeats.start();
    await clock.advance(1000);
    expect(await ledger.find(job)).toMatchObject({ status: "ok" });
  });

  test("behavior 13.56: has a network, which it looks at first, is late", async () => {
    const network = createNetwork();
    const job = await jobDueSoon(undefined, network);
    await clock.until(async () => (await ledger.find(job)).status === "havent_heard");
    expect(network.looks).toBe(1);
  });

  test("runs is late, also if there was a stall before", async () => {
    const job = await jobDueSoon();
    await ledger.store.heartbeats.postponeDeadline(job, clock.now() + 20_000);
    clock.jump(5000);
    await clock.advance(1000);
    await clock.until(async () => (await ledger.find(job)).status === "havent_heard");
  });
});

/** The network of this server. A look sees whether it is up. */
function createNetwork() {
  const network = {
    isUp: true,
    seen: "online" as NetworkState,
    looks: 0,
    state: () => network.seen,
    async look() {
      network.looks++;
      network.seen = network.isUp ? "online" : "offline";
      return network.seen;
    },
  };
  return network;
}

async function deadlineOf(id: string): Promise<number> {
  const range = { id, range: "1d" } as const;
  const { deadline } = await ledger.store.monitors.findReport(ledger.organization.id, range, clock.now());
  if (deadline === null) throw new Error(`monitor ${id} has no deadline`);
  return deadline;
}

/** The steady time equals the time of the last sign of life, because no steady clock is noted here. */
async function aliveAt(): Promise<number> {
  return (await ledger.store.housekeeping.lastSteady()) ?? 0;
}

async function missedCount(): Promise<number> {
  const exposed = await metrics.expose(ledger.organization.id, {});
  return Number(/^stillup_missed_checkins_total (\d+)$/m.exec(exposed)?.[1] ?? 0);
}

test("the time at which the service was last alive is stored every second", async () => {
  await heartbeats.start();
  const start = await aliveAt();
  for (const seconds of [1, 2, 3]) {
    await clock.advance(1000);
    expect(await aliveAt()).toBe(start + seconds * 1000);
  }
});

test("behavior 12.35: a stop waits for a claim that is under way, so that it does not follow the release", async () => {
  const claiming = Promise.withResolvers<never[]>();
  const claimOverdue = () => claiming.promise;
  const tracked = trackedStore(ledger.store, clock);
  const store = { ...tracked, heartbeats: { ...tracked.heartbeats, claimOverdue } };
  const parts = {
    clock,
    recorder,
    claimant: () => alone,
    log: createLogger({ level: "silent" }),
    storage,
    metrics,
  };
  const stopped = createHeartbeats({ store, ...parts, isDeaf: () => false });
  await stopped.start();
  await clock.advance(1000);
  let isStopped = false;
  const stopping = stopped.stop().then(() => {
    isStopped = true;
  });
  await clock.settle();
  expect(isStopped).toBe(false);
  claiming.resolve([]);
  await stopping;
});

test("deadlines follow a clock that is set back", async () => {
  const job = await ledger.job();
  await ledger.checkin(job, "ok");
  await heartbeats.start();
  const deadline = await deadlineOf(job);
  clock.setBack(24 * HOUR);
  await clock.advance(5000);
  expect(await deadlineOf(job)).toBe(deadline - 24 * HOUR);
  expect(await aliveAt()).toBe(clock.now());
});

test("deadlines follow a clock that was set back while the service was stopped", async () => {
  const job = await ledger.job();
  const now = clock.now();
  await ledger.checkin(job, "ok", now + 24 * HOUR);
  await ledger.store.heartbeats.noteAlive(now + 24 * HOUR);
  await heartbeats.start();
  expect(await deadlineOf(job)).toBeWithin(now + 25 * HOUR, now + 25 * HOUR + 60_000);
});

describe("behavior 18.75: a report that arrives", () => {
  /** As the API records it. */
  async function report(job: string, kind: "start" | "checkin", rid: string): Promise<void> {
    await heartbeats.catchUp();
    // The commit waits for company.
    const about = { monitorId: job, at: clock.now(), report: { rid } };
    const recorded = recorder.record(
      kind === "start" ? { ...about, kind } : { ...about, kind, status: "ok" },
    );
    await clock.advance(20);
    await recorded;
  }

  async function runs(job: string) {
    const page = { monitorId: job, limit: 10, cursor: undefined, now: clock.now() };
    return (await ledger.store.runs.list(ledger.organization.id, page)).items;
  }

  async function limitedJob(): Promise<string> {
    const job = await ledger.job();
    const config = { interval: 300, period: 86_400, maxRunTime: 5 };
    await ledger.store.monitors.update(ledger.owner, job, { config }, clock.now());
    await heartbeats.start();
    return job;
  }

  test("before the next look after a standstill belongs to a run that is not too long", async () => {
    const job = await limitedJob();
    await report(job, "start", "a");
    await clock.advance(2000);
    clock.stall(8000);
    await report(job, "checkin", "a");
    expect(await runs(job)).toMatchObject([{ outcome: "ok", durationMs: 10_020 }]);
    expect((await ledger.find(job)).status).toBe("ok");
  });

  test("before the next look after the clock was set back begins at the time that it shows", async () => {
    const job = await limitedJob();
    clock.setBack(1_800_000);
    await report(job, "start", "a");
    await clock.advance(2000);
    await report(job, "checkin", "a");
    expect(await runs(job)).toMatchObject([{ outcome: "ok", durationMs: 2020 }]);
  });

  test("waits for nothing while stillup runs", async () => {
    await heartbeats.start();
    await clock.advance(5000);
    expect(heartbeats.catchUp()).toBeUndefined();
    clock.stall(2000);
    expect(heartbeats.catchUp()).toBeUndefined();
    clock.stall(1000);
    expect(heartbeats.catchUp()).toBeInstanceOf(Promise);
    await heartbeats.catchUp();
    expect(heartbeats.catchUp()).toBeUndefined();
  });
});

test("a job whose rhythm can't be computed does not keep others from being late, and is logged once", async () => {
  const [broken, dead] = [await ledger.job(), await ledger.job()];
  const now = clock.now();
  for (const job of [broken, dead]) await ledger.checkin(job, "ok", now - 26 * HOUR);
  const run = now - 2 * HOUR;
  await breakRhythm(ledger.db, broken, run);
  await ledger.store.heartbeats.postponeDeadline(broken, run + HOUR);
  await ledger.store.heartbeats.noteAlive(now - 60_000);
  await heartbeats.start();
  await clock.until(async () => (await ledger.find(dead)).status === "havent_heard");
  const late = await ledger.job();
  await ledger.checkin(late, "ok", clock.now() - 26 * HOUR);
  await clock.until(async () => (await ledger.find(late)).status === "havent_heard");
  expect((await ledger.find(broken)).status).toBe("ok");
  expect(errors.filter((line) => line.includes("can't be computed"))).toHaveLength(1);
  expect(errors).toHaveLength(1);
});

test("each missed run is counted, also those before an outage", async () => {
  const [silent, dead] = [await ledger.job(), await ledger.job()];
  const now = clock.now();
  await ledger.checkin(dead, "ok", now - 75 * HOUR);
  await ledger.store.heartbeats.noteAlive(now - 60_000);
  await heartbeats.start();
  expect(await missedCount()).toBe(3);
  await ledger.checkin(silent, "ok", now - 51 * HOUR);
  await clock.until(async () => (await ledger.find(silent)).status === "havent_heard");
  expect(await missedCount()).toBe(5);
});

test("after a resume or an edit, the next outage again gives the job a full window", async () => {
  const uncomputable = (_: string, error: unknown) => {
    throw error;
  };
  const changes = [[{ enabled: false }, { enabled: true }], [{ config: { grace: 3600 } }]];
  for (const steps of changes) {
    const job = await ledger.job();
    const start = clock.now();
    await ledger.checkin(job, "ok", start);
    await ledger.store.heartbeats.noteAlive(start + HOUR);
    await ledger.store.heartbeats.excuseOutage(start + 30 * HOUR, uncomputable);
    const changed = start + 31 * HOUR;
    for (const step of steps) await ledger.store.monitors.update(ledger.owner, job, step, changed);
    await ledger.store.heartbeats.noteAlive(changed + 24.5 * HOUR);
    const end = changed + 40 * HOUR;
    await ledger.store.heartbeats.excuseOutage(end, uncomputable);
    expect(await deadlineOf(job)).toBe(end + 25 * HOUR);
  }
});
