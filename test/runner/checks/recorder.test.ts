import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Organization } from "../../../src/domain/accounts/organization.ts";
import { createLogger } from "../../../src/log.ts";
import { createRecorder, type Recorder } from "../../../src/runner/checks/recorder.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import { createStorageHealth } from "../../../src/runner/runner.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock, systemClock } from "../../support/clock.ts";
import { engineOfTests } from "../../support/store/engines.ts";
import type { TestStore } from "../../support/store/test-store.ts";

const NOW = Date.UTC(2027, 5, 1, 12);
const reached = (detail: object) => ({ outcome: "reached", latencyMs: 1.25, detail: { ...detail } }) as const;

let opened: TestStore;
let store: Store;
let recorder: Recorder;
let organization: Organization;
let wakes = 0;

/** On PostgreSQL a commit includes the sync, so that it fails as a whole. */
const isSyncedLater = engineOfTests().name === "sqlite";

beforeEach(async () => {
  opened = await engineOfTests().open();
  store = opened.store;
  wakes = 0;
  const log = createLogger({ level: "silent" });
  recorder = createRecorder({
    store,
    clock: systemClock(),
    log,
    storage: createStorageHealth(),
    metrics: createMetrics(),
    wakeDispatcher: () => wakes++,
  });
  organization = await store.organizations.create(
    { name: "A", plan: "enterprise", subscription: "active" },
    NOW,
  );
});

afterEach(() => opened[Symbol.asyncDispose]());

async function makeMonitor(type: "TCP" | "SCHEDULED"): Promise<string> {
  const config = type === "TCP" ? { host: "a", port: 1, interval: 60 } : { interval: 300 };
  const owner = { organizationId: organization.id, plan: organization.plan };
  return (await store.monitors.create(owner, { name: "m", type, config, alertChannelIds: [] }, NOW)).id;
}

async function statuses(monitorId: string): Promise<string[]> {
  const { items } = await store.results.list(organization.id, { monitorId, limit: 200, cursor: undefined });
  return items.map(({ status }) => status);
}

