import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { walks } from "../../support/long.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { allPages, DAY, MINUTE, NOW, type World } from "./world.ts";

const delivered: DeliveryAttempt = { outcome: "delivered", answer: "200" };
const failed: DeliveryAttempt = {
  outcome: "failed",
  error: "the receiver answered 503",
  final: false,
  answer: "503",
};

contractSuite("deliveries", (world) => {
  function list(channelId: string, limit = 50, cursor?: string) {
    return world().store.deliveries.list(world().organizationId, channelId, { limit, cursor });
  }

  async function attemptNext(attempt: DeliveryAttempt, startedAt: number): Promise<void> {
    const [delivery] = await world().due();
    if (!delivery) throw new Error("nothing is due");
    const made = { delivery, attempt, startedAt, endedAt: startedAt + 10 };
    await world().store.deliveries.recordAttempts([made]);
  }

  test("behavior 21.56: a channel whose receiver is gone is disabled, unless its config has changed", async () => {
    const { store, organizationId } = world();
    const id = await world().channel();
    await world().checkin(await world().job(id), "fail", NOW);
    const [due] = await world().due();
    const { config } = due?.channel ?? { config: { url: "" } };
    await store.channels.disableGone({ id, config: { ...config, headers: { a: "b" } } }, NOW + 1);
    expect((await store.channels.find(organizationId, id)).enabled).toBe(true);
    await store.channels.disableGone({ id, config }, NOW + 2);
    expect(await store.channels.find(organizationId, id)).toMatchObject({
      enabled: false,
      updatedAt: NOW + 2,
    });
    const error = "the channel is disabled: the device has ended its subscription";
    expect((await list(id)).items).toMatchObject([{ status: "failed", nextAttemptAt: null, error }]);
  });

  test("a delivery is one record, from the first attempt to the last answer", async () => {
    const channel = await world().channel();
    const job = await world().job(channel);
    await world().checkin(job, "fail", NOW);
    const about = { monitor: { id: job, name: "job 1", type: "SCHEDULED" as const } };
    const [waiting] = (await list(channel)).items;
    expect(waiting).toEqual({
      ...about,
      id: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      type: "monitor.status_changed",
      resultId: expect.any(String),
      previousStatus: "unknown",
      newStatus: "failed",
      location: null,
      maintenance: null,
      status: "pending",
      attempts: 0,
      firstAttemptAt: null,
      lastAttemptAt: null,
      nextAttemptAt: NOW,
      deliveredAt: null,
      answer: null,
      error: null,
      createdAt: NOW,
    });

    await attemptNext(failed, NOW + 1);
    await attemptNext(failed, NOW + 6000);
    expect((await list(channel)).items).toMatchObject([
      {
        ...about,
        status: "pending",
        attempts: 2,
        firstAttemptAt: NOW + 1,
        lastAttemptAt: NOW + 6000,
        answer: "503",
      },
    ]);

    await attemptNext(delivered, NOW + 40_000);
    await world().opened.reopen();
    expect((await list(channel)).items).toMatchObject([
      {
        ...{ status: "delivered", attempts: 3, firstAttemptAt: NOW + 1, lastAttemptAt: NOW + 40_000 },
        ...{ nextAttemptAt: null, deliveredAt: NOW + 40_010, answer: "200", error: null },
      },
    ]);
  });

  test("pages have every delivery of the channel once, most recent first", async () => {
    const [channel, other] = [await world().channel(), await world().channel()];
    const job = await world().job(other, channel);
    for (let at = 0; at < 7; at++) await world().checkin(job, at % 2 === 0 ? "fail" : "ok", NOW + at);
    const all = (await list(channel)).items.map(({ id }) => id);
    expect(all).toHaveLength(7);
    expect(all).toEqual(all.toSorted().toReversed());
    for (let limit = 1; limit <= 8; limit++) {
      const paged = await allPages((cursor) => list(channel, limit, cursor));
      expect(paged.map(({ id }) => id)).toEqual(all);
    }
    expect((await list(channel, 7)).cursor).toBeNull();
  });

  test("a text that is no cursor, and a channel of another organization, are refused", async () => {
    const channel = await world().channel();
    const cursors = ["", "x", "-".repeat(32)];
    for (const cursor of cursors)
      await expect(list(channel, 1, cursor)).rejects.toMatchObject({ kind: "invalid" });
    const foreign = await (await world().another()).channel();
    await expect(list(foreign)).rejects.toMatchObject({ kind: "not_found" });
    await expect(list("none")).rejects.toMatchObject({ kind: "not_found" });
  });

  test("the deliveries of a deleted monitor are not listed", async () => {
    const channel = await world().channel();
    const [gone, kept] = [await world().job(channel), await world().job(channel)];
    await world().checkin(gone, "fail");
    await world().checkin(kept, "fail");
    await world().store.monitors.delete(world().organizationId, gone);
    expect((await list(channel)).items.map(({ monitor }) => monitor?.id)).toEqual([kept]);
    expect((await world().due()).map((one) => transitionOf(one).monitor.id)).toEqual([kept]);
  });

  test("attempts are recorded in one batch, each with whether another attempt follows", async () => {
    const channels = [await world().channel(), await world().channel(), await world().channel()];
    await world().checkin(await world().job(...channels), "fail");
    const attempts = [delivered, failed, { ...failed, final: true }];
    const due = await world().due();
    const made = due.flatMap((delivery, at) => {
      const attempt = attempts[at];
      return attempt ? [{ delivery, attempt, startedAt: NOW, endedAt: NOW }] : [];
    });
    expect(await world().store.deliveries.recordAttempts(made)).toEqual([false, true, false]);
    const found = await Promise.all(channels.map((channel) => list(channel)));
    expect(found.map(({ items }) => items[0]?.status)).toEqual(["delivered", "pending", "failed"]);
    expect(await world().store.deliveries.countPending(world().organizationId)).toBe(1);
    expect(await world().store.deliveries.claim([due[0]?.pk ?? 0], alone, NOW)).toEqual([]);
  });

  test("several deliveries are claimed together, in the order of the call", async () => {
    const channels = await Promise.all(Array.from({ length: 4 }, () => world().channel()));
    const [kept, deleted] = [
      await world().job(...channels.slice(0, 3)),
      await world().job(...channels.slice(3)),
    ];
    await world().checkin(kept, "fail");
    await world().checkin(deleted, "fail");
    const { deliveries, monitors } = world().store;
    const due = await deliveries.listDue(alone, { now: NOW, limit: 4 });
    const pks = due.map(({ pk }) => pk).toReversed();
    await monitors.delete(world().organizationId, deleted);
    const claimed = await deliveries.claim([...pks, Number.MAX_SAFE_INTEGER], alone, NOW);
    const found = claimed.map(({ pk, channel }) => ({ pk, channelPk: channel.pk }));
    const left = due.filter(({ pk }) => claimed.some((one) => one.pk === pk));
    expect(left).toHaveLength(3);
    expect(found).toEqual(left.toReversed().map(({ pk, channelPk }) => ({ pk, channelPk })));
    expect(new Set(claimed.map(({ channel }) => channel.id))).toEqual(new Set(channels.slice(0, 3)));
    expect(claimed.map((one) => transitionOf(one).monitor.id)).toEqual([kept, kept, kept]);
    expect(await deliveries.claim([], alone, NOW)).toEqual([]);
  });

  describe("what is due", () => {
    test("takes turns between the organizations", async () => {
      const [many, few] = [await world().another(), await world().another()];
      for (const own of [many, many, many, few])
        await own.checkin(await own.job(await own.channel()), "fail");
      const due = await world().store.deliveries.listDue(alone, { now: NOW, limit: 2 });
      const pks = due.map(({ pk }) => pk);
      const found = await world().store.deliveries.claim(pks, alone, NOW);
      expect(found.map((one) => one.organizationId)).toEqual([many.organizationId, few.organizationId]);
    });

    test("begins with what was never tried", async () => {
      const [dead, fresh] = [await world().channel(), await world().channel()];
      await world().checkin(await world().job(dead), "fail");
      await world().attemptAll(failed);
      await world().checkin(await world().job(fresh), "fail");
      expect((await world().due()).map(({ channel }) => channel.id)).toEqual([fresh, dead]);
      expect((await world().due(NOW + MINUTE, 1)).map(({ channel }) => channel.id)).toEqual([fresh]);
    });

    test("does not wait for a clock that was ahead and was set back", async () => {
      const ahead = NOW + DAY;
      const job = await world().job(await world().channel());
      await world().checkin(job, "fail", ahead);
      await world().checkin(job, "ok", ahead + 1);
      const [first] = await world().due(NOW);
      if (!first) throw new Error("nothing is due");
      await world().attempt(first, failed, ahead);
      const [second] = await world().due(NOW);
      if (!second) throw new Error("nothing is due");
      expect(second).toMatchObject({ id: first.id, attempts: 1 });
      await world().attempt(second, failed, NOW);
      expect(await world().due(NOW + 1)).toEqual([]);
      expect(await world().due(NOW + MINUTE)).toMatchObject([{ id: first.id, attempts: 2 }]);
      await world().attemptAll(delivered);
      expect((await world().due(NOW)).map((one) => transitionOf(one).status)).toEqual(["ok"]);
    });
  });

  test("in any walk, the oldest pending delivery of each channel is due, and they end in order", async () => {
    const step = fc.record({
      act: fc.constantFrom("change", "change", "deliver", "retry", "fail", "delete"),
      at: fc.nat(9),
    });
    const walk = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const own = await world().another();
      const channels = [await own.channel(), await own.channel()];
      const jobs = [await own.job(...channels), await own.job(...channels), await own.job(channels[0] ?? "")];
      const down = new Set<string>();
      /** The results of the deliveries that ended, by channel. */
      const ended = new Map<string, string[]>(channels.map((id) => [id, []]));
      for (const [turn, { act, at }] of steps.entries()) {
        const job = jobs[at % Math.max(jobs.length, 1)];
        if (act === "change" && job) {
          await own.checkin(job, down.has(job) ? "ok" : "fail", NOW + turn);
          if (!down.delete(job)) down.add(job);
        } else if (act === "delete" && job && jobs.length > 1) {
          await own.store.monitors.delete(own.organizationId, job);
          jobs.splice(jobs.indexOf(job), 1);
        } else {
          const due = await own.due();
          const chosen = due[at % Math.max(due.length, 1)];
          if (!chosen) continue;
          const isFinal = act === "fail";
          const isRetried = await own.attempt(
            chosen,
            act === "deliver" ? delivered : { ...failed, final: isFinal },
          );
          if (!isRetried) ended.get(chosen.channel.id)?.push(transitionOf(chosen).result.id);
        }
        await expectOldestDue(own, channels);
      }
      for (const results of ended.values()) expect(results).toEqual(results.toSorted());
    });
    await fc.assert(walk, { numRuns: walks(15) });
  });
});

/** Compares what is due with the list of each channel. */
async function expectOldestDue(own: World, channels: string[]): Promise<void> {
  const { deliveries } = own.store;
  const pages = await Promise.all(
    channels.map((id) => deliveries.list(own.organizationId, id, { limit: 200, cursor: undefined })),
  );
  const pending = pages.map(({ items }) => items.filter(({ status }) => status === "pending"));
  const oldest = pending.flatMap((items) => items.at(-1)?.id ?? []);
  expect((await own.due()).map(({ id }) => id).toSorted()).toEqual(oldest.toSorted());
  // Deliveries of deleted monitors are deleted in the background, and count until then.
  expect(await deliveries.countPending(own.organizationId)).toBeGreaterThanOrEqual(pending.flat().length);
}
