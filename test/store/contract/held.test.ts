import { describe, expect, test } from "bun:test";
import type { NewAlertBinding } from "../../../src/domain/alerts/alert-binding.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW } from "./world.ts";

contractSuite("held", (world) => {
  describe("behavior 14.51: a notification", () => {
    test("names the outage that begins, continues and ends with it", async () => {
      const site = await world().site(await world().channel());
      await world().up(site);
      await world().down(site, NOW + MINUTE);
      await world().up(site, { at: NOW + 2 * MINUTE });
      await world().down(site, NOW + 3 * MINUTE);
      const outages = [];
      for (let due = await world().due(); due.length > 0; due = await world().due()) {
        outages.push(...due.map((one) => transitionOf(one).outage));
        await world().attemptAll({ outcome: "delivered" });
      }
      const [first, second] = [outages[0]?.id ?? "", outages[2]?.id ?? ""];
      expect(first).not.toBe(second);
      expect(outages).toEqual([
        { id: first, startedAt: NOW + MINUTE },
        { id: first, startedAt: NOW + MINUTE },
        { id: second, startedAt: NOW + 3 * MINUTE },
      ]);
    });

    test("of one batch names the outage of its transition", async () => {
      const job = await world().job(await world().channel());
      const words = ["fail", "ok", "fail", "ok"];
      await world().store.recording.record(
        words.map((status, at) => ({ kind: "checkin", monitorId: job, status, at: NOW + at })),
      );
      const starts = [];
      for (let due = await world().due(); due.length > 0; due = await world().due()) {
        starts.push(...due.map((one) => transitionOf(one).outage?.startedAt));
        await world().attemptAll({ outcome: "delivered" });
      }
      expect(starts).toEqual([NOW, NOW, NOW + 2, NOW + 2]);
    });

    test("of a recovery after a pause names none, because the pause ended the outage", async () => {
      const { store, owner } = world();
      const job = await world().job(await world().channel());
      await world().checkin(job, "fail");
      await world().attemptAll({ outcome: "delivered" });
      await store.monitors.update(owner, job, { enabled: false }, NOW + 1);
      await store.monitors.update(owner, job, { enabled: true }, NOW + 2);
      await world().checkin(job, "ok", NOW + 3);
      const [recovery] = await world().due();
      expect(recovery && transitionOf(recovery).status).toBe("ok");
      expect(recovery?.event).not.toHaveProperty("outage");
    });
  });

  describe("behavior 14.50: a notification is due at once", () => {
    test.each<[string, object]>([
      ["only if the channel has no `after`", { after: 60 }],
      ["only if the channel has no `every`", { every: 300 }],
    ])("%s", async (_, timing) => {
      const [plain, timed] = [await world().channel(), await world().channel()];
      const job = await bound([{ alertChannelId: plain }, { alertChannelId: timed, ...timing }]);
      await world().checkin(job, "fail");
      expect((await world().due()).map(({ channel }) => channel.id)).toEqual([plain]);
      expect((await world().outcomes(job)).map(({ status }) => status)).toEqual(["pending", "pending"]);
    });

    test("only if the monitor depends on none", async () => {
      const router = await world().job();
      const job = await world().job(await world().channel());
      const dependsOn = async (ids: string[]) =>
        world().store.monitors.update(world().owner, job, { dependsOn: ids }, NOW);
      await dependsOn([router]);
      await world().checkin(job, "fail");
      expect(await world().due()).toEqual([]);
      expect(await world().outcomes(job)).toMatchObject([{ status: "pending" }]);
    });

    test("only if no earlier one about the monitor is held or was withdrawn", async () => {
      const { store, owner } = world();
      const router = await world().job();
      const [one, other] = [await world().channel(), await world().channel()];
      const job = await world().job(one);
      await store.monitors.update(owner, job, { dependsOn: [router] }, NOW);
      await world().checkin(job, "fail");
      const bindings = [one, other].map((alertChannelId) => ({ alertChannelId }));
      await store.monitors.update(owner, job, { dependsOn: [], alertBindings: bindings }, NOW);
      await world().checkin(job, "ok", NOW + 1);
      expect((await world().due()).map(({ channel }) => channel.id)).toEqual([other]);
    });
  });

  describe("behavior 14.7: changed timings hold from the next outage on:", () => {
    test.each<[string, object, object, [during: number, next: number]]>([
      ["an `after` that is added", {}, { after: 60 }, [1, 0]],
      ["an `after` that is removed", { after: 60 }, {}, [0, 1]],
    ])("%s", async (_, before, after, [during, next]) => {
      const { store, owner } = world();
      const alertChannelId = await world().channel();
      const job = await bound([{ alertChannelId, ...before }]);
      await world().checkin(job, "fail");
      await world().attemptAll({ outcome: "delivered" });
      // The last change counts, and none of them during the outage.
      for (const timing of [{ after: 7 }, after])
        await store.monitors.update(owner, job, { alertBindings: [{ alertChannelId, ...timing }] }, NOW);
      await world().checkin(job, "ok", NOW + 1);
      expect(await world().due()).toHaveLength(during);
      await world().attemptAll({ outcome: "delivered" });
      await review(NOW + 2);
      await world().attemptAll({ outcome: "delivered" });
      await world().checkin(job, "fail", NOW + 3);
      await review(NOW + 4);
      expect(await world().due()).toHaveLength(next);
    });

    test("a channel that is removed and one that is added, at once", async () => {
      const { store, owner } = world();
      const [gone, added] = [await world().channel(), await world().channel()];
      const job = await bound([{ alertChannelId: gone, after: 60 }]);
      await world().checkin(job, "fail");
      await store.monitors.update(owner, job, { alertBindings: [{ alertChannelId: added }] }, NOW);
      expect(await world().outcomes(job)).toMatchObject([{ channelId: gone, status: "failed" }]);
      await world().checkin(job, "ok", NOW + 1);
      expect((await world().due()).map(({ channel }) => channel.id)).toEqual([added]);
    });
  });

  describe("behavior 14.51: a notification that reports a monitor as down", () => {
    test("has the number of enabled monitors that depend on it, directly or not", async () => {
      const { store, owner } = world();
      const router = await world().job(await world().channel());
      const [a, b, paused] = [await child(router), await child(router), await child(router)];
      await child(a, b);
      await store.monitors.update(owner, paused, { enabled: false }, NOW);
      const counts = [];
      for (const [at, status] of ["fail", "ok"].entries()) {
        await world().checkin(router, status, NOW + at);
        counts.push(...(await world().due()).map((one) => transitionOf(one).mutes));
        await world().attemptAll({ outcome: "delivered" });
      }
      expect(counts).toEqual([3, undefined]);
    });
  });

  describe("behavior 14.52: what is held", () => {
    test("of a monitor is decided when its status changes, also if the channel is not notified of the change", async () => {
      const alertChannelId = await world().channel({ notifyOn: ["down"] });
      const job = await bound([{ alertChannelId, after: 600 }]);
      await world().checkin(job, "fail");
      await review(NOW + 1);
      const outcome = async () => (await world().results(job)).at(-1)?.alertOutcome?.status;
      expect(await outcome()).toBe("pending");
      await world().checkin(job, "ok", NOW + 2);
      await review(NOW + 3);
      expect(await outcome()).toBe("withdrawn");
    });

    test("of a dependent is decided when the other monitor is up again", async () => {
      const router = await world().job();
      const job = await child(router);
      const leaf = await child(job);
      await world().checkin(router, "fail");
      for (const id of [job, leaf]) await world().checkin(id, "fail", NOW + 1);
      await review(NOW + 2);
      for (const id of [job, leaf]) expect(await world().outcomes(id)).toMatchObject([{ status: "muted" }]);
      await world().checkin(router, "ok", NOW + 3);
      await review(NOW + 4);
      // The cause of the leaf is now the monitor between.
      expect(await world().outcomes(job)).toMatchObject([{ status: "pending" }]);
      expect(await world().outcomes(leaf)).toMatchObject([{ status: "muted", mutedBy: { monitorId: job } }]);
      await world().store.monitors.delete(world().organizationId, job);
      await review(NOW + 5);
      expect(await world().outcomes(leaf)).toMatchObject([{ status: "pending" }]);
    });
  });

  /** A job with these bindings. */
  async function bound(alertBindings: NewAlertBinding[]): Promise<string> {
    const id = await world().job();
    await world().store.monitors.update(world().owner, id, { alertBindings }, NOW);
    return id;
  }

  /** A job with a channel that depends on these monitors. */
  async function child(...dependsOn: string[]): Promise<string> {
    const id = await world().job(await world().channel());
    await world().store.monitors.update(world().owner, id, { dependsOn }, NOW);
    return id;
  }

  async function review(now: number): Promise<void> {
    while ((await world().store.alertReviews.review(now, 100)).isMore);
  }
});