describe("the recorder", () => {
  test("commits in groups, and resolves after the commit", async () => {
    const id = await makeMonitor("SCHEDULED");
    const recorded = Array.from({ length: 100 }, () =>
      recorder.record({ kind: "checkin", monitorId: id, status: "ok", at: NOW }),
    );
    expect(await statuses(id)).toHaveLength(0);
    await recorded[0];
    expect(await statuses(id)).toHaveLength(100);
  });

  test("commits what waited for a slow transaction in groups that the database can take", async () => {
    const log = createLogger({ level: "silent" });
    const first = Promise.withResolvers<void>();
    const groups: number[] = [];
    const record = async (recordings: unknown[]) => {
      groups.push(recordings.length);
      if (groups.length === 1) await first.promise;
      return recordings.map(() => null);
    };
    const slow = createRecorder({
      store: { ...store, recording: { ...store.recording, record } },
      clock: systemClock(),
      log,
      storage: createStorageHealth(),
      metrics: createMetrics(),
      wakeDispatcher: () => {},
    });
    const checkin = () => slow.record({ kind: "checkin", monitorId: "x", status: "ok", at: NOW });
    const all = Array.from({ length: 500 + 12_000 }, checkin);
    first.resolve();
    await Promise.all(all);
    expect(groups).toEqual([500, 5000, 5000, 2000]);
    expect(slow.waiting()).toBe(0);
  });

  test("commits a check-in while the transaction of a check waits", async () => {
    const [job, site] = [await makeMonitor("SCHEDULED"), await makeMonitor("TCP")];
    const unlocked = Promise.withResolvers<void>();
    const record: Store["recording"]["record"] = async (recordings) => {
      if (recordings.some(({ kind }) => kind === "check")) await unlocked.promise;
      return store.recording.record(recordings);
    };
    const locked = createRecorder({
      store: { ...store, recording: { ...store.recording, record } },
      clock: systemClock(),
      log: createLogger({ level: "silent" }),
      storage: createStorageHealth(),
      metrics: createMetrics(),
      wakeDispatcher: () => {},
    });
    const check = locked.record(
      { kind: "check", monitorId: site, revision: 0, evidence: reached({}), at: NOW },
      { isTransition: true },
    );
    const checkin = () => locked.record({ kind: "checkin", monitorId: job, status: "ok", at: NOW });
    expect(await checkin()).toMatchObject({ status: "ok" });
    expect(await checkin()).toMatchObject({ status: "ok" });
    expect(await statuses(site)).toEqual([]);
    unlocked.resolve();
    expect(await check).toMatchObject({ status: "up" });
  });

  test("keeps the order of recordings", async () => {
    const id = await makeMonitor("SCHEDULED");
    const words = ["ok", "fail", "ok", "fail", "fail"];
    await Promise.all(
      words.map((status) => recorder.record({ kind: "checkin", monitorId: id, status, at: NOW })),
    );
    expect(await statuses(id)).toEqual(["failed", "failed", "ok", "failed", "ok"]);
    expect(await store.monitors.find(organization.id, id)).toMatchObject({ status: "failed" });
  });

  test("writes the others of a group if one of them can't be written", async () => {
    const monitorId = await makeMonitor("SCHEDULED");
    const site = await makeMonitor("TCP");
    const circular: { self?: object } = {};
    circular.self = circular;
    const bad = recorder.record({
      kind: "check",
      monitorId: site,
      revision: 0,
      evidence: reached(circular),
      at: NOW,
    });
    const good = recorder.record({ kind: "checkin", monitorId, status: "ok", at: NOW });
    await expect(bad).rejects.toThrow();
    expect(await good).toMatchObject({ status: "ok", notable: false });
    expect(await statuses(monitorId)).toEqual(["ok"]);
  });

  test("records nothing for a monitor that was changed since its check began, nor for a deleted one", async () => {
    const id = await makeMonitor("TCP");
    const evidence = reached({});
    const check = { kind: "check", evidence, at: NOW } as const;
    expect(await recorder.record({ ...check, monitorId: id, revision: 7 })).toBeNull();
    expect(await recorder.record({ ...check, monitorId: "gone", revision: 0 })).toBeNull();
    expect(await statuses(id)).toEqual([]);
  });

  test.if(isSyncedLater)("acknowledges no check-in that is not on the disk", async () => {
    const monitorId = await makeMonitor("SCHEDULED");
    const site = await makeMonitor("TCP");
    const endFault = await opened.db.failSyncs();
    const checkin = recorder.record({ kind: "checkin", monitorId, status: "ok", at: NOW });
    const check = {
      kind: "check",
      monitorId: site,
      revision: 0,
      evidence: reached({}),
      at: NOW,
    } as const;
    const checked = recorder.record(check);
    await expect(checkin).rejects.toMatchObject({ kind: "unavailable" });
    expect(await checked).toMatchObject({ status: "up" });
    await endFault();
  });

  test.if(isSyncedLater)(
    "behavior 5.6: wakes the dispatcher only if the transition is on the disk",
    async () => {
      const monitorId = await makeMonitor("SCHEDULED");
      const checkin = { kind: "checkin", monitorId, at: NOW } as const;
      await recorder.record({ ...checkin, status: "fail" });
      expect(wakes).toBe(1);
      const endFault = await opened.db.failSyncs();
      await recorder.record({ ...checkin, status: "ok" }).catch(() => {});
      expect(wakes).toBe(1);
      await endFault();
    },
  );

  test("accepts check-ins for SCHEDULED monitors only", async () => {
    const monitorId = await makeMonitor("TCP");
    expect(await recorder.record({ kind: "checkin", monitorId, status: "ok", at: NOW })).toBeNull();
  });

  test("commits a transition immediately, together with the results that wait", async () => {
    const clock = createTestClock();
    const metrics = createMetrics();
    const log = createLogger({ level: "silent" });
    const storage = createStorageHealth();
    const slow = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: () => {} });
    const id = await makeMonitor("TCP");
    const check = { kind: "check", monitorId: id, revision: 0, evidence: reached({}), at: NOW } as const;
    const ordinary = slow.record(check);
    await clock.advance(190);
    expect(await statuses(id)).toEqual([]);
    const transition = slow.record(check, { isTransition: true });
    await clock.advance(1);
    await Promise.all([ordinary, transition]);
    expect(await statuses(id)).toEqual(["up", "up"]);
  });

  test.each([
    ["for which nobody waits within 200 ms", undefined, 200],
    ["whose monitor is due again within 50 ms, so that the next check is in time", 400, 50],
  ])("commits a result %s", async (_, dueIn, within) => {
    const [clock, metrics, storage] = [createTestClock(), createMetrics(), createStorageHealth()];
    const log = createLogger({ level: "silent" });
    const slow = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: () => {} });
    const id = await makeMonitor("TCP");
    const check = { kind: "check", monitorId: id, revision: 0, evidence: reached({}), at: NOW } as const;
    const recorded = slow.record(check, dueIn === undefined ? {} : { dueIn });
    await clock.advance(within - 1);
    expect(slow.waiting()).toBe(1);
    await clock.advance(1);
    expect(slow.waiting()).toBe(0);
    expect(await recorded).toMatchObject({ status: "up" });
  });

  test("starts no transaction while one runs, and commits what waited for it together", async () => {
    const groups: number[] = [];
    const gate = Promise.withResolvers<void>();
    const slow: Store = {
      ...store,
      recording: {
        ...store.recording,
        async record(recordings) {
          groups.push(recordings.length);
          await gate.promise;
          return store.recording.record(recordings);
        },
      },
    };
    const log = createLogger({ level: "silent" });
    const [storage, metrics, clock] = [createStorageHealth(), createMetrics(), createTestClock(NOW)];
    const busy = createRecorder({ store: slow, clock, log, storage, metrics, wakeDispatcher: () => {} });
    const monitorId = await makeMonitor("SCHEDULED");
    const checkIn = (at: number) => busy.record({ kind: "checkin", monitorId, status: undefined, at });
    const recorded = [checkIn(NOW)];
    await clock.advance(10);
    for (let after = 1; after <= 5; after++) {
      recorded.push(checkIn(NOW + after));
      await clock.advance(10);
    }
    expect(groups).toEqual([1]);
    gate.resolve();
    await Promise.all(recorded);
    expect(groups).toEqual([1, 5]);
    expect(await statuses(monitorId)).toHaveLength(6);
    await busy.flush();
  });

  test("writes what is waiting when it is flushed", async () => {
    const id = await makeMonitor("SCHEDULED");
    void recorder.record({ kind: "checkin", monitorId: id, status: "ok", at: NOW });
    await recorder.flush();
    expect(await statuses(id)).toEqual(["ok"]);
  });

  test("keeps a latency to a hundredth of a millisecond", async () => {
    const monitorId = await makeMonitor("TCP");
    await recorder.record({ kind: "check", monitorId, revision: 0, evidence: reached({}), at: NOW });
    const { items } = await store.results.list(organization.id, { monitorId, limit: 1, cursor: undefined });
    expect(items[0]?.latencyMs).toBe(1.25);
  });
});
