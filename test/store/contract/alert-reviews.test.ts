import { beforeEach, describe, expect, test } from "bun:test";
import type { NewAlertBinding } from "../../../src/domain/alerts/alert-binding.ts";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import type { NewMonitor } from "../../../src/store/monitors/monitors.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW, SECOND } from "./world.ts";

const delivered: DeliveryAttempt = { outcome: "delivered" };

contractSuite("alert-reviews", (world, _, slow) => {
  let start = NOW;
  const at = (seconds: number) => start + seconds * SECOND;
  const site = { type: "TCP", config: { host: "a", port: 1, interval: 3600 } } as const;

  beforeEach(() => {
    start = NOW;
  });

  async function create(name: string, values: Partial<NewMonitor> = {}): Promise<string> {
    const monitor = { ...site, name, alertChannelIds: [], ...values } as NewMonitor;
    return (await world().store.monitors.create(world().owner, monitor, NOW)).id;
  }

  /** A monitor that works, and one that depends on it. */
  async function parentAndChild(values: Partial<NewMonitor> = {}) {
    const channel = await world().channel();
    const parent = await create("parent");
    const child = await create("child", { alertChannelIds: [channel], dependsOn: [parent], ...values });
    await startBetweenSlots(parent, child);
    return { channel, parent, child };
  }

  /** Both are down, and the notification about the second one is muted. */
  async function mutedChild() {
    const both = await parentAndChild();
    await world().down(both.parent, at(11));
    await falls(both.child, 11);
    return both;
  }

  /** A monitor is seen down, and its notifications are reviewed. */
  async function falls(monitorId: string, seconds: number): Promise<void> {
    await world().down(monitorId, at(seconds));
    await review(seconds);
  }

  async function recovers(monitorId: string, seconds: number): Promise<void> {
    await world().up(monitorId, { at: at(seconds) });
    await review(seconds);
  }

  async function enable(monitorId: string, enabled: boolean, seconds: number): Promise<void> {
    await world().store.monitors.update(world().owner, monitorId, { enabled }, at(seconds));
  }

  /** A monitor is seen down whose config was changed twice. */
  async function seeDown(monitorId: string, seconds: number): Promise<void> {
    const evidence = { outcome: "failed", reason: "refused", detail: {} } as const;
    const check = { kind: "check", monitorId, revision: 2, at: at(seconds), evidence } as const;
    await world().store.recording.record([check]);
  }

  /** Lets locations see a monitor, each time with the next number. */
  function seenFrom(monitorId: string) {
    let sequence = 0;
    return (location: { pk: number }, isUp: boolean, seconds: number) => {
      const evidence = isUp
        ? ({ outcome: "reached", latencyMs: 5, detail: {} } as const)
        : ({ outcome: "failed", reason: "refused", detail: {} } as const);
      const time = { at: at(seconds), startAt: at(seconds) };
      return world().store.recording.recordObservations({
        ...{ location: location.pk, stream: "a".repeat(22), receivedAt: at(seconds) },
        observations: [{ sequence: ++sequence, monitorId, revision: 0, ...time, evidence }],
      });
    };
  }

  /** Lets the test begin with good checks, after which no monitor has a slot for twelve minutes. Slots are random. */
  async function startBetweenSlots(...monitorIds: string[]): Promise<void> {
    let next = start;
    while (next < at(710)) {
      start = next;
      const checks = [];
      for (const id of monitorIds) checks.push(...(await world().up(id, { at: start })));
      next = Math.min(...checks.map((check) => check?.nextCheckAt ?? start));
    }
  }

  async function review(seconds: number) {
    let all = { releases: false, asksHere: false };
    for (let isMore = true; isMore; ) {
      const one = await world().store.alertReviews.review(at(seconds), 100);
      all = { releases: all.releases || one.releases, asksHere: all.asksHere || one.asksHere };
      isMore = one.isMore;
    }
    return all;
  }

  /** Lets a monitor be checked that is still down, and decides after that. */
  async function lookAgain(monitorId: string, seconds: number): Promise<void> {
    await review(seconds);
    expect(await sent(seconds)).toEqual([]);
    await world().down(monitorId, at(seconds + 0.5));
    await review(seconds + 1);
  }

  const statuses = async (monitorId: string) =>
    (await world().outcomes(monitorId)).map(({ status }) => status);

  /** The statuses that are sent now, and delivers them. */
  async function sent(seconds: number): Promise<string[]> {
    const found: string[] = [];
    for (let due = await world().due(at(seconds)); due.length > 0; due = await world().due(at(seconds)))
      for (const delivery of due) {
        const { previousStatus, status, reminder } = transitionOf(delivery);
        found.push(`${previousStatus} ${status}${reminder ? " again" : ""}`);
        await world().attempt(delivery, delivered, at(seconds));
      }
    return found;
  }

  function answerSlowly(monitorId: string, seconds: number) {
    return world().check(
      monitorId,
      { outcome: "reached", latencyMs: 10, slowBy: 5, detail: {} },
      at(seconds),
    );
  }

  /** The deliveries that users see, most recent first. */
  async function listed(channel: string): Promise<string[]> {
    const page = { limit: 50, cursor: undefined };
    const { items } = await world().store.deliveries.list(world().organizationId, channel, page);
    return items.map(({ status, newStatus }) => `${status} ${newStatus}`);
  }

  /** The IDs of the outages of a monitor, most recent first. */
  async function outagesOf(id: string): Promise<string[]> {
    const monitor = { id, range: "1d" } as const;
    const { outages } = await world().store.monitors.findReport(world().organizationId, monitor, at(60));
    return outages.map((outage) => outage.id);
  }

  async function dueSlots(seconds: number): Promise<number> {
    return (await world().store.checks.listDueSlots(alone, { now: at(seconds), before: at(seconds) + 1 }))
      .length;
  }

  /** A monitor that works, with a timing of its channel. */
  async function bound(values: Omit<NewAlertBinding, "alertChannelId">) {
    const channel = await world().channel();
    const monitor = await create("site", {
      alertChannelIds: undefined,
      alertBindings: [{ alertChannelId: channel, ...values }],
    });
    await world().up(monitor, { at: at(0) });
    return { channel, monitor };
  }

  describe("dependencies", () => {
    test("behavior 14.11: a monitor that gets worse while one that it depends on is down is muted", async () => {
      const { parent, child } = await parentAndChild();
      await world().down(parent, at(11));
      await world().down(child, at(11));
      expect(await statuses(child)).toEqual(["pending"]);
      expect(await review(11)).toEqual({ releases: false, asksHere: false });
      const outages = await outagesOf(parent);
      expect(await world().outcomes(child)).toMatchObject([
        { status: "muted", mutedBy: { monitorId: parent, outageId: outages[0] } },
      ]);
      expect(await sent(100)).toEqual([]);
    });

    test("behavior 14.12: the notification waits for a check of the monitor that it depends on", async () => {
      const { parent, child } = await parentAndChild();
      await world().down(child, at(20));
      expect(await review(20)).toEqual({ releases: false, asksHere: true });
      expect(await dueSlots(20)).toBe(1);
      expect(await review(20.6)).toEqual({ releases: false, asksHere: false });
      await world().up(parent, { at: at(21) });
      expect(await review(21.2)).toEqual({ releases: true, asksHere: false });
      expect(await sent(22)).toEqual(["up down"]);
    });

    test("behavior 14.12: the answer that it is down mutes", async () => {
      const { parent, child } = await parentAndChild();
      await falls(child, 20);
      await world().down(parent, at(21));
      await review(21.2);
      expect(await statuses(child)).toEqual(["muted"]);
      expect(await sent(100)).toEqual([]);
    });

    test("behavior 14.12: one that was down before the first failed check is checked before it mutes", async () => {
      const { parent, child } = await parentAndChild();
      await world().down(parent, at(10));
      await world().down(child, at(20));
      expect(await review(20)).toEqual({ releases: false, asksHere: true });
      expect(await statuses(child)).toEqual(["pending"]);
      await world().up(parent, { at: at(21) });
      await review(21.2);
      expect(await sent(22)).toEqual(["up down"]);
    });

    test("behavior 14.9: without an answer, the notification is sent 5 minutes after the timeout, if the trouble lasts", async () => {
      const { child } = await parentAndChild();
      await falls(child, 20);
      for (let seconds = 35; seconds < 335; seconds += 15) {
        await review(seconds);
        expect(await sent(seconds)).toEqual([]);
      }
      await lookAgain(child, 335);
      expect(await sent(336)).toEqual([]);
      await review(350);
      expect(await sent(350)).toEqual(["up down"]);
    });

    slow(
      "behavior 14.9, 14.13: after the cause, another without a result is awaited for 5 minutes more",
      async () => {
        const channel = await world().channel();
        const [switchOf, router] = [await create("switch"), await create("router")];
        await world().up(switchOf, { at: at(10) });
        await world().down(router, at(10));
        const dependsOn = [switchOf, router];
        const child = await create("web", { dependsOn, alertChannelIds: [channel] });
        await world().up(child, { at: at(5) });
        await world().down(child, at(9));
        await review(10);
        await recovers(router, 70);
        for (let seconds = 71; seconds < 385; seconds++) {
          if (seconds % 15 === 11) await world().down(child, at(seconds));
          await review(seconds);
        }
        expect(await sent(384)).toEqual([]);
        await world().down(switchOf, at(384));
        await review(386);
        expect(await listed(channel)).toEqual(["muted down"]);
      },
    );

    test("behavior 14.13: after the cause has ended, trouble that lasts is sent after a check", async () => {
      const { parent, child } = await mutedChild();
      await world().up(parent, { at: at(70) });
      expect(await review(70)).toEqual({ releases: false, asksHere: true });
      expect(await statuses(child)).toEqual(["muted"]);
      await world().down(child, at(71));
      expect(await review(71)).toEqual({ releases: true, asksHere: false });
      expect(await sent(72)).toEqual(["up down"]);
      await recovers(child, 130);
      expect(await sent(131)).toEqual(["down up"]);
    });

    test("behavior 14.52: the result of that check decides at once, so that an end that follows is sent too", async () => {
      const { parent, child } = await mutedChild();
      expect(await world().down(child, at(40))).toMatchObject([{ notable: false }]);
      await recovers(parent, 70);
      expect(await world().down(child, at(70.1))).toMatchObject([{ notable: true }]);
      expect(await review(70.1)).toEqual({ releases: true, asksHere: false });
      await recovers(child, 70.2);
      expect(await sent(71)).toEqual(["up down", "down up"]);
    });

    test("behavior 14.23: trouble that ended before that result was decided is withdrawn", async () => {
      const { channel, parent, child } = await mutedChild();
      await recovers(parent, 70);
      await world().down(child, at(71));
      await recovers(child, 72);
      expect(await sent(200)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });

    test("behavior 14.13: if that check is good, neither the trouble nor its end is sent", async () => {
      const { channel, parent, child } = await mutedChild();
      await recovers(parent, 70);
      await recovers(child, 71);
      expect(await sent(200)).toEqual([]);
      expect(await world().outcomes(child)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });

    test("behavior 14.14: a job that depends on a monitor is not checked, its present status counts", async () => {
      const channel = await world().channel();
      const parent = await create("parent");
      const job = await create("job", {
        ...{ type: "SCHEDULED", config: { interval: 300 } },
        ...{ alertChannelIds: [channel], dependsOn: [parent] },
      });
      await world().down(parent, at(11));
      await world().checkin(job, "fail", at(11));
      await review(11);
      expect(await statuses(job)).toEqual(["muted"]);
      await world().up(parent, { at: at(70) });
      expect(await review(70)).toEqual({ releases: true, asksHere: false });
      expect(await sent(70)).toEqual(["unknown failed"]);
    });

    test("behavior 14.10: the nearest cause of several is named, also through healthy monitors", async () => {
      const channel = await world().channel();
      const far = await create("far");
      const near = await create("near", { dependsOn: [far] });
      const middle = await create("middle", { dependsOn: [near] });
      const child = await create("child", { alertChannelIds: [channel], dependsOn: [middle] });
      for (const id of [far, near, middle, child]) await world().up(id, { at: at(0) });
      await world().down(far, at(11));
      await falls(child, 11);
      expect(await world().outcomes(child)).toMatchObject([{ mutedBy: { monitorId: far } }]);
      await world().down(near, at(12));
      await review(80);
      expect(await world().outcomes(child)).toMatchObject([{ mutedBy: { monitorId: near } }]);
    });

    test("behavior 14.13: a pause, and a deletion, of the cause end the mute", async () => {
      for (const end of ["pause", "delete"] as const) {
        const { parent, child } = await mutedChild();
        const { monitors } = world().store;
        if (end === "pause") await monitors.update(world().owner, parent, { enabled: false }, at(20));
        else await monitors.delete(world().organizationId, parent);
        await review(90);
        await world().down(child, at(91));
        await review(92);
        expect(await sent(93)).toEqual(["up down"]);
      }
    });
  });

  describe("after and every", () => {
    test("behavior 14.16: trouble is notified after it has lasted for `after`", async () => {
      const { monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      expect(await statuses(monitor)).toEqual(["pending"]);
      await review(659);
      expect(await sent(659)).toEqual([]);
      await lookAgain(monitor, 660);
      expect(await sent(661)).toEqual(["up down"]);
      await recovers(monitor, 700);
      expect(await sent(700)).toEqual(["down up"]);
    });

    test("behavior 14.16: trouble that ends before is withdrawn, and its end is not notified", async () => {
      const { channel, monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      await recovers(monitor, 600);
      expect(await sent(10_000)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });

    test("behavior 14.8: `after` that was due while no server ran is sent only if a check still sees the trouble", async () => {
      const { channel, monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      await review(3000);
      expect(await sent(3000)).toEqual([]);
      await world().up(monitor, { at: at(3001) });
      await review(3002);
      expect(await sent(5000)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });

    test("behavior 14.23: nor is it sent if the check after the start comes before the decision", async () => {
      const { channel, monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      await world().up(monitor, { at: at(3000) });
      await review(3001);
      expect(await sent(5000)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });

    test("behavior 14.8: `after` and reminders wait while a recovery is not confirmed", async () => {
      const channel = await world().channel();
      for (const values of [{ after: 60 }, { every: 300 }]) {
        const monitor = await create("site", {
          ...{ alertChannelIds: undefined, recoveries: 2 },
          alertBindings: [{ alertChannelId: channel, ...values }],
        });
        await world().up(monitor, { at: at(0) });
        await falls(monitor, 10);
        const first = await sent(10);
        const dueAt = "after" in values ? 70 : 310;
        await world().up(monitor, { at: at(dueAt - 1) });
        await review(dueAt);
        await world().up(monitor, { at: at(dueAt + 20) });
        await review(dueAt + 21);
        expect(await sent(dueAt + 21)).toEqual([]);
        await world().up(monitor, { at: at(dueAt + 40) });
        await review(dueAt + 41);
        expect(await sent(5000)).toEqual(first.length === 0 ? [] : ["down up"]);
      }
    });

    test("behavior 14.24: a reminder is sent also if the first notification failed for good", async () => {
      const { monitor } = await bound({ every: 300 });
      await falls(monitor, 60);
      for (const delivery of await world().due(at(60)))
        await world().attempt(delivery, { outcome: "failed", error: "410", final: true }, at(60));
      expect(await statuses(monitor)).toEqual(["failed"]);
      await lookAgain(monitor, 360);
      expect(await sent(361)).toEqual(["up down again"]);
      await recovers(monitor, 400);
      expect(await sent(400)).toEqual(["down up"]);
    });

    test("behavior 14.17: if the status gets worse meanwhile, the newest is sent at the same time", async () => {
      const { channel, monitor } = await bound({ after: 600 });
      await answerSlowly(monitor, 60);
      await review(60);
      await falls(monitor, 300);
      await review(659);
      expect(await sent(659)).toEqual([]);
      await lookAgain(monitor, 660);
      expect(await sent(661)).toEqual(["degraded down"]);
      expect(await listed(channel)).toEqual(["delivered down", "withdrawn degraded"]);
    });

    test("behavior 14.24: trouble that lasts is repeated, until it ends", async () => {
      const { monitor } = await bound({ every: 300 });
      await falls(monitor, 60);
      expect(await sent(60)).toEqual(["up down"]);
      await review(359);
      expect(await sent(359)).toEqual([]);
      await lookAgain(monitor, 360);
      expect(await sent(361)).toEqual(["up down again"]);
      await lookAgain(monitor, 661);
      expect(await sent(662)).toEqual(["up down again"]);
      await recovers(monitor, 700);
      expect(await sent(700)).toEqual(["down up"]);
      await review(2000);
      expect(await sent(2000)).toEqual([]);
    });

    test("behavior 14.27: a pause withdraws what is not decided and ends the reminders", async () => {
      const [delayed, repeated] = [await bound({ after: 600 }), await bound({ every: 300 })];
      for (const { monitor } of [delayed, repeated]) await falls(monitor, 60);
      expect(await sent(60)).toEqual(["up down"]);
      await world().store.monitors.pauseAll(world().organizationId, at(100));
      await review(5000);
      expect(await sent(5000)).toEqual([]);
      expect(await statuses(delayed.monitor)).toEqual(["withdrawn"]);
    });

    test("behavior 14.27, 14.52: trouble that lasts after the pause is decided again at once", async () => {
      const { channel, parent, child } = await mutedChild();
      await enable(child, false, 20);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
      await enable(child, true, 30);
      await review(30);
      expect(await listed(channel)).toEqual(["pending down"]);
      await seeDown(child, 31);
      await falls(parent, 31);
      expect(await listed(channel)).toEqual(["muted down"]);
      const outages = await outagesOf(child);
      await recovers(parent, 40);
      await seeDown(child, 41);
      await review(41);
      const [due] = await world().due(at(60));
      expect(due && transitionOf(due).outage?.id).toBe(outages[0]);
    });

    test("behavior 14.27: reminders start again after the pause", async () => {
      const { monitor } = await bound({ every: 300 });
      await falls(monitor, 60);
      expect(await sent(60)).toEqual(["up down"]);
      await enable(monitor, false, 100);
      await review(500);
      expect(await sent(500)).toEqual([]);
      await enable(monitor, true, 600);
      await seeDown(monitor, 601);
      await review(899);
      expect(await sent(899)).toEqual([]);
      await review(900);
      expect(await sent(900)).toEqual([]);
      await seeDown(monitor, 901);
      await review(901);
      expect(await sent(901)).toEqual(["up down again"]);
    });

    test("behavior 14.28: a channel that is disabled, and one that is unbound, fails what is not decided", async () => {
      const [disabled, unbound] = [await bound({ after: 600 }), await bound({ after: 600 })];
      for (const { monitor } of [disabled, unbound]) await falls(monitor, 60);
      const { channels, monitors } = world().store;
      await channels.update(world().organizationId, disabled.channel, { enabled: false }, at(70));
      await monitors.update(world().owner, unbound.monitor, { alertChannelIds: [] }, at(70));
      await review(1000);
      expect(await sent(1000)).toEqual([]);
      expect(await statuses(disabled.monitor)).toEqual(["failed"]);
      expect(await statuses(unbound.monitor)).toEqual(["failed"]);
    });

    test("behavior 14.28: a channel that is deleted fails what is not decided", async () => {
      const { channel, monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      await world().store.channels.delete(world().organizationId, channel);
      await review(700);
      expect(await sent(700)).toEqual([]);
      expect(await statuses(monitor)).toEqual(["failed"]);
      expect(await review(701)).toEqual({ releases: false, asksHere: false });
    });

    test("behavior 14.28: what is muted counts as failed at once if its channel is deleted", async () => {
      const { channel, child } = await mutedChild();
      await world().store.channels.delete(world().organizationId, channel);
      const failed = { status: "failed", error: "the channel was deleted" };
      expect(await world().outcomes(child)).toMatchObject([failed]);
      await review(80);
      expect(await world().outcomes(child)).toMatchObject([failed]);
    });

    test("a deleted monitor is not due any more", async () => {
      const { monitor } = await bound({ after: 600, every: 300 });
      await world().down(monitor, at(60));
      await world().store.monitors.delete(world().organizationId, monitor);
      expect(await review(5000)).toEqual({ releases: false, asksHere: false });
    });
  });

  describe("hours", () => {
    /** The tests begin on a Tuesday at 12:00, UTC. */
    const hours = (...times: [from: string, to: string][]): NonNullable<NewAlertBinding["hours"]> => {
      return { timezone: "UTC", windows: times.map(([from, to]) => ({ days: ["tue"], from, to })) };
    };
    const later = hours(["12:30", "13:00"]);
    const drop = { ...later, outside: "drop" } as const;

    test("behavior 23.4, 23.8: trouble outside of them waits until they open, and its end is sent at once", async () => {
      const { monitor } = await bound({ hours: later });
      await falls(monitor, 60);
      expect(await statuses(monitor)).toEqual(["pending"]);
      await world().opened.reopen();
      await review(1799);
      expect(await sent(1799)).toEqual([]);
      await lookAgain(monitor, 1800);
      expect(await sent(1801)).toEqual(["up down"]);
      await recovers(monitor, 4000);
      expect(await sent(4000)).toEqual(["down up"]);
    });

    test("behavior 23.4: in them, trouble is sent at once", async () => {
      const { monitor } = await bound({ hours: hours(["12:00", "13:00"]) });
      await falls(monitor, 60);
      expect(await sent(60)).toEqual(["up down"]);
    });

    test("behavior 23.4: trouble that ends before they open is withdrawn, and its end is not notified", async () => {
      const { channel, monitor } = await bound({ hours: later });
      await falls(monitor, 60);
      await recovers(monitor, 600);
      await review(1800);
      expect(await sent(1800)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });

    test("behavior 23.6: trouble that they drop is withdrawn at once, and neither it nor its end is sent", async () => {
      const { channel, monitor } = await bound({ hours: drop });
      await falls(monitor, 60);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
      const [outage = ""] = await outagesOf(monitor);
      const timeline = await world().store.outages.findTimeline(world().organizationId, outage);
      expect(timeline.find((one) => "why" in one)).toMatchObject({ why: "hours" });
      await review(1800);
      await recovers(monitor, 1900);
      expect(await sent(1900)).toEqual([]);
    });

    test("behavior 23.6: trouble that they dropped is notified if it lasts after a pause that ends within them", async () => {
      const { monitor } = await bound({ hours: drop });
      await falls(monitor, 60);
      await enable(monitor, false, 100);
      await enable(monitor, true, 1800);
      await seeDown(monitor, 1801);
      await review(1802);
      expect(await sent(1802)).toEqual(["up down"]);
    });

    test("behavior 23.7: a repetition that falls outside comes when they open, and the next one counts from it", async () => {
      const { monitor } = await bound({ every: 300, hours: hours(["12:00", "12:05"], ["12:30", "13:00"]) });
      await falls(monitor, 60);
      expect(await sent(60)).toEqual(["up down"]);
      await review(360);
      await review(1799);
      expect(await sent(1799)).toEqual([]);
      await lookAgain(monitor, 1800);
      expect(await sent(1801)).toEqual(["up down again"]);
      await review(2099);
      expect(await sent(2099)).toEqual([]);
      await lookAgain(monitor, 2101);
      expect(await sent(2102)).toEqual(["up down again"]);
    });

    test("behavior 23.8: changed hours hold from the next outage on", async () => {
      const { channel, monitor } = await bound({ hours: later });
      await falls(monitor, 60);
      const alertBindings = [{ alertChannelId: channel }];
      await world().store.monitors.update(world().owner, monitor, { alertBindings }, at(100));
      await review(100);
      expect(await sent(100)).toEqual([]);
      await recovers(monitor, 200);
      await falls(monitor, 300);
      expect(await sent(300)).toEqual(["up down"]);
    });

    test("behavior 14.22, 23.4: after the clock was set back, what is held is still held", async () => {
      const { monitor } = await bound({ hours: later });
      await falls(monitor, 60);
      await world().store.alertReviews.recall(at(-3600));
      await review(-3600);
      expect(await sent(-3600)).toEqual([]);
      await lookAgain(monitor, 1800);
      expect(await sent(1801)).toEqual(["up down"]);
    });
  });

  describe("maintenance", () => {
    /** A window from 100 s to 700 s of all monitors. @returns its ID */
    async function openWindow(): Promise<string> {
      const iso = (seconds: number) => new Date(at(seconds)).toISOString();
      const request = { title: "w", selector: { all: true } as const, startsAt: iso(100), endsAt: iso(700) };
      return (await world().store.maintenances.create(world().organizationId, request, at(10))).id;
    }

    async function watched() {
      const channel = await world().channel();
      const monitor = await create("site", { alertChannelIds: [channel] });
      await startBetweenSlots(monitor);
      return { channel, monitor };
    }

    test("behavior 14.20, 14.21: trouble of a window is hidden until its end, and sent then", async () => {
      const { channel, monitor } = await watched();
      await openWindow();
      await answerSlowly(monitor, 200);
      await falls(monitor, 260);
      await review(699);
      expect(await listed(channel)).toEqual([]);
      expect(await world().outcomes(monitor)).toEqual([]);
      await lookAgain(monitor, 700);
      expect(await sent(701)).toEqual(["up down"]);
    });

    test("behavior 14.21: at the end, trouble is notified only if a check still sees it", async () => {
      const { channel, monitor } = await watched();
      await openWindow();
      await falls(monitor, 200);
      expect(await review(700)).toEqual({ releases: false, asksHere: true });
      expect(await dueSlots(700)).toBe(1);
      await world().up(monitor, { at: at(701) });
      await review(702);
      expect(await sent(900)).toEqual([]);
      expect(await listed(channel)).toEqual([]);
    });

    test("behavior 14.9, 14.21: without a result, it waits, and the monitor is checked again each minute", async () => {
      const { monitor } = await watched();
      await openWindow();
      await falls(monitor, 200);
      await review(700);
      await review(714.9);
      for (const seconds of [715, 775, 835]) {
        expect(await review(seconds)).toEqual({ releases: false, asksHere: true });
        expect(await dueSlots(seconds)).toBe(1);
      }
      expect(await sent(835)).toEqual([]);
      await falls(monitor, 840);
      expect(await sent(840)).toEqual(["up down"]);
    });

    test("behavior 11.6, 14.21: a certificate that was renewed in a window is not notified while its date is confirmed", async () => {
      const channel = await world().channel();
      const config = { host: "a", port: 443, interval: 3600 };
      const monitor = await create("site", { type: "TLS", config, alertChannelIds: [channel] });
      const seeEnd = (days: number, seconds: number) =>
        world().check(monitor, endsIn(days, at(0)), at(seconds));
      await seeEnd(90, 0);
      await openWindow();
      await seeEnd(-1, 200);
      await review(200);
      await review(700);
      await seeEnd(90, 701);
      await review(716);
      await seeEnd(90, 722);
      await review(723);
      await seeEnd(90, 743);
      await review(744);
      expect(await sent(900)).toEqual([]);
      expect(await listed(channel)).toEqual([]);
    });

    test("behavior 14.8: if no server ran while a check was awaited, it is awaited again", async () => {
      const { monitor } = await watched();
      await openWindow();
      await falls(monitor, 200);
      await review(700);
      await world().down(monitor, at(701));
      expect(await review(3000)).toEqual({ releases: false, asksHere: true });
      await world().up(monitor, { at: at(3001) });
      await review(3002);
      expect(await sent(3100)).toEqual([]);
    });

    test("behavior 14.21: what was muted before a window, and whose cause ends in it, is notified only if a check still sees it", async () => {
      const { channel, parent, child } = await parentAndChild();
      await world().down(parent, at(50));
      await falls(child, 50);
      expect(await listed(channel)).toEqual(["muted down"]);
      await openWindow();
      await review(110);
      await recovers(parent, 200);
      expect(await review(700)).toEqual({ releases: false, asksHere: true });
      await world().up(parent, { at: at(701) });
      await world().up(child, { at: at(701) });
      await review(702);
      expect(await sent(900)).toEqual([]);
    });

    test("behavior 14.21, 14.52: all locations check at the end, and the result of the last one decides at once", async () => {
      const channel = await world().channel();
      const [fra, ams] = [await world().location("fra"), await world().location("ams")];
      const monitor = await world().placed([fra.id, ams.id]);
      await world().store.monitors.update(world().owner, monitor, { alertChannelIds: [channel] }, at(1));
      const see = seenFrom(monitor);
      for (const one of [fra, ams]) await see(one, true, 5);
      await openWindow();
      const { maintenances } = world().store;
      for (const { pk } of await maintenances.listWatched()) await maintenances.noteWindows(pk, at(100));
      for (const one of [fra, ams]) await see(one, false, 200);
      await review(200);
      for (const { pk } of await maintenances.listWatched()) await maintenances.noteWindows(pk, at(700));
      for (const { pk } of [fra, ams])
        expect((await world().store.locations.findRechecks(pk)).rechecks).toEqual([
          { monitorId: monitor, at: at(700) },
        ]);
      await review(700);
      await see(fra, false, 701);
      await review(702);
      expect(await sent(702)).toEqual([]);
      expect(await see(ams, false, 702)).toMatchObject({ recorded: [{ notable: true }] });
      await review(702);
      expect(await sent(702)).toEqual(["up down"]);
    });

    slow(
      "behavior 14.21: at every end, monitors that left the window in trouble are checked at once",
      async () => {
        const { maintenances, monitors } = world().store;
        const organization = world().organizationId;
        const ends: Record<string, (id: string, monitor: string) => Promise<unknown>> = {
          scheduled: async () => noteWindows(700),
          ended: (id) => maintenances.end(organization, id, at(700)),
          deleted: (id) => maintenances.delete(organization, id, at(700)),
          "with other monitors": (id) =>
            maintenances.update(organization, id, { selector: { tags: ["other"] } }, at(700)),
          "with other times": (id) =>
            maintenances.update(organization, id, { startsAt: isoAt(800), endsAt: isoAt(900) }, at(700)),
          "of a monitor with other tags": (_, monitor) =>
            monitors.update(world().owner, monitor, { tags: ["other"] }, at(700)),
        };
        const isoAt = (seconds: number) => new Date(at(seconds)).toISOString();
        const noteWindows = async (seconds: number) => {
          for (const { pk } of await maintenances.listWatched())
            await maintenances.noteWindows(pk, at(seconds));
        };
        for (const [how, end] of Object.entries(ends)) {
          start = NOW;
          const channel = await world().channel();
          const notified = await create("notified", { alertChannelIds: [channel], tags: ["window"] });
          const [silent, elsewhere] = [
            await create("silent", { tags: ["window"] }),
            await create("elsewhere"),
          ];
          const [good, paused] = [
            await create("good", { tags: ["window"] }),
            await create("paused", { tags: ["window"] }),
          ];
          await startBetweenSlots(notified, silent, elsewhere, good, paused);
          await world().down(notified, at(50));
          const times = { startsAt: isoAt(100), endsAt: isoAt(how === "scheduled" ? 700 : 750) };
          const selector = { tags: ["window"] };
          const { id } = await maintenances.create(organization, { title: how, selector, ...times }, at(60));
          await noteWindows(100);
          for (const one of [silent, elsewhere, paused]) await world().down(one, at(150));
          await monitors.update(world().owner, paused, { enabled: false }, at(151));
          const isDue = async (): Promise<string[]> => {
            const when = { now: at(700), before: at(700) + 1 };
            const slots = await world().store.checks.listDueSlots(alone, when);
            const due = await world().store.checks.claim(slots, alone, at(700));
            return due.flatMap((one) => names[one.id] ?? []).toSorted();
          };
          const names: Record<string, string> = { [notified]: "notified", [silent]: "silent" };
          Object.assign(names, { [elsewhere]: "elsewhere", [good]: "good", [paused]: "paused" });
          expect(await isDue()).toEqual([]);
          await end(id, silent);
          const left = how === "of a monitor with other tags" ? ["silent"] : ["notified", "silent"];
          expect([how, ...(await isDue())]).toEqual([how, ...left]);
          for (const one of [notified, silent, elsewhere, good, paused])
            await monitors.delete(organization, one);
          if (how !== "deleted") await maintenances.delete(organization, id, at(701));
        }
      },
    );

    test("behavior 14.21: a monitor that is still in another window is not checked before the end of that one", async () => {
      const { maintenances } = world().store;
      const { monitor } = await watched();
      const id = await openWindow();
      const other = await openWindow();
      for (const { pk } of await maintenances.listWatched()) await maintenances.noteWindows(pk, at(100));
      await world().down(monitor, at(200));
      await maintenances.end(world().organizationId, id, at(300));
      expect(await dueSlots(300)).toBe(0);
      await maintenances.end(world().organizationId, other, at(301));
      expect(await dueSlots(301)).toBe(1);
    });

    test("behavior 14.20: trouble that ends in the window leaves no trace", async () => {
      const { channel, monitor } = await watched();
      await openWindow();
      await falls(monitor, 200);
      await recovers(monitor, 300);
      await review(800);
      expect(await sent(800)).toEqual([]);
      expect(await listed(channel)).toEqual([]);
    });

    test("behavior 14.20: the end of trouble from before the window is sent", async () => {
      const { monitor } = await watched();
      await openWindow();
      await world().down(monitor, at(50));
      expect(await sent(50)).toEqual(["up down"]);
      await recovers(monitor, 200);
      expect(await sent(200)).toEqual(["down up"]);
    });

    test("behavior 14.21: a window that is ended early, or deleted, is over at once", async () => {
      for (const end of ["end", "delete"] as const) {
        const { monitor } = await watched();
        const id = await openWindow();
        await falls(monitor, 200);
        await world().store.maintenances[end](world().organizationId, id, at(300));
        await lookAgain(monitor, 300);
        expect(await sent(301)).toEqual(["up down"]);
      }
    });

    test("behavior 14.28: what is hidden from a channel that is deleted leaves no trace", async () => {
      const { channel, monitor } = await watched();
      await openWindow();
      await falls(monitor, 200);
      await world().store.channels.delete(world().organizationId, channel);
      await review(800);
      expect(await statuses(monitor)).toEqual([]);
    });

    test("behavior 14.28: what is hidden from a channel that is disabled leaves no trace", async () => {
      const { channel, monitor } = await watched();
      await openWindow();
      await falls(monitor, 200);
      await world().store.channels.update(world().organizationId, channel, { enabled: false }, at(210));
      await review(800);
      expect(await listed(channel)).toEqual([]);
    });
  });

  describe("acknowledgements", () => {
    const acknowledge = async (monitor: string, seconds: number) => {
      const [id = ""] = await outagesOf(monitor);
      const { outages } = world().store;
      await outages.acknowledge(world().organizationId, id, { by: "Ann", note: null }, at(seconds));
      return { takeBack: (later: number) => outages.unacknowledge(world().organizationId, id, at(later)) };
    };

    test("behavior 14.27: a pause ends an acknowledgement, and trouble that lasts after the pause is notified", async () => {
      const { monitor } = await bound({ after: 300 });
      await falls(monitor, 60);
      await acknowledge(monitor, 70);
      await review(70);
      expect(await statuses(monitor)).toEqual(["withdrawn"]);
      await enable(monitor, false, 100);
      await enable(monitor, true, 200);
      await seeDown(monitor, 201);
      await review(202);
      expect(await sent(202)).toEqual([]);
      await seeDown(monitor, 500);
      await review(501);
      expect(await sent(501)).toEqual(["up down"]);
    });

    test("behavior 14.26: one withdraws what waits for its `after`, and taken back, it is sent at once", async () => {
      const { channel, monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      const { takeBack } = await acknowledge(monitor, 100);
      await review(100);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
      await review(700);
      expect(await sent(700)).toEqual([]);
      await takeBack(800);
      await lookAgain(monitor, 800);
      expect(await sent(801)).toEqual(["up down"]);
    });

    test("behavior 14.26: taken back before its time, the notification waits for `after`", async () => {
      const { monitor } = await bound({ after: 600 });
      await falls(monitor, 60);
      const { takeBack } = await acknowledge(monitor, 100);
      await review(100);
      await takeBack(200);
      await review(200);
      expect(await sent(200)).toEqual([]);
      await lookAgain(monitor, 660);
      expect(await sent(661)).toEqual(["up down"]);
    });

    test("behavior 23.5: one withdraws what waits for the hours, and taken back, it waits again", async () => {
      const windows = [{ days: ["tue" as const], from: "12:30", to: "13:00" }];
      const { channel, monitor } = await bound({ hours: { timezone: "UTC", windows } });
      await falls(monitor, 60);
      const { takeBack } = await acknowledge(monitor, 100);
      await review(100);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
      await takeBack(200);
      await review(200);
      expect(await statuses(monitor)).toEqual(["pending"]);
      expect(await sent(200)).toEqual([]);
      await lookAgain(monitor, 1800);
      expect(await sent(1801)).toEqual(["up down"]);
    });

    test("behavior 14.25: there are no reminders until it is taken back", async () => {
      const { monitor } = await bound({ every: 300 });
      await falls(monitor, 60);
      expect(await sent(60)).toEqual(["up down"]);
      const { takeBack } = await acknowledge(monitor, 100);
      await review(360);
      await review(1000);
      expect(await sent(1000)).toEqual([]);
      await takeBack(1000);
      await review(1299);
      expect(await sent(1299)).toEqual([]);
      await lookAgain(monitor, 1300);
      expect(await sent(1301)).toEqual(["up down again"]);
    });
  });

  describe("several locations and confirmations", () => {
    test("behavior 14.12: all locations of a monitor that others depend on check it", async () => {
      const channel = await world().channel();
      const [fra, ams] = [await world().location("fra"), await world().location("ams")];
      const parent = await world().placed([fra.id, ams.id]);
      const child = await create("child", { alertChannelIds: [channel], dependsOn: [parent] });
      await startBetweenSlots(child);
      const see = seenFrom(parent);
      await see(fra, true, 5);
      await see(ams, true, 5);
      await world().down(child, at(10));
      expect(await review(10)).toEqual({ releases: false, asksHere: false });
      for (const { pk } of [fra, ams])
        expect((await world().store.locations.findRechecks(pk)).rechecks).toEqual([
          { monitorId: parent, at: at(10) },
        ]);
      await see(fra, true, 11);
      await review(12);
      expect(await sent(12)).toEqual([]);
      await see(ams, true, 12);
      await review(13);
      expect(await sent(13)).toEqual(["up down"]);
    });

    test("behavior 14.12: a suspicion that it is down is awaited", async () => {
      const channel = await world().channel();
      const parent = await create("parent", { confirmations: 1 });
      const child = await create("child", { alertChannelIds: [channel], dependsOn: [parent] });
      await startBetweenSlots(parent, child);
      await falls(child, 10);
      await world().down(parent, at(11));
      await review(12);
      expect(await sent(12)).toEqual([]);
      await world().down(parent, at(31));
      await review(32);
      expect(await listed(channel)).toEqual(["muted down"]);
    });

    test("behavior 14.13: a recovery that is not confirmed yet is awaited", async () => {
      const { channel, parent, child } = await parentAndChild({ recoveries: 1 });
      await world().down(parent, at(11));
      await falls(child, 11);
      await recovers(parent, 60);
      await recovers(child, 61);
      expect(await sent(61)).toEqual([]);
      await recovers(child, 81);
      expect(await sent(200)).toEqual([]);
      expect(await listed(channel)).toEqual(["withdrawn down"]);
    });
  });

  test("behavior 14.22: after the clock was set back, what is not decided is looked at now", async () => {
    const { parent, child } = await parentAndChild();
    await world().down(parent, at(1011));
    await falls(child, 1011);
    await world().up(parent, { at: at(10) });
    await world().store.alertReviews.recall(at(11));
    await review(11);
    await falls(child, 12);
    expect(await sent(12 + 5 * MINUTE)).toEqual(["up down"]);
  });

  test("behavior 14.22: a result that is recorded after the clock was set back is decided at once", async () => {
    const { monitor } = await bound({ every: 300 });
    await world().down(monitor, at(1000));
    await review(10);
    expect(await sent(10)).toEqual(["up down"]);
  });

  test("behavior 14.22: after the clock was set back, a reminder is due after its `every` at the latest", async () => {
    const { monitor } = await bound({ every: 300 });
    await falls(monitor, 5000);
    await sent(5000);
    await world().store.alertReviews.recall(at(10));
    await review(309);
    expect(await sent(309)).toEqual([]);
    await lookAgain(monitor, 310);
    expect(await sent(311)).toEqual(["up down again"]);
  });
});

/** A check that sees a certificate. @param days from a moment to its end; negative if it has ended */
function endsIn(days: number, from: number) {
  const iso = (day: number) => new Date(from + day * 24 * 60 * MINUTE).toISOString();
  const certificate = {
    authorized: true,
    authorizationError: null,
    subject: "a",
    issuer: "b",
    names: ["a"],
    validFrom: iso(-100),
    validTo: iso(days),
    fingerprint: `${days}`,
    protocol: "TLSv1.3",
  };
  return { outcome: "certified", latencyMs: 5, certificate, detail: {} } as const;
}
