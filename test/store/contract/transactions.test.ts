import { describe, expect, test } from "bun:test";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import { StorageFault } from "../../../src/errors.ts";
import type { Store } from "../../../src/store/store.ts";
import { nextTurn } from "../../../src/store/turns.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, DAY, HOUR, NOW, type World } from "./world.ts";

const LISTED = { type: undefined, range: "1d" } as const;

contractSuite("transactions", (world, engine) => {
  describe("a write that throws in the middle leaves nothing", () => {
    test("of a monitor with an unknown channel", async () => {
      const own = await world().channel();
      await expect(world().job(own, "none")).rejects.toMatchObject({ kind: "invalid" });
      const { store, organizationId } = world();
      expect(await allSlices(store.monitors.listSnapshots(organizationId, { now: NOW }))).toEqual([]);
      expect((await store.channels.find(organizationId, own)).bindings).toEqual([]);
    });

    test("behavior 29.23: of an author who only tries, although it answers", async () => {
      const { organizationId } = world();
      const actor = { type: "key", id: "key", name: "agent" } as const;
      const { maintenances } = world().store.as({ actor, address: null, at: NOW, isTried: true });
      const request = { title: "Rack", selector: { all: true } as const, cron: "0 3 * * *", duration: 60 };
      const tried = await maintenances.create(organizationId, request, NOW);
      expect(tried).toMatchObject({ title: "Rack", state: "scheduled" });
      const wrong = { ...request, notifyChannelIds: ["none"] };
      await expect(maintenances.create(organizationId, wrong, NOW)).rejects.toMatchObject({
        kind: "invalid",
      });
      expect(await world().store.maintenances.list(organizationId, NOW)).toEqual([]);
      expect((await world().store.audit.list(organizationId, { limit: 9, cursor: undefined })).items).toEqual(
        [],
      );
    });

    test("of an update with an unknown channel, which would also end an outage", async () => {
      const { store, owner } = world();
      const job = await world().job(await world().channel());
      await world().checkin(job, "fail");
      const before = await stateOf(world(), job);
      const changes = { name: "z", enabled: false, alertChannelIds: ["none"] };
      await expect(store.monitors.update(owner, job, changes, NOW + 1)).rejects.toMatchObject({
        kind: "invalid",
      });
      expect(await stateOf(world(), job)).toEqual(before);
    });

    test("behavior 5.5: of a batch whose last event cannot be judged", async () => {
      const { store, organizationId } = world();
      const sound = await world().job(await world().channel());
      const broken = await world().jobWith({ cron: "no schedule" });
      const uptime = async () => {
        const report = await store.monitors.findReport(
          organizationId,
          { id: sound, range: "1d" },
          NOW + HOUR,
        );
        return report.uptime["1d"];
      };
      const events: Recording[] = [
        { kind: "checkin", monitorId: sound, status: "ok", at: NOW },
        // Another hour begins another part of the batch.
        { kind: "checkin", monitorId: sound, status: "fail", at: NOW + HOUR },
        { kind: "checkin", monitorId: broken, status: "ok", at: NOW + HOUR },
      ];
      await expect(store.recording.record(events)).rejects.toThrow();
      expect(await world().results(sound)).toEqual([]);
      expect((await world().find(sound)).status).toBe("unknown");
      expect(await uptime()).toBeNull();
      expect(await world().due()).toEqual([]);
      await store.recording.record(events.slice(0, 2));
      expect(await world().results(sound)).toHaveLength(2);
      expect((await world().find(sound)).status).toBe("failed");
      expect(await uptime()).toBe("50.00%");
      expect(await world().due()).toHaveLength(1);
    });

    test("of last uses whose list ends with an error", async () => {
      const { store, organizationId } = world();
      const values = { organizationId, name: "k", role: "owner", expiresAt: null, key: "k" } as const;
      const { id } = await store.apiKeys.create(values, NOW);
      const uses = new Map<string, number>();
      uses[Symbol.iterator] = function* (): MapIterator<[string, number]> {
        yield [id, NOW];
        throw new Error("the list ends");
      };
      await expect(store.apiKeys.saveLastUses(uses)).rejects.toThrow("the list ends");
      expect(await store.apiKeys.list(organizationId)).toMatchObject([{ id, lastUsedAt: null }]);
    });
  });

  describe("reads while a write runs", () => {
    test("see everything of it or nothing, and never the previous state after the new one", async () => {
      const { store, owner } = world();
      const channels = [await world().channel(), await world().channel(), await world().channel()];
      const job = await world().job();
      const seen: [string, number][] = [];
      await whileRunning(
        store.monitors.update(owner, job, { name: "new", alertChannelIds: channels }, NOW),
        async () => {
          const { name, alertBindings } = await world().find(job);
          seen.push([name, alertBindings.length]);
        },
      );
      const distinct = seen.filter((one, at) => !Bun.deepEquals(one, seen[at - 1]));
      const before: [string, number] = ["job 1", 0];
      const after: [string, number] = ["new", 3];
      expect([[before, after], [after]]).toContainEqual(distinct);
    });

    test("see nothing of a write that fails", async () => {
      const { store, owner } = world();
      const job = await world().job();
      const changes = { name: "new", alertChannelIds: ["none"] };
      const seen: string[] = [];
      await whileRunning(
        store.monitors.update(owner, job, changes, NOW).catch(() => {}),
        async () => {
          seen.push((await world().find(job)).name);
        },
      );
      expect(new Set(seen)).toEqual(new Set(["job 1"]));
    });

    test("see all results of a batch or none", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      const events = Array.from({ length: 50 }, (_, at): Recording => {
        return { kind: "checkin", monitorId: job, status: "ok", at: NOW + at };
      });
      await whileRunning(store.recording.record(events), async () => {
        const { items } = await store.results.listEvents(organizationId, { limit: 200 });
        expect([0, 50]).toContain(items.length);
      });
    });

    test("see a write that was finished before they began, whatever other reads run", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      const missing: number[] = [];
      for (let delay = 0; delay < 60; delay++) {
        const others = Array.from({ length: 3 }, () => store.channels.list(organizationId));
        for (let count = 0; count < delay; count++) await Promise.resolve();
        await world().checkin(job, "ok", NOW + delay);
        const { items } = await store.results.list(organizationId, { monitorId: job, limit: 200 });
        if (items.length !== delay + 1) missing.push(delay);
        await Promise.all(others);
      }
      expect(missing).toEqual([]);
    });
  });

  describe("writes at the same time run one after the other", () => {
    test("so that a limit holds", async () => {
      const starter = await world().another("starter");
      const attempts = await Promise.allSettled(Array.from({ length: 15 }, () => starter.job()));
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      const channels = await Promise.allSettled([starter.channel(), starter.channel()]);
      expect(channels.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    });

    test("so that all of many creates succeed, also on two nodes", async () => {
      // The embedded engine waits for a lock in this thread, which would then never release it.
      const other = engine.ordersWrites ? undefined : await world().opened.openAnother();
      const { owner } = world();
      const monitor = { name: "m", type: "SCHEDULED", config: { interval: 300 } } as const;
      const creates = Array.from({ length: 40 }, () => [
        world().channel(),
        world().job(),
        (other ?? world().store).monitors.create(owner, monitor, NOW),
      ]);
      await Promise.all(creates.flat());
      await other?.close();
      const { store, organizationId } = world();
      expect(await store.channels.list(organizationId)).toHaveLength(40);
      expect(await allSlices(store.monitors.listSnapshots(organizationId, { now: NOW }))).toHaveLength(80);
    });

    test("so that changes of different fields do not undo each other", async () => {
      const { store, owner } = world();
      const [job, channel] = [await world().job(), await world().channel()];
      const changes = [
        { name: "new" },
        { confirmations: 3 },
        { enabled: false },
        { alertBindings: [{ alertChannelId: channel, after: 60, every: 0 }] },
        { tags: ["a"] },
      ];
      await Promise.all(changes.map((change) => store.monitors.update(owner, job, change, NOW)));
      expect(await world().find(job)).toMatchObject(Object.assign({}, ...changes));
    });

    test("so that each of many check-ins has its result, and the last one its status", async () => {
      const [job, other] = [await world().job(await world().channel()), await world().job()];
      const times = Array.from({ length: 20 }, (_, at) => NOW + at);
      await Promise.all([
        ...times.map((at) => world().checkin(job, at % 2 === 0 ? "ok" : "fail", at)),
        ...times.map((at) => world().checkin(other, "ok", at)),
      ]);
      const found = (await world().results(job)).map(({ createdAt }) => createdAt);
      expect(found.toSorted()).toEqual(times);
      expect(await world().results(other)).toHaveLength(times.length);
      expect((await world().find(job)).status).toBe((await world().results(job, 1))[0]?.status ?? "unknown");
    });

    test.if(engine.ordersWrites)("in the order of the calls, whatever kind they are", async () => {
      const { store, owner, organizationId } = world();
      const job = await world().job();
      await Promise.all([
        store.monitors.update(owner, job, { name: "first" }, NOW),
        world().checkin(job, "fail"),
        store.apiKeys.saveLastUses(new Map([["none", NOW]])),
        store.monitors.pauseAll(organizationId, NOW + 1),
        store.monitors.update(owner, job, { name: "second", enabled: true }, NOW + 2),
        world().checkin(job, "ok", NOW + 3),
        store.heartbeats.noteAlive(NOW),
        store.monitors.update(owner, job, { name: "third" }, NOW + 4),
      ]);
      const found = await stateOf(world(), job);
      expect(found.monitor).toMatchObject({ name: "third", enabled: true, status: "ok", updatedAt: NOW + 4 });
      expect(found.outages).toMatchObject([{ start: NOW, end: NOW + 1 }]);
      expect(found.results.map(({ status }) => status)).toEqual(["ok", "failed"]);
    });

    test("also after one that failed", async () => {
      const results = await Promise.allSettled([
        world().job("none"),
        world().job(),
        world().job("none"),
        world().job(),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    });
  });

  describe.each(["read-only", "full"] as const)("a %s storage", (fault) => {
    const writes: [string, (own: World, store: Store) => Promise<unknown>][] = [
      ["a configuration", (own) => own.channel({ name: "x".repeat(100_000) })],
      ["a result", (own) => recordMany(own)],
      [
        "a setting",
        (own, store) => {
          const name = "x".repeat(100_000);
          return store.organizations.updateSettings(own.organizationId, { name });
        },
      ],
    ];

    test.each(writes)(
      "rejects %s with a StorageFault, keeps what it has, and works again afterwards",
      async (_, write) => {
        const { store } = world();
        const job = await world().job();
        await world().checkin(job, "ok");
        const before = await stateOf(world(), job);
        const end = await world().opened.db.breakWrites(fault);
        await expect(write(world(), store)).rejects.toBeInstanceOf(StorageFault);
        await expect(write(world(), store)).rejects.toBeInstanceOf(StorageFault);
        expect(await stateOf(world(), job)).toEqual(before);
        expect(await store.channels.list(world().organizationId)).toEqual([]);
        await end();
        await write(world(), store);
      },
    );
  });

  test("a read-only storage rejects every kind of write with a StorageFault, and still reads", async () => {
    const { store, owner, organizationId } = world();
    const [job, channel] = [await world().job(), await world().channel()];
    // Its check is the one to recall.
    await world().site();
    const end = await world().opened.db.breakWrites("read-only");
    const writes = [
      () => store.organizations.update(organizationId, { name: "z" }),
      () => store.apiKeys.saveLastUses(new Map([["k", NOW]])),
      () => store.monitors.update(owner, job, { name: "z" }, NOW),
      () => store.monitors.pauseAll(organizationId, NOW),
      () => store.monitors.delete(organizationId, job),
      () => store.channels.delete(organizationId, channel),
      () => world().checkin(job, "ok"),
      () => store.checks.recall(NOW - DAY),
      () => store.heartbeats.noteAlive(NOW),
      () => store.heartbeats.excuseOutage(NOW, () => {}),
      () => store.heartbeats.postponeDeadline(job, NOW),
      () => store.housekeeping.noteSteady(NOW),
    ];
    for (const write of writes) await expect(write()).rejects.toBeInstanceOf(StorageFault);
    expect(await world().find(job)).toMatchObject({ name: "job 1", enabled: true });
    await end();
    for (const write of writes.slice(0, 4)) await write();
    expect(await world().find(job)).toMatchObject({ name: "z", enabled: false });
  });

  describe("a damaged storage rejects reads with a StorageFault:", () => {
    test.each<[string, (own: World) => Promise<unknown>]>([
      ["of events", (own) => own.store.results.listEvents(own.organizationId, { limit: 1 })],
      [
        "of the worst",
        (own) =>
          own.store.monitors.findWorst(own.organizationId, {
            ...{ most: 1, now: NOW },
            attendance: { maintenanceOf: () => null, acknowledgementOf: () => null },
          }),
      ],
      ["of the list", (own) => allSlices(own.store.monitors.list(own.organizationId, LISTED, NOW))],
      [
        "of snapshots",
        (own) => allSlices(own.store.monitors.listSnapshots(own.organizationId, { now: NOW })),
      ],
    ])("%s", expectFault);

    async function expectFault(_: string, read: (own: World) => Promise<unknown>): Promise<void> {
      for (let count = 0; count < 3; count++) await world().job();
      await world().opened.damageMonitors();
      await expect(read(world())).rejects.toBeInstanceOf(StorageFault);
    }
  });
});

/** Repeats a read, one at a time, until a write that has begun ends; once more after it. */
async function whileRunning(write: Promise<unknown>, read: () => Promise<void>): Promise<void> {
  const state = { isRunning: true };
  const ended = write.finally(() => {
    state.isRunning = false;
  });
  for (let count = 1; state.isRunning; count++) {
    await read();
    // A long write waits for turns of the event loop, which reads without a pause would never let it have.
    if (count % 100 === 0) await nextTurn();
  }
  await ended;
  await read();
}

function recordMany(own: World): Promise<unknown> {
  const text = "x".repeat(1000);
  return own.site().then((monitorId) => {
    const events = Array.from({ length: 200 }, (_, at): Recording => {
      const evidence = { outcome: "reached", latencyMs: 1, detail: { at, text } } as const;
      return { kind: "check", monitorId, revision: 0, at: NOW + at, evidence };
    });
    return own.store.recording.record(events);
  });
}

async function stateOf(own: World, id: string) {
  const { store, organizationId } = own;
  const { outages } = await store.monitors.findReport(organizationId, { id, range: "1d" }, NOW);
  return { monitor: await own.find(id), outages, results: await own.results(id) };
}
