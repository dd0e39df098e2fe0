import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import type { PendingDelivery } from "../../../src/store/sqlite/deliveries/due-deliveries.ts";
import { Ledger } from "../../support/ledger.ts";

const MINUTE = 60_000;
const NOW = Date.now();
const failed: DeliveryAttempt = {
  outcome: "failed",
  error: "the receiver answered 500",
  final: false,
  answer: "500",
};

let ledger: Ledger;

beforeEach(async () => {
  ledger = await Ledger.create();
});

afterEach(() => ledger[Symbol.dispose]());

async function due(now = Date.now() + 10 * MINUTE, limit = 1000): Promise<PendingDelivery[]> {
  return ledger.pending(now, limit);
}

async function recordAttempt(
  delivery: PendingDelivery,
  { attempt, startedAt }: { attempt: DeliveryAttempt; startedAt: number },
  endedAt: number,
): Promise<void> {
  await ledger.store.deliveries.recordAttempts([{ delivery, attempt, startedAt, endedAt }]);
}

/** Attempts every delivery that is due. */
async function attemptAll(attempt: DeliveryAttempt): Promise<void> {
  const now = Date.now();
  for (const delivery of await due()) await recordAttempt(delivery, { attempt, startedAt: now }, now);
}

describe("a transition", () => {
  test("has the time of the previous status, the start of the trouble and the latency of the last healthy check", async () => {
    const site = await ledger.site(await ledger.channel());
    await site.up(10, NOW);
    await site.up(20, NOW + MINUTE);
    await site.down(NOW + 2 * MINUTE);
    const [down] = await due();
    expect(down?.transition).toMatchObject({
      since: NOW,
      troubleSince: NOW + 2 * MINUTE,
      lastGoodLatencyMs: 20,
    });
    await attemptAll({ outcome: "delivered" });
    await site.down(NOW + 3 * MINUTE);
    await site.up(30, NOW + 4 * MINUTE);
    const [up] = await due();
    expect(up?.transition).toMatchObject({
      since: NOW + 2 * MINUTE,
      troubleSince: NOW + 2 * MINUTE,
      lastGoodLatencyMs: 20,
      result: { latencyMs: 30 },
    });
  });

  test("has its result as it is stored", async () => {
    const site = await ledger.site(await ledger.channel());
    await site.down(NOW);
    await attemptAll({ outcome: "delivered" });
    const phases = { resolve: 0.1449, connect: 0.0149, firstByte: 300.8549 };
    await site.up(301.0233, NOW + MINUTE, { statusCode: 200, phases });
    const [up] = await due();
    const { items } = await ledger.store.results.list(ledger.organization.id, {
      monitorId: site.id,
      limit: 1,
    });
    const [{ id, latencyMs, detail, createdAt } = {}] = items;
    expect(latencyMs).toBe(301.02);
    expect<unknown>(up?.transition.result).toEqual({ id, latencyMs, detail, createdAt });
  });

  test("of a new monitor has no previous status time and no latency", async () => {
    const site = await ledger.site(await ledger.channel());
    await site.down(NOW);
    const [first] = await due();
    expect(first?.transition).not.toHaveProperty("since");
    expect(first?.transition).not.toHaveProperty("lastGoodLatencyMs");
    expect(first?.transition.troubleSince).toBe(NOW);
  });
});

describe("a channel with a shorter notifyOn", () => {
  test("receives only the groups that it lists", async () => {
    const job = await ledger.job(await ledger.channel({ notifyOn: ["down"] }));
    await ledger.checkin(job, "fail");
    await ledger.checkin(job, "ok");
    expect(await ledger.outcomes(job)).toEqual([]);
    expect((await due()).map(({ transition }) => transition.status)).toEqual(["failed"]);
  });

  test("receives neither a trouble that it does not list nor its recovery", async () => {
    const job = await ledger.job(await ledger.channel({ notifyOn: ["warning", "healthy"] }));
    await ledger.checkin(job, "fail");
    await ledger.checkin(job, "ok");
    expect(await due()).toEqual([]);
  });

  test("receives the recovery from a trouble that it was notified of, also after its list changed", async () => {
    const channel = await ledger.channel();
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail");
    await attemptAll({ outcome: "delivered" });
    const notifyOn = ["warning" as const, "healthy" as const];
    await ledger.store.channels.update(ledger.organization.id, channel, { notifyOn }, NOW);
    await ledger.checkin(job, "ok");
    expect((await due()).map(({ transition }) => transition.status)).toEqual(["ok"]);
  });

  test("does not receive the recovery if the notification of the trouble failed", async () => {
    const channel = await ledger.channel();
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail");
    await attemptAll({ ...failed, final: true });
    const notifyOn = ["warning" as const, "healthy" as const];
    await ledger.store.channels.update(ledger.organization.id, channel, { notifyOn }, NOW);
    await ledger.checkin(job, "ok");
    expect(await due()).toEqual([]);
  });
});

