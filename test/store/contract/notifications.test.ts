import { describe, expect, test } from "bun:test";
import { incidentKey } from "../../../src/domain/alerts/alert-event.ts";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import type { PendingDelivery } from "../../../src/store/store.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { channelsOf, DAY, MINUTE, NOW } from "./world.ts";

const LATER = NOW + DAY;
const delivered: DeliveryAttempt = { outcome: "delivered" };
const failed: DeliveryAttempt = {
  outcome: "failed",
  error: "the receiver answered 500",
  final: false,
  answer: "500",
};

contractSuite("notifications", (world, _, slow) => {
  describe("a transition", () => {
    test("has the start of the previous status and of the trouble, and the last good latency", async () => {
      const site = await world().site(await world().channel());
      await world().up(site, { latencyMs: 10, at: NOW });
      await world().up(site, { latencyMs: 20, at: NOW + MINUTE });
      await world().down(site, NOW + 2 * MINUTE);
      const [down] = await world().due();
      expect(down?.event).toMatchObject({
        since: NOW,
        troubleSince: NOW + 2 * MINUTE,
        lastGoodLatencyMs: 20,
      });
      await world().attemptAll(delivered);
      await world().down(site, NOW + 3 * MINUTE);
      await world().up(site, { latencyMs: 30, at: NOW + 4 * MINUTE });
      const [up] = await world().due();
      expect(up?.event).toMatchObject({
        since: NOW + 2 * MINUTE,
        troubleSince: NOW + 2 * MINUTE,
        lastGoodLatencyMs: 20,
        result: { latencyMs: 30 },
      });
    });

    test("has its result as it is stored", async () => {
      const site = await world().site(await world().channel());
      await world().down(site);
      await world().attemptAll(delivered);
      const phases = { resolve: 0.1449, connect: 0.0149, firstByte: 300.8549 };
      const detail = { statusCode: 200, phases };
      await world().up(site, { latencyMs: 301.0233, at: NOW + MINUTE, detail });
      const [up] = await world().due();
      const [result] = await world().results(site);
      expect(result?.latencyMs).toBe(301.02);
      const { id, latencyMs, detail: stored, createdAt } = result ?? {};
      expect<unknown>(up && transitionOf(up).result).toEqual({ id, latencyMs, detail: stored, createdAt });
    });

    test("of a monitor without earlier results has nothing of the past", async () => {
      await world().down(await world().site(await world().channel()));
      const [first] = await world().due();
      expect(first?.event).not.toHaveProperty("since");
      expect(first?.event).not.toHaveProperty("lastGoodLatencyMs");
      expect(first && transitionOf(first).troubleSince).toBe(NOW);
    });
  });

  describe("a channel with a shorter notifyOn", () => {
    test("is notified only of what it lists", async () => {
      const job = await world().job(await world().channel({ notifyOn: ["down"] }));
      await world().checkin(job, "fail");
      await world().checkin(job, "ok");
      expect(await world().outcomes(job)).toEqual([]);
      expect((await world().due()).map((one) => transitionOf(one).status)).toEqual(["failed"]);
    });

    test("is notified neither of a trouble that it does not list nor of its end", async () => {
      const job = await world().job(await world().channel({ notifyOn: ["warning", "healthy"] }));
      await world().checkin(job, "fail");
      await world().checkin(job, "ok");
      expect(await world().due()).toEqual([]);
    });

    test.each([
      ["is notified of the end of a trouble whose notification arrived", delivered, ["ok"]],
      ["is not notified of the end of a trouble whose notification failed", { ...failed, final: true }, []],
    ])("%s, also if its list has changed since", async (_, attempt, statuses) => {
      const { store, organizationId } = world();
      const channel = await world().channel();
      const job = await world().job(channel);
      await world().checkin(job, "fail");
      await world().attemptAll(attempt as DeliveryAttempt);
      const notifyOn = ["warning" as const, "healthy" as const];
      await store.channels.update(organizationId, channel, { notifyOn }, NOW);
      await world().checkin(job, "ok");
      expect<string[]>((await world().due()).map((one) => transitionOf(one).status)).toEqual(statuses);
    });
  });

  test("behavior 5.10: a changed notifyOn applies to later transitions, not to pending deliveries", async () => {
    const { store, organizationId } = world();
    const channel = await world().channel();
    const job = await world().job(channel);
    const pending = async (): Promise<string[]> =>
      (await world().due()).map((one) => transitionOf(one).status);
    await world().checkin(job, "fail");
    await store.channels.update(organizationId, channel, { notifyOn: ["warning"] }, NOW);
    expect(await pending()).toEqual(["failed"]);
    await world().attemptAll(delivered);
    await world().checkin(job, "ok");
    await world().checkin(job, "fail");
    expect(await pending()).toEqual([]);
    await store.channels.update(organizationId, channel, { notifyOn: ["down"] }, NOW);
    await world().checkin(job, "ok");
    await world().checkin(job, "fail");
    expect(await pending()).toEqual(["failed"]);
  });

  describe("a pending delivery", () => {
    test("behavior 5.20: fails if the channel is disabled, and stays failed if it is enabled again", async () => {
      const { store, organizationId } = world();
      const channel = await world().channel();
      const job = await world().job(channel);
      await world().checkin(job, "fail");
      await store.channels.update(organizationId, channel, { enabled: false }, NOW);
      await world().checkin(await world().job(channel), "fail");
      await store.channels.update(organizationId, channel, { enabled: true }, NOW);
      expect(await world().due()).toEqual([]);
      expect(await world().outcomes(job)).toMatchObject([
        { status: "failed", error: "the channel was disabled" },
      ]);
    });

    test("behavior 5.20: fails if the channel is deleted, and stays on the result", async () => {
      const channel = await world().channel();
      const job = await world().job(channel);
      await world().checkin(job, "fail");
      await world().store.channels.delete(world().organizationId, channel);
      expect(await world().due()).toEqual([]);
      expect(await world().outcomes(job)).toMatchObject([
        { channelId: channel, status: "failed", error: "the channel was deleted" },
      ]);
      expect(channelsOf(await world().find(job))).toEqual([]);
    });

    test("behavior 5.20: fails if its channel is unbound, without effect on other monitors and channels", async () => {
      const [one, other] = [await world().channel(), await world().channel()];
      const [job, second] = [await world().job(one, other), await world().job(one)];
      await world().checkin(job, "fail");
      await world().checkin(second, "fail");
      await world().store.monitors.update(world().owner, job, { alertChannelIds: [other] }, NOW);
      expect((await world().due()).map((one) => [one.channel.id, transitionOf(one).monitor.id])).toEqual([
        [other, job],
        [one, second],
      ]);
      expect(await world().outcomes(job)).toMatchObject([
        { status: "failed", error: "the channel was unbound from the monitor" },
        { status: "pending" },
      ]);
    });

    test("behavior 5.22: is still sent if the monitor is paused, but not if it is deleted", async () => {
      const { store, owner, organizationId } = world();
      const channel = await world().channel();
      const [paused, deleted] = [await world().job(channel), await world().job(channel)];
      await world().checkin(deleted, "fail");
      await world().checkin(paused, "fail");
      await store.monitors.update(owner, paused, { enabled: false }, NOW);
      await store.monitors.delete(organizationId, deleted);
      expect((await world().due()).map((one) => transitionOf(one).monitor.id)).toEqual([paused]);
    });

    test("behavior 5.21: is retried at once after a new config", async () => {
      const channel = await world().channel();
      await world().checkin(await world().job(channel), "fail");
      await world().attemptAll(failed);
      expect(await world().due(NOW)).toEqual([]);
      const config = { url: "http://127.0.0.1:2/" };
      await world().store.channels.update(world().organizationId, channel, { config }, NOW);
      expect(await world().due(NOW)).toMatchObject([{ attempts: 1, channel: { config } }]);
    });
  });

  describe("behavior 5.41: a recovery of which all attempts failed", () => {
    const webhook = { type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } } as const;

    /** A channel that knows the trouble of a job, and did not get the recovery. @returns when the last attempt was made */
    async function unheard() {
      const channel = await world().channel(webhook);
      const job = await world().job(channel);
      await world().checkin(job, "fail", NOW);
      await world().attemptAll(delivered);
      await world().checkin(job, "ok", NOW + MINUTE);
      const lastAt = await fail(NOW + MINUTE);
      return { channel, job, lastAt };
    }

    /** Lets all attempts at what is due fail. @returns when the last one was made */
    async function fail(from: number): Promise<number> {
      let now = from;
      for (let attempts = 0; attempts < 6; attempts++) {
        const [due] = await world().due(now);
        if (due) await world().attempt(due, failed, now);
        if (attempts < 5) now += 31 * MINUTE;
      }
      return now;
    }

    const dueAt = async (now: number) => {
      await world().store.alertReviews.review(now, 100);
      return (await world().due(now)).map((one) => transitionOf(one).status);
    };

    slow("is sent again each hour, for a day", async () => {
      let { lastAt } = await unheard();
      let sent = 0;
      for (; (await dueAt(lastAt + 61 * MINUTE)).length > 0; sent++) {
        expect(await dueAt(lastAt + 61 * MINUTE)).toEqual(["ok"]);
        lastAt = await fail(lastAt + 61 * MINUTE);
        expect(await dueAt(lastAt + 59 * MINUTE)).toEqual([]);
      }
      expect(lastAt - NOW).toBeGreaterThan(DAY - 4 * 60 * MINUTE);
      expect(lastAt - NOW).toBeLessThan(DAY + 5 * 60 * MINUTE);
      expect(sent).toBeGreaterThan(4);
    });

    test("is sent again when the receiver takes anything, and not once more when it has taken it", async () => {
      const { channel, lastAt } = await unheard();
      const other = await world().job(channel);
      await world().checkin(other, "fail", lastAt + MINUTE);
      const [due] = await world().due(lastAt + MINUTE);
      if (due) await world().attempt(due, delivered, lastAt + MINUTE);
      expect(await dueAt(lastAt + 2 * MINUTE)).toEqual(["ok"]);
      const [again] = await world().due(lastAt + 2 * MINUTE);
      expect(again && transitionOf(again).reminder).toBeUndefined();
      if (again) await world().attempt(again, delivered, lastAt + 2 * MINUTE);
      expect(await dueAt(lastAt + 3 * 60 * MINUTE)).toEqual([]);
    });

    test.each([0, 300])(
      "is not sent again sooner because a server starts, with a reminder each %i s",
      async (every) => {
        const { store, owner } = world();
        const { channel, job, lastAt } = await unheard();
        const alertBindings = [{ alertChannelId: channel, every }];
        await store.monitors.update(owner, job, { alertBindings }, lastAt);
        await store.alertReviews.recall(lastAt + MINUTE);
        expect(await dueAt(lastAt + 59 * MINUTE)).toEqual([]);
        // The clock was set back.
        await store.alertReviews.recall(lastAt - DAY);
        expect(await dueAt(lastAt - DAY + 59 * MINUTE)).toEqual([]);
        expect(await dueAt(lastAt - DAY + 61 * MINUTE)).toEqual(["ok"]);
      },
    );

    test("is not sent again after newer trouble, nor if the receiver refused it for good", async () => {
      const { job, lastAt } = await unheard();
      await world().checkin(job, "fail", lastAt + MINUTE);
      const [due] = await world().due(lastAt + MINUTE);
      if (due) await world().attempt(due, delivered, lastAt + MINUTE);
      expect(await dueAt(lastAt + 2 * 60 * MINUTE)).toEqual([]);
      await world().checkin(job, "ok", lastAt + 3 * 60 * MINUTE);
      const [end] = await world().due(lastAt + 3 * 60 * MINUTE);
      const refused = { outcome: "failed", error: "no", final: true } as const;
      if (end) await world().attempt(end, refused, lastAt + 3 * 60 * MINUTE);
      expect(await dueAt(lastAt + 5 * 60 * MINUTE)).toEqual([]);
    });
  });

  describe("behavior 16.150: the incident that a receiver has open", () => {
    const checkinAt = (job: string, status: string, minutes: number) =>
      world().checkin(job, status, NOW + minutes * MINUTE);

    /** The keys of the incidents of which the notifications that are due would be a part; then they are delivered. */
    async function deliverKeys(): Promise<string[]> {
      const keys: string[] = [];
      for (let due = await world().due(); due.length > 0; due = await world().due()) {
        for (const one of due) keys.push(incidentKey(transitionOf(one), one.incident));
        await world().attemptAll(delivered);
      }
      return keys;
    }

    test("has one key from the trouble to the recovery after a pause, which ended the outage", async () => {
      const job = await world().job(await world().channel());
      await checkinAt(job, "fail", 0);
      const [key] = await deliverKeys();
      const { store, owner } = world();
      await store.monitors.update(owner, job, { enabled: false }, NOW + MINUTE);
      await store.monitors.update(owner, job, { enabled: true }, NOW + 2 * MINUTE);
      await checkinAt(job, "ok", 3);
      expect(await deliverKeys()).toEqual([key ?? ""]);
      await checkinAt(job, "fail", 4);
      const [next] = await deliverKeys();
      expect(next).not.toBe(key);
      await checkinAt(job, "ok", 5);
      expect(await deliverKeys()).toEqual([next ?? ""]);
    });

    const pagerduty = {
      type: "WEBHOOK",
      config: { url: "http://127.0.0.1:1/", format: "pagerduty", options: { routingKey: "k" } },
    } as const;

    test("ends at once if its monitor is deleted or unbound, and never for a channel without incidents", async () => {
      const { store, owner, organizationId } = world();
      const [channel, other] = [await world().channel(pagerduty), await world().channel()];
      const [deleted, unbound] = [await world().job(channel, other), await world().job(channel, other)];
      await checkinAt(deleted, "fail", 0);
      await checkinAt(unbound, "fail", 0);
      const keys = new Set(await deliverKeys());
      expect(keys.size).toBe(2);
      const actor = { type: "key", id: "k", name: "Ada" } as const;
      const byAda = store.as({ actor, address: null, at: NOW + MINUTE });
      await byAda.monitors.delete(organizationId, deleted);
      await byAda.monitors.update(owner, unbound, { alertChannelIds: [other] }, NOW + MINUTE);
      const ends: [string, string, unknown][] = [];
      for (let due = await world().due(); due.length > 0; due = await world().due()) {
        for (const one of due) {
          const { monitor, closed } = transitionOf(one);
          expect([one.channel.id, keys.has(incidentKey(transitionOf(one), one.incident))]).toEqual([
            channel,
            true,
          ]);
          ends.push([monitor.id, one.id, closed]);
        }
        await world().attemptAll(delivered);
      }
      expect(ends).toEqual([
        [deleted, expect.any(String), { why: "deleted", at: NOW + MINUTE }],
        [unbound, expect.any(String), { why: "unbound", at: NOW + MINUTE }],
      ]);
    });

    const leavings = ["disabled", "removed", "moved"] as const;
    test.each(leavings)(
      "behavior 5.42: ends at the address that a channel had before it was %s, and is tried there for a day",
      async (why) => {
        const { store, owner, organizationId } = world();
        const channel = await world().channel(pagerduty);
        const [told, other] = [await world().job(channel), await world().job(channel)];
        await checkinAt(told, "fail", 0);
        const [key] = await deliverKeys();
        // This one may be under way.
        await checkinAt(other, "fail", 1);
        const actor = { type: "key", id: "k", name: "Ada" } as const;
        const at = NOW + 2 * MINUTE;
        const { channels } = store.as({ actor, address: null, at });
        const config = { ...pagerduty.config, options: { routingKey: "other" } };
        if (why === "disabled") await channels.update(organizationId, channel, { enabled: false }, at);
        if (why === "moved") await channels.update(organizationId, channel, { config }, at);
        if (why === "removed") await channels.delete(organizationId, channel);
        expect((await channels.list(organizationId)).length).toBe(why === "removed" ? 0 : 1);
        const ends = async (now: number) => {
          const due = await world().due(now);
          return due.filter((one) => transitionOf(one).closed);
        };
        const [end] = await ends(at);
        expect(end?.channel.config).toEqual(pagerduty.config);
        expect(end && transitionOf(end)).toMatchObject({ closed: { why, at }, outage: { id: key } });
        let now = at;
        for (let attempts = 0; attempts < 6 && end; attempts++) {
          const [again] = await ends(now);
          if (again) await world().attempt(again, failed, now);
          now += 40 * MINUTE;
        }
        expect(await ends(now)).toEqual([]);
        const [later] = await ends(now + 60 * MINUTE);
        if (later) await world().attempt(later, delivered, now + 60 * MINUTE);
        const [next] = await ends(now + 60 * MINUTE);
        expect(next && transitionOf(next).monitor.id).toBe(other);
        if (next) await world().attempt(next, delivered, now + 60 * MINUTE);
        await store.housekeeping.sweepDeletedChannels();
        expect(await ends(now + DAY)).toEqual([]);
        expect(owner.organizationId).toBe(organizationId);
      },
    );

    test.each(["its name", "its headers"])(
      "a channel that gets another value of %s keeps it open",
      async (what) => {
        const { store, organizationId } = world();
        const channel = await world().channel(pagerduty);
        await checkinAt(await world().job(channel), "fail", 0);
        await deliverKeys();
        const config = { ...pagerduty.config, headers: { "X-Team": "a" } };
        const changes = what === "its name" ? { name: "other" } : { config };
        await store.channels.update(organizationId, channel, changes, NOW + MINUTE);
        expect(await world().due(NOW + DAY)).toEqual([]);
      },
    );

    test.each(["deleted", "unbound"])(
      "ends if its monitor is %s while it is opened, however the attempt ends",
      async (why) => {
        const { store, owner, organizationId } = world();
        // One attempt succeeds, one fails, and the outcome of one is lost in a crash.
        const channels = [await world().channel(pagerduty), await world().channel(pagerduty)];
        const job = await world().job(...channels, await world().channel(pagerduty));
        await checkinAt(job, "fail", 0);
        const keyOf = (one: PendingDelivery) => [
          one.channel.id,
          incidentKey(transitionOf(one), one.incident),
        ];
        const underWay = await world().due();
        if (why === "deleted") await store.monitors.delete(organizationId, job);
        else await store.monitors.update(owner, job, { alertChannelIds: [] }, NOW);
        for (const [at, attempt] of [delivered, failed].entries()) {
          const one = underWay[at];
          if (one) await world().attempt(one, attempt);
        }
        const ends = await world().due();
        expect(ends.map(keyOf)).toEqual(underWay.map(keyOf));
        expect(ends.map((one) => transitionOf(one).closed?.why)).toEqual([why, why, why]);
        await world().attemptAll(delivered);
        expect(await world().due()).toEqual([]);
      },
    );

    test("is the same for trouble that goes on after a pause", async () => {
      const job = await world().job(await world().channel());
      await checkinAt(job, "fail", 0);
      const [key] = await deliverKeys();
      const { store, owner } = world();
      await store.monitors.update(owner, job, { enabled: false }, NOW + MINUTE);
      await store.monitors.update(owner, job, { enabled: true }, NOW + 2 * MINUTE);
      await checkinAt(job, "fail", 3);
      await checkinAt(job, "ok", 4);
      expect(await deliverKeys()).toEqual([key ?? ""]);
    });
  });

  test("a failure with the previous config of the channel does not count", async () => {
    const channel = await world().channel();
    await world().checkin(await world().job(channel), "fail");
    const [underWay] = await world().due();
    if (!underWay) throw new Error("nothing is due");
    const config = { url: "http://127.0.0.1:2/" };
    await world().store.channels.update(world().organizationId, channel, { config }, NOW);
    expect(await world().attempt(underWay, { ...failed, final: true })).toBeTrue();
    expect(await world().due(NOW)).toMatchObject([{ attempts: 0, channel: { config } }]);
  });

  test("behavior 5.20: a final rejection does not replace the error of a channel that was deleted during the attempt", async () => {
    const channel = await world().channel();
    const job = await world().job(channel);
    await world().checkin(job, "fail");
    const [underWay] = await world().due();
    await world().store.channels.delete(world().organizationId, channel);
    if (underWay) await world().attempt(underWay, { ...failed, final: true });
    const outcome = [{ status: "failed", attempts: 1, error: "the channel was deleted" }];
    expect(await world().outcomes(job)).toMatchObject(outcome);
    while (await world().store.housekeeping.sweepDeletedChannels());
    expect(await world().outcomes(job)).toMatchObject(outcome);
  });

  test.each<[DeliveryAttempt, object]>([
    [delivered, { status: "delivered", attempts: 1, error: null }],
    [failed, { status: "failed", attempts: 1, error: "the channel was disabled" }],
  ])("an attempt in progress while its delivery is cancelled ends as %j", async (attempt, outcome) => {
    const channel = await world().channel();
    const job = await world().job(channel);
    await world().checkin(job, "fail");
    const [underWay] = await world().due();
    await world().store.channels.update(world().organizationId, channel, { enabled: false }, NOW);
    if (underWay) await world().attempt(underWay, attempt);
    expect(await world().due(LATER)).toEqual([]);
    expect(await world().outcomes(job)).toMatchObject([outcome]);
  });
});
