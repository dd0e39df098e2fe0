import { afterEach, beforeEach, expect, test } from "bun:test";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import { Ledger } from "../../support/ledger.ts";

const NOW = Date.now();

let ledger: Ledger;

beforeEach(async () => {
  ledger = await Ledger.create();
});

afterEach(() => ledger[Symbol.dispose]());

function list(channelId: string, limit = 50, cursor?: string) {
  return ledger.store.deliveries.list(ledger.organization.id, channelId, { limit, cursor });
}

async function attempt(result: DeliveryAttempt, startedAt: number): Promise<void> {
  const [due] = await ledger.store.deliveries.listDue(NOW + 1e9, 1);
  const delivery = due && (await ledger.store.deliveries.findPending(due.pk));
  if (delivery)
    await ledger.store.deliveries.recordAttempts([
      { delivery, attempt: result, startedAt, endedAt: startedAt + 10 },
    ]);
}

test("a delivery is one record from the first attempt to the last", async () => {
  const channel = await ledger.channel();
  const job = await ledger.job(channel);
  await ledger.checkin(job, "fail", NOW);
  const about = { monitor: { id: job, name: "job 1", type: "SCHEDULED" as const } };
  const [pending] = (await list(channel)).items;
  expect(pending).toEqual({
    ...about,
    id: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
    resultId: expect.any(String),
    previousStatus: "unknown",
    newStatus: "failed",
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

  const failed = {
    outcome: "failed",
    error: "the receiver answered 503",
    final: false,
    answer: "503",
  } as const;
  await attempt(failed, NOW + 1);
  await attempt(failed, NOW + 6000);
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

  await attempt({ outcome: "delivered", answer: "200" }, NOW + 40_000);
  expect((await list(channel)).items).toMatchObject([
    {
      ...{ status: "delivered", attempts: 3, firstAttemptAt: NOW + 1, lastAttemptAt: NOW + 40_000 },
      ...{ nextAttemptAt: null, deliveredAt: NOW + 40_010, answer: "200", error: null },
    },
  ]);
});

test("pages contain every delivery of the channel once, most recent first", async () => {
  const [channel, other] = [await ledger.channel(), await ledger.channel()];
  const job = await ledger.job(other, channel);
  for (let at = 0; at < 7; at++) await ledger.checkin(job, at % 2 === 0 ? "fail" : "ok");
  const all = (await list(channel)).items.map(({ id }) => id);
  expect(all).toHaveLength(7);
  expect(all).toEqual(all.toSorted().toReversed());

  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(channel, 3, cursor);
    paged.push(...page.items.map(({ id }) => id));
    cursor = page.cursor ?? undefined;
  } while (cursor);
  expect(paged).toEqual(all);
  expect((await list(channel, 7)).cursor).toBeNull();
});

test("a cursor that is not the ID of a delivery and a channel of another organization are rejected", async () => {
  const channel = await ledger.channel();
  expect(list(channel, 1, "")).rejects.toThrow("cursor must be one that an earlier page gave");
  expect(list(channel, 1, "x")).rejects.toThrow("cursor");
  expect(list("nobody's")).rejects.toThrow("Not found");
});
