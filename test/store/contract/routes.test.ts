import { beforeEach, describe, expect, test } from "bun:test";
import type { NewAlertBinding } from "../../../src/domain/alerts/alert-binding.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, MINUTE, NOW } from "./world.ts";

const iso = (time: number) => new Date(time).toISOString();

contractSuite("routes", (world) => {
  /** A person with a channel, who is on call from NOW on for an hour, then the next one. */
  let ana: { id: string; channel: string };
  let ben: { id: string; channel: string };
  let schedule: string;

  async function person(name: string) {
    const { store, organizationId } = world();
    const given = { organizationId, email: `${name}@example.com`, role: "viewer", name } as const;
    const { id } = await store.people.create({ ...given, token: `${name} ${organizationId}` }, NOW);
    const channel = await world().channel({ name });
    await store.people.update(organizationId, id, { alertChannelIds: [channel] });
    return { id, channel };
  }

  beforeEach(async () => {
    [ana, ben] = [await person("ana"), await person("ben")];
    schedule = await rota(ana.id, ben.id);
  });

  async function rota(...personIds: string[]) {
    const layers = [{ personIds, every: 3600, startsAt: iso(NOW) }];
    const { schedules } = world().store;
    return (await schedules.create(world().organizationId, { name: "Ops", layers }, NOW)).id;
  }

  async function bound(...alertBindings: NewAlertBinding[]): Promise<string> {
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300 }, alertBindings } as const;
    return (await world().store.monitors.create(world().owner, job, NOW)).id;
  }

  const review = (now: number) => world().store.alertReviews.review(now, 100);

  /** Sends all that is due: the name of the channel and the status of each notification. */
  async function sent(now: number): Promise<string[]> {
    await review(now);
    const lines: string[] = [];
    for (let due = await world().due(now); due.length > 0; due = await world().due(now))
      for (const one of due) {
        const { status, reminder } = transitionOf(one);
        const { name } = await world().store.channels.find(world().organizationId, one.channel.id);
        lines.push(`${name} ${status}${reminder ? " again" : ""}`);
        await world().attempt(one, { outcome: "delivered" }, now);
      }
    return lines.sort();
  }

  describe("behavior 23.35: a binding to a schedule", () => {
    test("notifies whoever is on call when it is sent, and the recovery those who were notified", async () => {
      const job = await bound({ scheduleId: schedule });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await world().outcomes(job)).toMatchObject([
        { channelId: schedule, type: "SCHEDULE", status: "pending" },
      ]);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      expect(await world().outcomes(job)).toMatchObject([
        { channelId: ana.channel, type: "WEBHOOK", status: "delivered" },
      ]);
      await world().checkin(job, "ok", NOW + HOUR + MINUTE);
      expect(await sent(NOW + HOUR + MINUTE)).toEqual(["ana ok"]);
      await world().checkin(job, "fail", NOW + HOUR + 2 * MINUTE);
      expect(await sent(NOW + HOUR + 2 * MINUTE)).toEqual(["ben failed"]);
      await world().checkin(job, "ok", NOW + HOUR + 3 * MINUTE);
      expect(await sent(NOW + HOUR + 3 * MINUTE)).toEqual(["ben ok"]);
    });

    test("is in the responses of its monitor, and nothing else of it is", async () => {
      const direct = await world().channel();
      const job = await bound({ scheduleId: schedule, after: 60 }, { alertChannelId: direct });
      await world().checkin(job, "fail", NOW + MINUTE);
      await sent(NOW + 3 * MINUTE);
      const { alertBindings } = await world().find(job);
      expect(alertBindings).toContainEqual({ scheduleId: schedule, after: 60, every: 0, hours: null });
      expect(alertBindings).toHaveLength(2);
      const { store, organizationId } = world();
      expect((await store.channels.find(organizationId, ana.channel)).bindings).toEqual([]);
      expect(await store.channels.listMonitorIds(organizationId, ana.channel)).toEqual([]);
      expect(store.schedules.delete(organizationId, schedule)).rejects.toThrow(
        "the schedule Ops can't be deleted: a binding uses it",
      );
    });

    test("of another organization, or a channel as schedule, is refused", async () => {
      for (const scheduleId of [ana.channel, "nothing"])
        expect(bound({ scheduleId })).rejects.toThrow(
          "alertBindings.0.scheduleId is not a schedule of this organization",
        );
      expect(bound({ alertChannelId: schedule })).rejects.toThrow("alertBindings.0.alertChannelId is not");
      expect(bound({ scheduleId: schedule, alertChannelId: ana.channel })).rejects.toThrow(
        "alertBindings.0.scheduleId must be left out if alertChannelId is set",
      );
      expect(bound({ after: 60 })).rejects.toThrow("alertBindings.0.alertChannelId is required");
      expect(bound({ scheduleId: schedule }, { scheduleId: schedule })).rejects.toThrow(
        "alertBindings.1.scheduleId must not be in another entry too",
      );
    });
  });

  describe("behavior 23.36: nobody on call, or nobody with a channel", () => {
    test("notifies the default channels", async () => {
      await world().setDefaults(await world().channel({ name: "default" }));
      const job = await bound({ scheduleId: schedule });
      await world().store.people.update(world().organizationId, ana.id, { alertChannelIds: [] });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["default failed"]);
      await world().checkin(job, "ok", NOW + 2 * MINUTE);
      expect(await sent(NOW + 2 * MINUTE)).toEqual(["default ok"]);
      await world().store.channels.update(world().organizationId, ben.channel, { enabled: false }, NOW);
      await world().checkin(job, "fail", NOW + HOUR + MINUTE);
      expect(await sent(NOW + HOUR + MINUTE)).toEqual(["default failed"]);
    });

    test("fails with the reason if there is none", async () => {
      const job = await bound({ scheduleId: schedule });
      await world().store.people.update(world().organizationId, ana.id, { state: "disabled" });
      await world().store.people.update(world().organizationId, ben.id, { state: "disabled" });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual([]);
      expect(await world().outcomes(job)).toMatchObject([
        { type: "SCHEDULE", status: "failed", error: expect.stringContaining("nobody who is on call") },
      ]);
    });
  });

  test("behavior 23.35: the timeline of an outage has the present name of a schedule that was renamed", async () => {
    const job = await bound({ scheduleId: schedule });
    const { store, organizationId } = world();
    await store.people.update(organizationId, ana.id, { alertChannelIds: [] });
    await world().checkin(job, "fail", NOW + MINUTE);
    expect(await sent(NOW + MINUTE)).toEqual([]);
    const nameInTimeline = async () => {
      const { items } = await store.outages.list(organizationId, { limit: 1 });
      const timeline = await store.outages.findTimeline(organizationId, items[0]?.id ?? "");
      return timeline.flatMap((item) => ("channel" in item ? [item.channel?.name] : []));
    };
    expect(await nameInTimeline()).toEqual(["Ops"]);
    await store.schedules.update(organizationId, schedule, { name: " Night shift " }, NOW + 2 * MINUTE);
    expect(await nameInTimeline()).toEqual(["Night shift"]);
  });

  describe("behavior 23.37: after and every", () => {
    test("of several bindings escalate to whoever is on call then", async () => {
      const late = await rota(ben.id);
      const job = await bound({ scheduleId: schedule }, { scheduleId: late, after: 600 });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      expect(await sent(NOW + 10 * MINUTE)).toEqual([]);
      expect(await sent(NOW + 11 * MINUTE)).toEqual(["ben failed"]);
      await world().checkin(job, "ok", NOW + 12 * MINUTE);
      expect(await sent(NOW + 12 * MINUTE)).toEqual(["ana ok", "ben ok"]);
    });

    test("remind whoever is on call then", async () => {
      const job = await bound({ scheduleId: schedule, every: 1800 });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      expect(await sent(NOW + 31 * MINUTE)).toEqual(["ana failed again"]);
      expect(await sent(NOW + 61 * MINUTE)).toEqual(["ben failed again"]);
      await world().checkin(job, "ok", NOW + 62 * MINUTE);
      expect(await sent(NOW + 62 * MINUTE)).toEqual(["ana ok", "ben ok"]);
    });

    test("notify nobody of trouble that ended before, nor of its end", async () => {
      const job = await bound({ scheduleId: schedule, after: 600 });
      await world().checkin(job, "fail", NOW + MINUTE);
      await world().checkin(job, "ok", NOW + 2 * MINUTE);
      expect(await sent(NOW + 2 * MINUTE)).toEqual([]);
      expect(await sent(NOW + 20 * MINUTE)).toEqual([]);
    });
  });

  describe("behavior 23.38: a channel that several bindings reach", () => {
    test.each<[string, number, number]>([
      ["the schedule first", 0, 600],
      ["the channel first", 600, 0],
      ["both at once", 0, 0],
    ])("gets each notification once: %s", async (_, ofSchedule, ofChannel) => {
      const job = await bound(
        { scheduleId: schedule, after: ofSchedule },
        { alertChannelId: ana.channel, after: ofChannel },
      );
      await world().checkin(job, "fail", NOW + MINUTE);
      const lines = [...(await sent(NOW + MINUTE)), ...(await sent(NOW + 20 * MINUTE))];
      expect(lines).toEqual(["ana failed"]);
      await world().checkin(job, "ok", NOW + 21 * MINUTE);
      expect(await sent(NOW + 21 * MINUTE)).toEqual(["ana ok"]);
    });

    test("by two schedules, with their reminders", async () => {
      const other = await rota(ana.id);
      const job = await bound(
        { scheduleId: schedule, every: 600 },
        { scheduleId: other, after: 60, every: 600 },
      );
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      expect(await sent(NOW + 2 * MINUTE)).toEqual([]);
      expect(await sent(NOW + 11 * MINUTE)).toEqual(["ana failed again"]);
      expect(await sent(NOW + 12 * MINUTE)).toEqual([]);
      await world().checkin(job, "ok", NOW + 13 * MINUTE);
      expect(await sent(NOW + 13 * MINUTE)).toEqual(["ana ok"]);
    });

    test("is reminded by its own binding after the schedule notified it first", async () => {
      const own = { alertChannelId: ana.channel, after: 600, every: 1800 };
      const job = await bound({ scheduleId: schedule }, own);
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      expect(await sent(NOW + 11 * MINUTE)).toEqual([]);
      expect(await sent(NOW + 41 * MINUTE)).toEqual(["ana failed again"]);
      await world().checkin(job, "ok", NOW + 42 * MINUTE);
      expect(await sent(NOW + 42 * MINUTE)).toEqual(["ana ok"]);
    });

    test("is reminded by one of them at a time, and shown once while its own binding waits", async () => {
      const own = { alertChannelId: ana.channel, after: 600, every: 1200 };
      const job = await bound({ scheduleId: schedule, every: 900 }, own);
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      expect(await world().outcomes(job)).toMatchObject([{ channelId: ana.channel, status: "delivered" }]);
      expect(await sent(NOW + 11 * MINUTE)).toEqual([]);
      expect(await sent(NOW + 16 * MINUTE)).toEqual(["ana failed again"]);
      expect(await sent(NOW + 31 * MINUTE)).toEqual(["ana failed again"]);
      expect(await sent(NOW + 36 * MINUTE)).toEqual([]);
      expect(await sent(NOW + 46 * MINUTE)).toEqual(["ana failed again"]);
      // Somebody else is on call, so that the schedule reminds other channels, and its own binding reminds this one.
      expect(await sent(NOW + 61 * MINUTE)).toEqual(["ben failed again"]);
      expect(await sent(NOW + 66 * MINUTE)).toEqual(["ana failed again"]);
    });

    test("stays the channel of a user after a binding to it was added", async () => {
      const job = await bound({ scheduleId: schedule });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      const { store, owner } = world();
      const alertBindings = [{ alertChannelId: ana.channel }];
      await store.monitors.update(owner, job, { alertBindings }, NOW + 2 * MINUTE);
      expect((await world().find(job)).alertBindings).toMatchObject(alertBindings);
      await world().checkin(job, "ok", NOW + 3 * MINUTE);
      expect(await sent(NOW + 3 * MINUTE)).toEqual(["ana ok"]);
    });

    test("is not notified any more after the schedule is unbound", async () => {
      const job = await bound({ scheduleId: schedule });
      await world().checkin(job, "fail", NOW + MINUTE);
      expect(await sent(NOW + MINUTE)).toEqual(["ana failed"]);
      const { store, owner, organizationId } = world();
      await store.monitors.update(owner, job, { alertBindings: [] }, NOW + 2 * MINUTE);
      await world().checkin(job, "ok", NOW + 3 * MINUTE);
      expect(await sent(NOW + 3 * MINUTE)).toEqual([]);
      expect(await store.schedules.delete(organizationId, schedule)).toEqual({ id: schedule });
    });
  });
});
