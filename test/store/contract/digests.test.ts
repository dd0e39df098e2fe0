import { describe, expect, test } from "bun:test";
import type { DeliveryAttempt, StoredDeliveryStatus } from "../../../src/domain/alerts/delivery.ts";
import { deliveryStatusCodes } from "../../../src/store/status-codes.ts";
import type { PendingDelivery } from "../../../src/store/store.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, MINUTE, NOW } from "./world.ts";

const delivered: DeliveryAttempt = { outcome: "delivered", answer: "200" };
const failed: DeliveryAttempt = {
  outcome: "failed",
  error: "the receiver answered 503",
  final: false,
  answer: "503",
};

const slack = { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/x" } } as const;

const gotify = { url: "https://gotify.example.com/", format: "gotify", options: { token: "t" } } as const;

contractSuite("digests", (world) => {
  /** Jobs that failed, one after the other, and the channel of all of them. */
  async function storm(count: number, values: Parameters<ReturnType<typeof world>["channel"]>[0] = slack) {
    const channel = await world().channel(values);
    return { channel, jobs: await fail(count, channel) };
  }

  async function fail(count: number, channel: string): Promise<string[]> {
    const jobs: string[] = [];
    for (let at = 0; at < count; at++) {
      const job = await world().job(channel);
      await world().checkin(job, "fail", NOW);
      jobs.push(job);
    }
    return jobs;
  }

  async function only(now?: number): Promise<PendingDelivery> {
    const [delivery, ...more] = await world().due(now);
    if (!delivery || more.length > 0) throw new Error(`${more.length + 1} deliveries are due instead of one`);
    return delivery;
  }

  async function list(channel: string) {
    const page = { limit: 200, cursor: undefined };
    return (await world().store.deliveries.list(world().organizationId, channel, page)).items.toReversed();
  }

  describe("behavior 14.63: notifications that wait", () => {
    test.each(["SLACK", "DISCORD", "TEAMS", "EMAIL"] as const)(
      "for a %s channel are claimed together",
      async (type) => {
        const { jobs } = await storm(5, { ...slack, type });
        expect(monitorsOf(await only())).toEqual(jobs);
      },
    );

    test("behavior 16.148: for a webhook in a format that people read are claimed together", async () => {
      const { jobs } = await storm(5, { type: "WEBHOOK", config: gotify });
      expect(monitorsOf(await only())).toEqual(jobs);
    });

    test("are claimed one by one if there are three, and for a webhook", async () => {
      await storm(3);
      expect((await only()).others).toEqual([]);
      await world().attemptAll(delivered);
      await world().attemptAll(delivered);
      await world().attemptAll(delivered);
      await storm(5, { type: "WEBHOOK" });
      expect((await only()).others).toEqual([]);
    });

    test("are those of one channel each", async () => {
      const storms = [await storm(4), await storm(6), await storm(2)];
      const due = await world().due();
      expect(due.map(monitorsOf)).toEqual([
        ...storms.slice(0, 2).map(({ jobs }) => jobs),
        [storms[2]?.jobs[0] ?? ""],
      ]);
    });

    test("do not include one that is tried again, and are together after it", async () => {
      const { channel, jobs } = await storm(1);
      await world().attempt(await only(), failed);
      const later = await fail(4, channel);
      const retry = await only();
      expect(monitorsOf(retry)).toEqual(jobs);
      expect(retry.attempts).toBe(1);
      await world().attempt(retry, delivered);
      expect(monitorsOf(await only())).toEqual(later);
    });

    test("include notices, in the order of their commits", async () => {
      const { channel } = await storm(2);
      await world().setDefaults(channel);
      await world().notify();
      await fail(2, channel);
      const { others } = await only();
      expect(others.map(({ monitorPk }) => monitorPk === null)).toEqual([false, true, false, false]);
    });
  });

  test.each(["muted", "withdrawn", "held", "hidden"] as const)(
    "behavior 14.68: a notification that is %s does not wait, and is in no message",
    async (status: StoredDeliveryStatus) => {
      const { channel, jobs } = await storm(5);
      const { id } = (await list(channel))[1] ?? { id: "" };
      const { db } = world().opened;
      await db.run("UPDATE deliveries SET status = $1 WHERE id = $2", deliveryStatusCodes[status], id);
      const sent = await only();
      expect(monitorsOf(sent)).toEqual(jobs.filter((_, at) => at !== 1));
      await world().attempt(sent, delivered);
      expect((await list(channel)).filter(({ attempts }) => attempts > 0)).toHaveLength(4);
      expect(await world().due()).toEqual([]);
    },
  );

  describe("behavior 14.64: the outcome of a message", () => {
    test("is that of each of its notifications, attempt by attempt", async () => {
      const { channel, jobs } = await storm(4);
      expect(await world().attempt(await only(), failed, NOW + 1)).toBeTrue();
      expect(await list(channel)).toMatchObject(
        jobs.map(() => ({
          ...{ status: "pending", attempts: 1, firstAttemptAt: NOW + 1, lastAttemptAt: NOW + 1 },
          ...{
            nextAttemptAt: NOW + 5001,
            answer: "503",
            error: "the receiver answered 503",
            deliveredAt: null,
          },
        })),
      );
      expect(await world().attempt(await only(), delivered, NOW + MINUTE)).toBeFalse();
      expect(await list(channel)).toMatchObject(
        jobs.map(() => ({
          ...{ status: "delivered", attempts: 2, firstAttemptAt: NOW + 1, lastAttemptAt: NOW + MINUTE },
          ...{ nextAttemptAt: null, answer: "200", error: null, deliveredAt: NOW + MINUTE },
        })),
      );
      for (const job of jobs)
        expect(await world().outcomes(job)).toMatchObject([{ status: "delivered", attempts: 2 }]);
      expect(await world().store.deliveries.countPending(world().organizationId)).toBe(0);
    });

    test("that is final, or is that of the sixth attempt, ends all of them", async () => {
      const first = await storm(4);
      await world().attempt(await only(), { ...failed, final: true });
      expect((await list(first.channel)).map(({ status }) => status)).toEqual(Array(4).fill("failed"));
      const second = await storm(4);
      for (let attempt = 0; attempt < 6; attempt++) await world().attempt(await only(), failed);
      expect((await list(second.channel)).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
        Array(4).fill("failed 6"),
      );
    });

    test("is what the channel was last notified of, for each monitor", async () => {
      const { channel, jobs } = await storm(3, { ...slack, notifyOn: ["down", "healthy"] });
      const [first = "", second = ""] = jobs;
      await world().checkin(first, "ok", NOW + 1);
      await world().attempt(await only(), delivered);
      // Old results are deleted with their deliveries: only what the channel was last notified of is left.
      await world().opened.db.run("DELETE FROM deliveries");
      await world().checkin(second, "ok", NOW + HOUR);
      expect(transitionOf(await only())).toMatchObject({ monitor: { id: second }, status: "ok" });
      const rows = await world().opened.db.rows<{ status: number }>(
        "SELECT notified_status AS status FROM alert_bindings ORDER BY monitor_pk",
      );
      expect(rows.map(({ status }) => status === rows[0]?.status)).toEqual([true, false, false]);
      expect(channel).toBeString();
    });
  });

  describe("behavior 14.64: a retry", () => {
    test("has the same notifications after a restart, whatever came meanwhile", async () => {
      const { channel, jobs } = await storm(4);
      await world().attempt(await only(), failed);
      const later = await fail(5, channel);
      await world().opened.reopen();
      const retry = await only();
      expect(monitorsOf(retry)).toEqual(jobs);
      await world().attempt(retry, delivered);
      expect(monitorsOf(await only())).toEqual(later);
    });

    test("has the same notifications if the process ended during the attempt", async () => {
      const { channel, jobs } = await storm(4);
      const lost = await only();
      await fail(5, channel);
      await world().opened.reopen();
      const again = await only();
      expect(again).toMatchObject({ id: lost.id, attempts: 0 });
      expect(monitorsOf(again)).toEqual(jobs);
    });

    test("has the same notifications after a failure at the previous address, which does not count", async () => {
      const { channel, jobs } = await storm(4);
      const running = await only();
      const config = { webhookUrl: "https://hooks.slack.com/y" };
      await world().store.channels.update(world().organizationId, channel, { config }, NOW);
      await fail(1, channel);
      expect(await world().attempt(running, failed)).toBeTrue();
      const again = await only(NOW);
      expect(again.attempts).toBe(0);
      expect(monitorsOf(again)).toEqual(jobs);
    });

    test("behavior 16.157: is one by one after the channel got a format that programs read", async () => {
      const { channel, jobs } = await storm(4, { type: "WEBHOOK", config: gotify });
      await world().attempt(await only(), failed);
      const config = { url: "https://hooks.example.com/" };
      await world().store.channels.update(world().organizationId, channel, { config }, NOW);
      for (const job of jobs) {
        const next = await only();
        expect(monitorsOf(next)).toEqual([job]);
        await world().attempt(next, delivered);
      }
      expect(await world().due()).toEqual([]);
    });

    test("lacks what was cancelled meanwhile", async () => {
      const { jobs } = await storm(6);
      await world().attempt(await only(), failed);
      const { monitors } = world().store;
      const [unbound = "", deleted = "", ...kept] = jobs;
      await monitors.update(world().owner, unbound, { alertChannelIds: [] }, NOW);
      await monitors.delete(world().organizationId, deleted);
      const retry = await only();
      expect(monitorsOf(retry)).toEqual(kept);
      await world().attempt(retry, delivered);
      expect(await world().outcomes(unbound)).toMatchObject([
        { status: "failed", error: "the channel was unbound from the monitor" },
      ]);
      expect(await world().due()).toEqual([]);
    });

    test("is none after the channel was disabled, but a message that arrived counts", async () => {
      const { channel } = await storm(4);
      const running = await only();
      await world().store.channels.update(world().organizationId, channel, { enabled: false }, NOW);
      expect(await world().due()).toEqual([]);
      await world().attempt(running, delivered);
      expect((await list(channel)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    });
  });
});

/** The monitors of a message, in the order of its notifications. */
function monitorsOf({ event, others }: PendingDelivery): string[] {
  return [{ event }, ...others].map((part) => transitionOf(part).monitor.id);
}
