import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { checkTimeout } from "../../src/domain/checks/check-slot.ts";
import { createFirstOrganization } from "../../src/runner/first-start.ts";
import type { Claimant, Store } from "../../src/store/store.ts";
import { World } from "../store/contract/world.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { type Acts, startNode, type TestNode } from "../support/nodes/test-node.ts";
import { Life, mortalStore } from "../support/outbox/life.ts";
import { engines, recordCalls } from "../support/store/engines.ts";
import type { TestStore } from "../support/store/test-store.ts";

const SECOND = 1000;

/** SQLite has one process, so that it needs no claims. */
const shared = engines.filter(({ isShared }) => isShared);

// Each step of the virtual time waits for the database.
setDefaultTimeout(300_000);

describe.each(shared)("several nodes on $name", (engine) => {
  let opened: TestStore;
  let clock: TestClock;
  let stores: Store[];
  let nodes: TestNode[];

  beforeEach(async () => {
    opened = await engine.open();
    clock = createTestClock();
    [stores, nodes] = [[], []];
  });

  afterEach(async () => {
    for (const node of nodes) node.kill();
    await clock.settle();
    for (const store of stores) await store.close();
    await opened[Symbol.asyncDispose]();
  });

  async function open(): Promise<Store> {
    const store = await opened.openAnother();
    stores.push(store);
    return store;
  }

  /** @param calls receives the names of the methods of the store that it calls */
  async function start(acts: Partial<Acts>, calls = new Set<string>()): Promise<TestNode> {
    const node = await startNode(recordCalls(await open(), calls), { clock, acts: { ...harmless, ...acts } });
    nodes.push(node);
    return node;
  }

  /** @param port identifies it to the node that checks it */
  async function site(
    world: World,
    port: number,
    interval: number,
    ...alertChannelIds: string[]
  ): Promise<string> {
    const values = { name: `${port}`, type: "TCP", config: { host: "a", port, interval } } as const;
    return (await world.store.monitors.create(world.owner, { ...values, alertChannelIds }, clock.now())).id;
  }

  async function stop(...ending: TestNode[]): Promise<void> {
    const stopped = Promise.all(ending.map((node) => node.stop()));
    await clock.advance(5 * SECOND);
    await clock.until(() => stopped.then(() => true));
  }

  test("behavior 12.21: share the checks, and make each of them once", async () => {
    const world = await World.create(opened);
    // With a shorter interval, a slot may be known only when every node may claim it.
    for (let port = 1; port <= 12; port++) await site(world, port, 2);
    const made: { by: number; check: string }[] = [];
    const checks = (by: number) => async (port: number, at: number) =>
      void made.push({ by, check: `${port} at ${at}` });
    for (const by of [0, 1, 2]) await start({ check: checks(by) });
    await clock.advance(4 * SECOND);
    const before = made.length;
    await clock.advance(10 * SECOND);
    expect(made.length - before).toBe(60);
    expect(new Set(made.map(({ check }) => check)).size).toBe(made.length);
    const later = made.slice(before);
    for (const by of [0, 1, 2]) expect(later.filter((one) => one.by === by).length).toBeWithin(15, 27);
    await stop(...nodes);
    expect(nodes.reduce((sum, { metrics }) => sum + metrics.checks(), 0)).toBe(made.length);
  });

  describe("a check that", () => {
    const config = { host: "a", port: 1, interval: 60 };

    /** Lets the first node hang in a check. @returns when the second one makes it */
    async function takeOver(end: (node: TestNode) => Promise<unknown>): Promise<number> {
      const world = await World.create(opened);
      const hung = Promise.withResolvers<void>();
      const first = await start({
        check() {
          hung.resolve();
          return new Promise(() => {});
        },
      });
      await site(world, config.port, config.interval);
      await clock.advance(2 * SECOND);
      await hung.promise;
      const begun = clock.now();
      let madeAt = 0;
      await start({
        async check(_, at) {
          madeAt = at;
        },
      });
      await end(first);
      await clock.until(() => madeAt > 0);
      return madeAt - begun;
    }

    test("a killed node has claimed is made by another one, 15 s after its timeout at the latest", async () => {
      const waited = await takeOver(async (node) => node.kill());
      expect(waited).toBeWithin(checkTimeout(config), checkTimeout(config) + 15 * SECOND);
    });

    test("behavior 12.23: a stopped node can't end is made by another one at once", async () => {
      const waited = await takeOver(stop);
      expect(waited).toBeWithin(5 * SECOND, 7 * SECOND);
      expect(await opened.store.nodes.list(clock.now())).toHaveLength(1);
    });
  });

  test("behavior 12.24: what a node holds while the database is away is written with its time, once", async () => {
    const world = await World.create(opened);
    const checks: number[] = [];
    const checked = Promise.withResolvers<void>();
    const node = await start({
      check(_, at) {
        checks.push(at);
        return checks.length === 1 ? checked.promise : Promise.resolve();
      },
    });
    const id = await site(world, 1, 1);
    await clock.advance(2 * SECOND);
    expect(checks).toHaveLength(1);
    const repair = await opened.db.breakWrites("read-only");
    const endedAt = clock.now();
    checked.resolve();
    await clock.settle();
    await clock.advance(10 * SECOND);
    expect(checks).toHaveLength(1);
    expect(node.recorder.held()).toBe(1);
    await repair();
    await clock.until(() => checks.length > 2);
    const page = await opened.store.results.list(world.organizationId, { monitorId: id, limit: 200 });
    const times = page.items.map(({ createdAt }) => createdAt);
    expect(times.at(-1)).toBe(endedAt);
    expect(times.at(-2)).toBeGreaterThan(endedAt + 10 * SECOND);
  });

  test("behavior 12.26: an outcome of a claim that another node took over changes nothing", async () => {
    const world = await World.create(opened);
    const slow = Promise.withResolvers<void>();
    const first = await start({ check: () => slow.promise });
    const id = await site(world, 1, 86_400);
    await clock.advance(2 * SECOND);
    let isMade = false;
    const second = await start({
      async check() {
        isMade = true;
      },
    });
    await clock.until(() => isMade);
    await clock.advance(SECOND);
    slow.resolve();
    await clock.advance(SECOND);
    expect([first.metrics.checks(), second.metrics.checks()]).toEqual([0, 1]);
    expect(
      (await opened.store.results.list(world.organizationId, { monitorId: id, limit: 9 })).items,
    ).toHaveLength(1);
  });

  test("deliver each notification once and in order", async () => {
    const world = await World.create(opened);
    const channels = [await world.channel(), await world.channel()];
    const jobs = [await world.job(...channels), await world.job(...channels)];
    const sent: string[] = [];
    for (const _ of [1, 2, 3])
      await start({
        async deliver(id) {
          sent.push(id);
          await clock.sleep(300);
        },
      });
    for (let at = 0; at < 10; at++) {
      for (const job of jobs) await world.checkin(job, at % 2 === 0 ? "fail" : "ok", clock.now());
      await clock.advance(100);
    }
    const { deliveries } = opened.store;
    await clock.until(async () => (await deliveries.countPending(world.organizationId)) === 0);
    expect(sent).toHaveLength(40);
    for (const channel of channels) {
      const { items } = await deliveries.list(world.organizationId, channel, { limit: 200 });
      const expected = items.map(({ id }) => id).reverse();
      expect(sent.filter((id) => expected.includes(id))).toEqual(expected);
    }
  });

  test("a delivery that a killed node was sending is sent again by another one, with the same ID", async () => {
    const world = await World.create(opened);
    const job = await world.job(await world.channel());
    const sent: string[] = [];
    const first = await start({
      deliver(id) {
        sent.push(id);
        return new Promise(() => {});
      },
    });
    await world.checkin(job, "fail", clock.now());
    await clock.until(() => sent.length === 1);
    const sentAt = clock.now();
    first.kill();
    await start({ deliver: async (id) => void sent.push(id) });
    await clock.until(() => sent.length === 2);
    expect(sent[1]).toBe(sent[0] ?? "");
    expect(clock.now() - sentAt).toBeWithin(15 * SECOND, 25 * SECOND);
  });

  describe("behavior 23.35: notifications to whoever is on call", () => {
    /** When the turn of Ana ends, and the turn of Ben begins. */
    let handover: number;
    let world: World;
    let schedule: string;
    const sent: { id: string; line: string; at: number }[] = [];

    async function person(name: string): Promise<string> {
      const { store, organizationId } = world;
      const given = { organizationId, email: `${name}@example.com`, role: "viewer", name } as const;
      const { id } = await store.people.create({ ...given, token: `${name} ${organizationId}` }, clock.now());
      const channel = await world.channel({ name, config: { url: `http://${name}.example.com/` } });
      await store.people.update(organizationId, id, { alertChannelIds: [channel] });
      return id;
    }

    beforeEach(async () => {
      sent.length = 0;
      world = await World.create(opened);
      handover = Math.ceil(clock.now()) + 20 * SECOND;
      const startsAt = new Date(handover - 3600 * SECOND).toISOString();
      const layers = [{ personIds: [await person("ana"), await person("ben")], every: 3600, startsAt }];
      const { schedules } = world.store;
      schedule = (await schedules.create(world.organizationId, { name: "Ops", layers }, clock.now())).id;
    });

    const deliver: Acts["deliver"] = async (id, at, { url, status, isReminder }) => {
      const name = new URL(url).hostname.split(".")[0];
      sent.push({ id, line: `${name} ${status}${isReminder ? " again" : ""}`, at });
    };
    const lines = () => sent.map(({ line }) => line);

    async function job(values: { after?: number; every?: number } = {}): Promise<string> {
      const alertBindings = [{ scheduleId: schedule, ...values }];
      const job = { name: "job", type: "SCHEDULED", config: { interval: 300 }, alertBindings } as const;
      return (await world.store.monitors.create(world.owner, job, clock.now())).id;
    }

    test("are sent once, also at a handover, with the reminders and the recoveries", async () => {
      for (const _ of [1, 2]) await start({ deliver });
      const jobs = [];
      for (let at = 0; at < 20; at++) jobs.push(await job({ every: 300 }));
      const waiting = await job({ after: 60 });
      await world.checkin(waiting, "fail", clock.now());
      for (const one of jobs) {
        await world.checkin(one, "fail", clock.now());
        await clock.advance(2 * SECOND);
      }
      await clock.advance(25 * SECOND);
      expect(new Set(sent.map(({ id }) => id)).size).toBe(21);
      expect(sent).toHaveLength(21);
      const [first, second] = [
        lines().filter((line) => line === "ana failed"),
        lines().filter((line) => line === "ben failed"),
      ];
      expect(first.length + second.length).toBe(21);
      for (const { line, at } of sent) {
        if (at < handover) expect(line).toBe("ana failed");
        // A notification that is decided before the handover may arrive after it.
        if (at >= handover + 2 * SECOND) expect(line).toBe("ben failed");
      }
      expect(first.length).toBeWithin(8, 13);
      sent.length = 0;
      await clock.advance(300 * SECOND);
      expect(lines()).toEqual(Array(20).fill("ben failed again"));
      sent.length = 0;
      for (const one of [waiting, ...jobs]) await world.checkin(one, "ok", clock.now());
      await clock.advance(5 * SECOND);
      // Ana was notified of some of the trouble, and Ben of all of it by the reminders.
      expect(lines().filter((line) => line === "ana ok")).toHaveLength(first.length);
      expect(lines().filter((line) => line === "ben ok")).toHaveLength(21);
    });

    test("are sent by another node if one dies at any call of the store, each to one person", async () => {
      await start({ deliver });
      for (const effect of ["none", "all"] as const)
        for (let call = 1; call <= 8; call++) {
          sent.length = 0;
          const dying = await start({ deliver });
          await clock.advance(2 * SECOND);
          const failing = await job();
          await world.checkin(failing, "fail", clock.now());
          dying.killAt({ call, effect });
          await clock.until(() => sent.length > 0);
          await clock.advance(30 * SECOND);
          expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
          expect(new Set(lines()).size).toBe(1);
          expect(lines()[0]).toMatch(/^(ana|ben) failed$/);
          const { items } = await world.store.results.list(world.organizationId, {
            monitorId: failing,
            limit: 1,
          });
          expect(items[0]?.alertOutcome).toMatchObject({
            status: "delivered",
            channels: [{ status: "delivered" }],
          });
        }
    });
  });

  test("a missed run is recorded once", async () => {
    const world = await World.create(opened);
    const job = await world.jobWith({ period: 600, grace: 60 });
    await world.checkin(job, "ok", clock.now() - 655 * SECOND);
    for (const _ of [1, 2, 3]) await start({});
    await clock.advance(20 * SECOND);
    const page = await opened.store.results.list(world.organizationId, { monitorId: job, limit: 9 });
    expect(page.items.map(({ status }) => status)).toEqual(["havent_heard", "ok"]);
  });

  test("behavior 3.20, 3.21: an outage of all nodes extends a deadline once", async () => {
    const world = await World.create(opened);
    for (const _ of [1, 2, 3]) await start({});
    await clock.advance(2 * SECOND);
    const job = await world.jobWith({ period: 600, grace: 60 });
    const deadline = clock.now() + 660 * SECOND;
    await world.checkin(job, "ok", clock.now());
    clock.jump(40 * SECOND);
    await clock.advance(5 * SECOND);
    const report = await opened.store.monitors.findReport(
      world.organizationId,
      { id: job, range: "1d" },
      clock.now(),
    );
    expect(Number(report.deadline) - deadline).toBeWithin(40 * SECOND, 43 * SECOND);
  });

  test("behavior 12.25: one of them does the housekeeping, and another one continues", async () => {
    const calls = [new Set<string>(), new Set<string>()];
    const keepsHouse = (calls: Set<string> | undefined) =>
      calls?.has("housekeeping.sweepDeletedMonitors") ?? false;
    const first = await start({}, calls[0]);
    await clock.advance(6 * SECOND);
    await start({}, calls[1]);
    await clock.advance(60 * SECOND);
    expect(calls.map(keepsHouse)).toEqual([true, false]);
    first.kill();
    const killedAt = clock.now();
    await clock.until(() => keepsHouse(calls[1]));
    expect(clock.now() - killedAt).toBeWithin(20 * SECOND, 36 * SECOND);
  });

  describe("behavior 12.22: on an empty database", () => {
    const claimantOf = (node: number) => (): Claimant => ({ node, place: 0, nodes: 1 });
    const keyFile = () => readFileSync(opened.path("initial-owner-key"), "utf8");
    const first = (another: Store, node: number) => {
      const store = mortalStore(another, { clock, life: new Life() });
      return createFirstOrganization({ store, clock, claimant: claimantOf(node), dataDir: opened.path("") });
    };

    test("one of them creates the organization, and the key of a shared directory is valid", async () => {
      const opening = [await open(), await open(), await open()];
      const keys: (string | undefined)[] = [];
      for (const [at, store] of opening.entries()) void first(store, at + 1).then((key) => keys.push(key));
      await clock.until(() => keys.length === 3);
      const [key, ...others] = keys.filter((one) => one !== undefined);
      expect(others).toEqual([]);
      expect(keyFile()).toBe(`${key}\n`);
      expect(await opened.store.organizations.list()).toHaveLength(1);
    });

    test("another one creates it if the first one is killed", async () => {
      await opened.store.claims.take("first start", claimantOf(1)(), {
        now: clock.now(),
        lease: 60 * SECOND,
      });
      const began = clock.now();
      let key: string | undefined;
      void first(await open(), 2).then((created) => {
        key = created;
      });
      await clock.until(() => key !== undefined);
      expect(clock.now() - began).toBeWithin(60 * SECOND, 62 * SECOND);
      expect(keyFile()).toBe(`${key}\n`);
    });
  });
});

const harmless: Acts = { check: async () => {}, deliver: async () => {} };
