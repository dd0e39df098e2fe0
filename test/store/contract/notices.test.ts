import { describe, expect, test } from "bun:test";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import { EVERY_GROUP } from "../../../src/domain/alerts/notify.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { alone } from "../../support/store/alone.ts";
import { pruneAll } from "../../support/store/packed.ts";
import { contractSuite } from "./suite.ts";
import { allPages, DAY, NOW, untilDone, type World } from "./world.ts";

const delivered: DeliveryAttempt = { outcome: "delivered", answer: "200" };
const failed: DeliveryAttempt = { outcome: "failed", error: "the receiver answered 503", final: false };

contractSuite("notices", (world, engine, slow) => {
  function list(channelId: string, limit = 50, cursor?: string) {
    return world().store.deliveries.list(world().organizationId, channelId, { limit, cursor });
  }

  const typesOf = async (channelId: string) => (await list(channelId)).items.map(({ type }) => type);

  test("behavior 13.60: each enabled default channel gets one, whatever its notifyOn, and no other channel does", async () => {
    const [all, some] = [await world().channel(), await world().channel({ notifyOn: ["down"] })];
    const [disabled, other] = [await world().channel({ enabled: false }), await world().channel()];
    await world().job(other);
    await world().setDefaults(some, all, disabled);
    const foreign = await world().another();
    await foreign.setDefaults(await foreign.channel());
    await world().notify();
    expect((await world().due()).map(({ channel }) => channel.id)).toEqual([all, some]);
    expect(await foreign.due()).toEqual([]);
    expect(await world().store.deliveries.countPending(world().organizationId)).toBe(2);
    expect(await typesOf(disabled)).toEqual([]);
    expect(await typesOf(other)).toEqual([]);
  });

  test("behavior 13.60: an organization without default channels gets none", async () => {
    await world().job(await world().channel());
    await world().notify();
    expect(await world().due()).toEqual([]);
  });

  test("behavior 13.60: a channel gets notices and transitions in the order of their commits", async () => {
    const channel = await world().channel();
    await world().setDefaults(channel);
    const job = await world().job(channel);
    await world().checkin(job, "fail", NOW);
    await world().notify(NOW + 1);
    await world().checkin(job, "ok", NOW + 2);
    await world().notify(NOW + 3);
    const sent: string[] = [];
    for (let due = await world().due(); due.length > 0; due = await world().due()) {
      expect(due).toHaveLength(1);
      for (const one of due) {
        sent.push("type" in one.event ? one.event.type : one.event.status);
        await world().attempt(one, delivered);
      }
    }
    expect(sent).toEqual(["failed", "location.silent", "ok", "location.connected"]);
    expect(await typesOf(channel)).toEqual([
      "location.connected",
      "monitor.status_changed",
      "location.silent",
      "monitor.status_changed",
    ]);
  });

  test("behavior 13.60: a notice is retried and ends like any other delivery", async () => {
    const channel = await world().channel();
    await world().setDefaults(channel);
    await world().notify(NOW);
    await world().attemptAll(failed, NOW);
    expect(await world().due(NOW)).toEqual([]);
    await world().opened.reopen();
    await world().attemptAll(delivered, NOW + 5000);
    expect((await list(channel)).items).toEqual([
      {
        id: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
        type: "location.silent",
        ...{ monitor: null, resultId: null, previousStatus: null, newStatus: null },
        location: { id: expect.any(String), name: "fra" },
        maintenance: null,
        ...{ status: "delivered", attempts: 2, firstAttemptAt: NOW, lastAttemptAt: NOW + 5000 },
        ...{ nextAttemptAt: null, deliveredAt: NOW + 5000, answer: "200", error: null, createdAt: NOW },
      },
    ]);
  });

  test("behavior 5.9, 13.60: a notice does not count as the last notification about a monitor", async () => {
    const { store, organizationId } = world();
    const channel = await world().channel();
    await world().setDefaults(channel);
    const job = await world().job(channel);
    await world().checkin(job, "fail");
    await world().attemptAll(delivered);
    await store.channels.update(organizationId, channel, { notifyOn: ["warning", "healthy"] }, NOW);
    await world().notify();
    await world().attemptAll(delivered);
    await world().checkin(job, "ok");
    expect((await world().due()).map((one) => transitionOf(one).status)).toEqual(["ok"]);
  });

  describe("behavior 13.60: a pending notice", () => {
    test("fails if its channel is disabled or deleted", async () => {
      const { store, organizationId } = world();
      const [disabled, deleted] = [await world().channel(), await world().channel()];
      await world().setDefaults(disabled, deleted);
      await world().notify();
      await store.channels.update(organizationId, disabled, { enabled: false }, NOW);
      await store.channels.delete(organizationId, deleted);
      expect(await world().due()).toEqual([]);
      expect((await list(disabled)).items).toMatchObject([
        { status: "failed", error: "the channel was disabled" },
      ]);
      await untilDone(() => store.housekeeping.sweepDeletedChannels());
      expect(await store.deliveries.countPending(organizationId)).toBe(0);
    });

    test("is still sent if its channel is no longer a default one, at once after a new config", async () => {
      const { store, organizationId } = world();
      const channel = await world().channel({ notifyOn: EVERY_GROUP });
      await world().setDefaults(channel);
      await world().notify();
      await world().attemptAll(failed);
      await world().setDefaults();
      const config = { url: "http://127.0.0.1:2/" };
      await store.channels.update(organizationId, channel, { config }, NOW);
      expect(await world().due(NOW)).toMatchObject([{ event: { type: "location.silent" }, monitorPk: null }]);
    });
  });

  test("a notice is known to be on the disk after a sync", async () => {
    const { store } = world();
    await world().setDefaults(await world().channel());
    await world().notify();
    const [due] = await store.deliveries.listDue(alone, { now: NOW, limit: 1 });
    expect(await store.deliveries.isSynced(due?.pk ?? 0)).toBe(!engine.syncsLater);
    await store.recording.syncResults();
    expect(await store.deliveries.isSynced(due?.pk ?? 0)).toBeTrue();
  });

  describe("behavior 13.63: the list of a channel", () => {
    slow("has notices and transitions in pages, each once", async () => {
      const channel = await world().channel();
      await world().setDefaults(channel);
      await alternateWithNotices(world(), await world().job(channel), 6);
      const all = (await list(channel)).items.map(({ id }) => id);
      expect(all).toHaveLength(12);
      for (let limit = 1; limit <= 13; limit++) {
        const paged = await allPages((cursor) => list(channel, limit, cursor));
        expect(paged.map(({ id }) => id)).toEqual(all);
      }
    });

    test("continues after a delivery that was deleted meanwhile, and omits nothing", async () => {
      const { store, organizationId } = world();
      const channel = await world().channel();
      await world().setDefaults(channel);
      const [gone, kept] = [await world().job(channel), await world().job(channel)];
      await world().checkin(kept, "fail");
      await world().notify();
      await world().checkin(gone, "fail");
      await world().notify();
      await world().checkin(kept, "ok");
      const all = (await list(channel)).items;
      const cursor = all[2]?.id ?? "";
      await store.monitors.delete(organizationId, gone);
      await untilDone(() => store.housekeeping.sweepDeletedMonitors());
      const next = (await list(channel, 50, cursor)).items.map(({ id }) => id);
      expect(next).toEqual([1, 3, 4].map((at) => all[at]?.id ?? ""));
    });
  });

  test("behavior 13.64: notices are deleted when results of their age are, except pending ones", async () => {
    const channel = await world().channel();
    await world().setDefaults(channel);
    for (const days of [100, 99, 1]) await world().notify(NOW - days * DAY);
    await world().attemptAll(delivered, NOW - 100 * DAY);
    await pruneAll(world().store, NOW - 90 * DAY);
    const created = async () => (await list(channel)).items.map(({ createdAt }) => createdAt);
    expect(await created()).toEqual([NOW - DAY, NOW - 99 * DAY]);
    await world().attemptAll(delivered, NOW);
    await world().attemptAll(delivered, NOW);
    await pruneAll(world().store, NOW - 90 * DAY);
    expect(await created()).toEqual([NOW - DAY]);
    await pruneAll(world().store, NOW + 10 * DAY);
    expect(await created()).toEqual([]);
  });
});

async function alternateWithNotices(own: World, job: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await own.checkin(job, turn % 2 === 0 ? "fail" : "ok", NOW + turn);
    await own.notify(NOW + turn);
  }
}