describe("a pending delivery", () => {
  test("fails if the channel is disabled, and stays failed after the channel is enabled again", async () => {
    const channel = await ledger.channel();
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail");
    await ledger.store.channels.update(ledger.organization.id, channel, { enabled: false }, NOW);
    await ledger.checkin(await ledger.job(channel), "fail");
    await ledger.store.channels.update(ledger.organization.id, channel, { enabled: true }, NOW);
    expect(await due()).toEqual([]);
    expect(await ledger.outcomes(job)).toMatchObject([
      { status: "failed", error: "the channel was disabled" },
    ]);
  });

  test("fails if the channel is deleted, and stays on the result", async () => {
    const channel = await ledger.channel();
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail");
    await ledger.store.channels.delete(ledger.organization.id, channel);
    expect(await due()).toEqual([]);
    expect(await ledger.outcomes(job)).toMatchObject([
      { channelId: channel, status: "failed", error: "the channel was deleted" },
    ]);
    expect((await ledger.find(job)).alertChannelIds).toEqual([]);
  });

  test("fails if the channel is unbound from the monitor, but those of other monitors and channels stay pending", async () => {
    const [one, other] = [await ledger.channel(), await ledger.channel()];
    const [job, second] = [await ledger.job(one, other), await ledger.job(one)];
    await ledger.checkin(job, "fail");
    await ledger.checkin(second, "fail");
    await ledger.store.monitors.update(ledger.owner, job, { alertChannelIds: [other] }, NOW);
    expect((await due()).map(({ channel, transition }) => [channel.id, transition.monitor.id])).toEqual([
      [other, job],
      [one, second],
    ]);
    expect(await ledger.outcomes(job)).toMatchObject([
      { status: "failed", error: "the channel was unbound from the monitor" },
      { status: "pending" },
    ]);
  });

  test("is sent if the monitor is paused, but not if the monitor is deleted", async () => {
    const channel = await ledger.channel();
    const [paused, deleted] = [await ledger.job(channel), await ledger.job(channel)];
    await ledger.checkin(deleted, "fail");
    await ledger.checkin(paused, "fail");
    await ledger.store.monitors.update(ledger.owner, paused, { enabled: false }, NOW);
    await ledger.store.monitors.delete(ledger.organization.id, deleted);
    expect((await due()).map(({ transition }) => transition.monitor.id)).toEqual([paused]);
  });

  test("is due immediately after a new config", async () => {
    const channel = await ledger.channel();
    await ledger.checkin(await ledger.job(channel), "fail");
    await attemptAll(failed);
    expect(await due(Date.now())).toEqual([]);
    const config = { url: "http://127.0.0.1:2/" };
    await ledger.store.channels.update(ledger.organization.id, channel, { config }, Date.now());
    expect(await due(Date.now())).toMatchObject([{ attempts: 1, channel: { config } }]);
  });
});

describe("an attempt in progress while its delivery is cancelled", () => {
  const attempts: [DeliveryAttempt, object][] = [
    [{ outcome: "delivered" }, { status: "delivered", attempts: 1, error: null }],
    [failed, { status: "failed", attempts: 1, error: "the channel was disabled" }],
  ];

  test.each(attempts)("that ends as %j", async (attempt, outcome) => {
    const channel = await ledger.channel();
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail");
    const [inProgress] = await due();
    await ledger.store.channels.update(ledger.organization.id, channel, { enabled: false }, NOW);
    if (inProgress) await recordAttempt(inProgress, { attempt, startedAt: NOW }, NOW);
    expect(await due()).toEqual([]);
    expect(await ledger.outcomes(job)).toMatchObject([outcome]);
  });
});

test("after a clock that was ahead is corrected, deliveries are due without a delay", async () => {
  const ahead = NOW + 120 * MINUTE;
  const channel = await ledger.channel();
  const job = await ledger.job(channel);
  await ledger.checkin(job, "fail", ahead);
  await ledger.checkin(job, "ok", ahead + 1);
  const [first] = await due(NOW);
  if (!first) throw new Error("nothing is due");
  await recordAttempt(first, { attempt: failed, startedAt: ahead }, ahead + 1);
  expect(await due(NOW)).toMatchObject([{ id: first.id, attempts: 1 }]);
  await recordAttempt({ ...first, attempts: 1 }, { attempt: failed, startedAt: NOW }, NOW);
  expect(await due(NOW + 1)).toEqual([]);
  expect(await due(NOW + MINUTE)).toMatchObject([{ id: first.id, attempts: 2 }]);
  await attemptAll({ outcome: "delivered" });
  expect((await due(NOW)).map(({ transition }) => transition.status)).toEqual(["ok"]);
});

test("deliveries that were never tried come before those that failed", async () => {
  const [dead, fresh] = [await ledger.channel(), await ledger.channel()];
  await ledger.checkin(await ledger.job(dead), "fail");
  await attemptAll(failed);
  await ledger.checkin(await ledger.job(fresh), "fail");
  const all = await due();
  expect(all.map(({ channel }) => channel.id)).toEqual([fresh, dead]);
  expect(await due(Date.now() + MINUTE, 1)).toHaveLength(1);
});
