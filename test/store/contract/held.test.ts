import { describe, expect, test } from "bun:test";
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
});
