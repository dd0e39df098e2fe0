import { describe, expect, test } from "bun:test";
import { isTransition } from "../../../src/domain/alerts/alert-event.ts";
import { createLogger } from "../../../src/log.ts";
import { type BlindnessWatch, createBlindnessWatch } from "../../../src/runner/checks/blindness-watch.ts";
import type { Claimant } from "../../../src/store/store.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { alone } from "../../support/store/alone.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

/** Sites are checked each minute with a timeout of 10 s: two of each. */
const LIMIT = 140 * SECOND;

contractSuite("blindness", (world, engine, slow) => {
  /** Runs the watch from a moment on. @returns what ends it */
  async function watchFrom(at: number, claimant: Claimant = alone) {
    const clock = createTestClock(at);
    const wakes: number[] = [];
    const watch = createBlindnessWatch({
      store: trackedStore(world().store, clock),
      clock,
      claimant: () => claimant,
      log: createLogger({ level: "error" }),
      wakeDispatcher: () => wakes.push(clock.now()),
    });
    watch.start();
    return { clock, watch, wakes, [Symbol.asyncDispose]: () => end(clock, watch) };
  }

  async function end(clock: TestClock, watch: BlindnessWatch): Promise<void> {
    await clock.settle();
    await watch.stop();
  }

  const blindSinceOf = async (id: string) => (await world().find(id)).blindSince;

  /** The notices that are due, in their order; each is delivered. */
  async function notices(of: World = world()) {
    const list = [];
    for (let due = await of.due(); due.length > 0; due = await of.due())
      for (const one of due) {
        if (!isTransition(one.event)) list.push(one.event);
        await of.attempt(one, { outcome: "delivered", answer: "200" });
      }
    return list;
  }

  async function withDefault(of: World = world()): Promise<void> {
    await of.setDefaults(await of.channel());
  }

  describe("behavior 1.58: a monitor", () => {
    test("turns blind without checks and keeps its status, until the next one", async () => {
      const id = await world().site();
      await world().up(id, { at: NOW + SECOND });
      await using node = await watchFrom(NOW);
      await node.clock.advance(LIMIT - SECOND);
      expect(await blindSinceOf(id)).toBeNull();
      await node.clock.advance(5 * SECOND);
      expect(await world().find(id)).toMatchObject({ status: "up", blindSince: NOW + SECOND });
      expect(node.watch.counts()).toEqual({ blind: 1, probed: 1 });
      await world().down(id, NOW + LIMIT + 5 * SECOND);
      await node.clock.advance(3 * SECOND);
      expect(await world().find(id)).toMatchObject({ status: "down", blindSince: null });
      expect(node.watch.counts()).toEqual({ blind: 0, probed: 0 });
    });

    slow("that is checked in time does not turn blind, however long the watch runs", async () => {
      const id = await world().site();
      await using node = await watchFrom(NOW);
      for (let minute = 0; minute < 10; minute++) {
        await world().up(id, { at: node.clock.now() });
        await node.clock.advance(2 * MINUTE);
        expect(await blindSinceOf(id)).toBeNull();
      }
    });

    test("turns blind whatever the configs of others contain", async () => {
      const config = { host: "a", port: 1, interval: 60, send: "\u0000\\u0000" };
      const site = { name: "site", type: "TCP" as const, config, alertChannelIds: [] };
      await world().store.monitors.create(world().owner, site, NOW);
      await world().site();
      await using node = await watchFrom(NOW);
      await node.clock.advance(LIMIT + 5 * SECOND);
      expect(node.watch.counts()).toEqual({ blind: 2, probed: 2 });
    });

    slow("that was never checked turns blind; a job and a paused monitor do not", async () => {
      const [id, paused, job] = [await world().site(), await world().site(), await world().job()];
      await world().store.monitors.update(world().owner, paused, { enabled: false }, NOW);
      await using node = await watchFrom(NOW);
      await node.clock.advance(3 * LIMIT);
      expect(await Promise.all([id, paused, job].map(blindSinceOf))).toEqual([NOW, null, null]);
      expect(node.watch.counts()).toEqual({ blind: 1, probed: 1 });
    });

    slow("starts again when it is paused, enabled or changed", async () => {
      const id = await world().site();
      await using node = await watchFrom(NOW);
      await node.clock.advance(LIMIT + 3 * SECOND);
      expect(await blindSinceOf(id)).toBe(NOW);
      const update = (enabled: boolean) =>
        world().store.monitors.update(world().owner, id, { enabled }, node.clock.now());
      await update(false);
      await node.clock.advance(3 * SECOND);
      expect(await blindSinceOf(id)).toBeNull();
      const enabledAt = node.clock.now();
      await update(true);
      await node.clock.advance(LIMIT - 5 * SECOND);
      expect(await blindSinceOf(id)).toBeNull();
      await node.clock.advance(10 * SECOND);
      expect(await blindSinceOf(id)).toBe(enabledAt);
    });

    slow("is in every list with the time", async () => {
      const id = await world().site();
      await using node = await watchFrom(NOW);
      await node.clock.advance(LIMIT + 3 * SECOND);
      const { store, organizationId } = world();
      const filter = { type: undefined, range: "1d" } as const;
      const listed = (await Array.fromAsync(store.monitors.list(organizationId, filter, NOW))).flat();
      const snapshots = await Array.fromAsync(store.monitors.listSnapshots(organizationId, { now: NOW }));
      for (const list of [listed, snapshots.flat()]) expect(list).toMatchObject([{ id, blindSince: NOW }]);
    });
  });

  test("behavior 1.58: the time without a server does not count, and a blind monitor stays so over a restart", async () => {
    await withDefault();
    const id = await world().site();
    await world().up(id, { at: NOW });
    const later = NOW + 5 * HOUR;
    {
      await using node = await watchFrom(later);
      await node.clock.advance(LIMIT - 2 * SECOND);
      expect(await blindSinceOf(id)).toBeNull();
      await node.clock.advance(5 * SECOND);
      expect(await blindSinceOf(id)).toBe(NOW);
    }
    await world().opened.reopen();
    await using node = await watchFrom(later + HOUR);
    await node.clock.advance(10 * SECOND);
    expect(await blindSinceOf(id)).toBe(NOW);
    expect(node.watch.counts()).toEqual({ blind: 1, probed: 1 });
    expect((await notices()).map(({ type }) => type)).toEqual(["checks.blind"]);
  });

  slow("behavior 1.58: a process that was suspended waits again", async () => {
    const id = await world().site();
    await using node = await watchFrom(NOW);
    await world().up(id, { at: NOW });
    await node.clock.advance(10 * SECOND);
    node.clock.jump(HOUR);
    await node.clock.advance(LIMIT - 5 * SECOND);
    expect(await blindSinceOf(id)).toBeNull();
    await node.clock.advance(10 * SECOND);
    expect(await blindSinceOf(id)).toBe(NOW);
  });

  describe("behavior 1.59: it is not blindness", () => {
    slow("while all locations of a monitor are silent", async () => {
      const { id: location, pk } = await world().location();
      const id = await world().placed([location]);
      await using node = await watchFrom(NOW);
      await world().store.locations.silence(pk, NOW);
      await node.clock.advance(10 * MINUTE);
      expect(await blindSinceOf(id)).toBeNull();
      await world().store.locations.reconnect(pk, node.clock.now());
      await node.clock.advance(LIMIT - 5 * SECOND);
      expect(await blindSinceOf(id)).toBeNull();
      await node.clock.advance(10 * SECOND);
      expect(await blindSinceOf(id)).toBe(NOW);
    });

    test("if another location is silent, but only if this server does not check it either", async () => {
      const { id: location, pk } = await world().location();
      const id = await world().placed(["here", location]);
      await using node = await watchFrom(NOW);
      await world().store.locations.silence(pk, NOW);
      await node.clock.advance(LIMIT + 3 * SECOND);
      expect(await blindSinceOf(id)).toBe(NOW);
    });

    slow("in a window of a maintenance, but after it", async () => {
      await withDefault();
      const id = await world().site();
      const times = {
        startsAt: new Date(NOW).toISOString(),
        endsAt: new Date(NOW + 10 * MINUTE).toISOString(),
      };
      const request = { title: "Move", selector: { all: true as const }, ...times };
      await world().store.maintenances.create(world().organizationId, request, NOW);
      await using node = await watchFrom(NOW);
      await node.clock.advance(9 * MINUTE);
      expect(await blindSinceOf(id)).toBeNull();
      expect(await notices()).toEqual([]);
      await node.clock.advance(MINUTE + 10 * SECOND);
      expect(await blindSinceOf(id)).toBe(NOW);
    });
  });

  describe("behavior 1.60: the default channels", () => {
    slow("are notified when the first monitor turns blind, and when none is", async () => {
      await withDefault();
      const [first, second] = [await world().site(), await world().site()];
      await world().up(second, { at: NOW + MINUTE });
      await using node = await watchFrom(NOW);
      await node.clock.advance(10 * MINUTE);
      const blind = {
        type: "checks.blind",
        organization: { id: world().organizationId, name: "A" },
        since: NOW,
        monitors: [{ id: first, name: "site", type: "TCP" }],
        monitorCount: 1,
      };
      expect(await notices()).toMatchObject([blind]);
      expect(node.wakes).toHaveLength(1);
      await world().up(first, { at: node.clock.now() });
      await node.clock.advance(5 * SECOND);
      expect(await notices()).toEqual([]);
      await world().up(second, { at: node.clock.now() });
      await node.clock.advance(5 * SECOND);
      const monitors = [{ id: second, name: "site", type: "TCP" }];
      expect(await notices()).toMatchObject([
        { type: "checks.resumed", since: NOW, monitors, monitorCount: 1 },
      ]);
      expect(node.wakes).toHaveLength(2);
    });

    slow(
      "learn the end if the blind monitor was deleted; those of other organizations learn nothing",
      async () => {
        await withDefault();
        const foreign = await world().another();
        const theirs = await foreign.channel();
        await foreign.setDefaults(theirs);
        const id = await world().site();
        await using node = await watchFrom(NOW);
        await node.clock.advance(5 * MINUTE);
        await world().store.monitors.delete(world().organizationId, id);
        await node.clock.advance(5 * SECOND);
        const sent = await notices();
        expect(sent.map(({ type }) => type)).toEqual(["checks.blind", "checks.resumed"]);
        expect(sent.at(1)).toMatchObject({ monitors: [], monitorCount: 0 });
        const page = { limit: 10, cursor: undefined };
        expect((await foreign.store.deliveries.list(foreign.organizationId, theirs, page)).items).toEqual([]);
      },
    );

    slow("see the first 100 names and the number of all", async () => {
      await withDefault();
      for (let n = 0; n < 102; n++) await world().site();
      await using node = await watchFrom(NOW);
      await node.clock.advance(5 * MINUTE);
      const [notice] = await notices();
      expect(notice).toMatchObject({ monitorCount: 102, monitors: { length: 100 } });
    });

    test.if(engine.name !== "sqlite")(
      "are notified once by several nodes, and all of them count",
      async () => {
        await withDefault();
        const id = await world().site();
        await using one = await watchFrom(NOW, { node: 1, place: 0, nodes: 2 });
        await using two = await watchFrom(NOW, { node: 2, place: 1, nodes: 2 });
        for (let seconds = 0; seconds < 160; seconds += 2)
          await Promise.all([one.clock.advance(2 * SECOND), two.clock.advance(2 * SECOND)]);
        expect(await blindSinceOf(id)).toBe(NOW);
        expect((await notices()).map(({ type }) => type)).toEqual(["checks.blind"]);
        for (const { watch } of [one, two]) expect(watch.counts()).toEqual({ blind: 1, probed: 1 });
      },
    );
  });
});
