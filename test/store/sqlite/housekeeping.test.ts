import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PendingDelivery } from "../../../src/store/store.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { alone } from "../../support/store/alone.ts";
import { enginesByName } from "../../support/store/engines.ts";
import { Ledger } from "../../support/store/ledger.ts";
import { packAll, pruneAll } from "../../support/store/packed.ts";
import { createSqliteDatabase, type SqliteDatabase } from "../../support/store/sqlite/sqlite-database.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2027, 5, 1, 12);

let database: SqliteDatabase;

beforeEach(async () => {
  database = await createSqliteDatabase();
});

afterEach(() => database[Symbol.dispose]());

async function createChannel(): Promise<string> {
  const values = {
    name: "c",
    type: "WEBHOOK",
    config: { url: "http://127.0.0.1:1/" },
    enabled: true,
  } as const;
  return (await database.store.channels.create(database.owner, values, NOW)).id;
}

/** Records failures and recoveries of a job in turn. Each is a delivery. */
async function alternate(monitorId: string, turns: number): Promise<void> {
  await database.store.recording.record(
    Array.from({ length: turns }, (_, at) => ({
      kind: "checkin",
      monitorId,
      status: at % 2 === 0 ? "fail" : "ok",
      at: NOW + at,
    })),
  );
}

async function createJob(...alertChannelIds: string[]): Promise<string> {
  const job = { name: "job", type: "SCHEDULED", config: { interval: 300 } } as const;
  const values = { ...job, alertChannelIds };
  return (await database.store.monitors.create(database.owner, values, NOW)).id;
}

/** The deliveries that are due a day later. */
async function due(): Promise<PendingDelivery[]> {
  const { deliveries } = database.store;
  const listed = await deliveries.listDue(alone, { now: NOW + DAY, limit: 10 });
  const pks = listed.map(({ pk }) => pk);
  return deliveries.claim(pks, alone, NOW + DAY);
}

async function checkIn(monitorId: string, times: number[]): Promise<void> {
  await database.store.recording.record(
    times.map((at) => ({ kind: "checkin", monitorId, status: "ok", at })),
  );
}

/** How many results there are, packed or not. */
function countResults(): number {
  const packed = database.db.$client
    .query<{ n: number }, []>("SELECT coalesce(sum(count), 0) AS n FROM result_segments")
    .get();
  return count("check_results") + (packed?.n ?? 0);
}

function count(table: string): number {
  return database.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
}

async function untilDone(work: () => Promise<boolean>): Promise<number> {
  let pieces = 1;
  while (await work()) pieces++;
  return pieces;
}

describe("deletion of a monitor", () => {
  test("hides its results immediately, and deletes them in small pieces", async () => {
    const [deleted, kept] = [await createJob(), await createJob()];
    const times = Array.from({ length: 1000 }, (_, at) => NOW + at);
    await checkIn(deleted, times);
    await checkIn(kept, [NOW]);
    await database.store.monitors.delete(database.owner.organizationId, deleted);
    expect(count("check_results")).toBe(1001);
    const { items } = await database.store.results.listEvents(database.owner.organizationId, { limit: 200 });
    expect(items.map(({ monitorId }) => monitorId)).toEqual([kept]);

    expect(await untilDone(() => database.store.housekeeping.sweepDeletedMonitors())).toBeGreaterThan(4);
    expect(count("check_results")).toBe(1);
    expect(count("hourly_totals")).toBe(1);
    expect(count("daily_totals")).toBe(1);
    expect(count("deleted_monitors")).toBe(0);
  });

  test("hides its deliveries, sends none of them, and deletes them in small pieces", async () => {
    const channel = await createChannel();
    const [deleted, kept] = [await createJob(channel), await createJob(channel)];
    await alternate(deleted, 150);
    await alternate(kept, 1);
    await database.store.monitors.delete(database.owner.organizationId, deleted);
    expect(count("deliveries")).toBe(151);
    const page = { limit: 200, cursor: undefined };
    const { items } = await database.store.deliveries.list(database.owner.organizationId, channel, page);
    expect(items.map(({ monitor }) => monitor?.id)).toEqual([kept]);
    expect((await due()).map((one) => transitionOf(one).monitor.id)).toEqual([kept]);

    expect(await untilDone(() => database.store.housekeeping.sweepDeletedMonitors())).toBeGreaterThan(3);
    expect(count("deliveries")).toBe(1);
    expect(count("details")).toBe(0);
  });

  test("leaves no rows that a later monitor could inherit", async () => {
    const deleted = await createJob();
    await checkIn(deleted, [NOW]);
    await database.store.monitors.delete(database.owner.organizationId, deleted);
    const monitorId = await createJob();
    const { items } = await database.store.results.list(database.owner.organizationId, {
      monitorId,
      limit: 50,
    });
    expect(items).toEqual([]);
  });
});

describe("deletion of a channel", () => {
  test("fails its pending deliveries immediately, and marks them in small pieces", async () => {
    const [deleted, kept] = [await createChannel(), await createChannel()];
    const job = await createJob(deleted, kept);
    await alternate(job, 250);
    await database.store.channels.delete(database.owner.organizationId, deleted);
    expect(count("deliveries WHERE status = 0")).toBe(500);
    const outcomes = async () => {
      const page = { monitorId: job, limit: 200 };
      const { items } = await database.store.results.list(database.owner.organizationId, page);
      return items.flatMap(({ alertOutcome }) => alertOutcome?.channels ?? []);
    };
    const failed = { channelId: deleted, status: "failed", error: "the channel was deleted" };
    const waiting = { channelId: kept, status: "pending", error: null };
    const expected = Array.from({ length: 200 }, () => [failed, waiting]).flat();
    expect(await outcomes()).toMatchObject(expected);
    expect((await due()).map(({ channel }) => channel.id)).toEqual([kept]);

    expect(await untilDone(() => database.store.housekeeping.sweepDeletedChannels())).toBeGreaterThan(3);
    expect(count("deliveries WHERE status = 0")).toBe(250);
    expect(await outcomes()).toMatchObject(expected);
    expect(count("deleted_channels")).toBe(0);
  });

  test("leaves no deliveries that a later channel could inherit", async () => {
    const deleted = await createChannel();
    await alternate(await createJob(deleted), 1);
    await database.store.channels.delete(database.owner.organizationId, deleted);
    const channel = await createChannel();
    const page = { limit: 50, cursor: undefined };
    const { items } = await database.store.deliveries.list(database.owner.organizationId, channel, page);
    expect(items).toEqual([]);
    expect(await due()).toEqual([]);
  });
});

test("old details are deleted in small pieces, also after many newer ones", async () => {
  const insert = (amount: number, usedAt: number) =>
    database.db.$client.run(
      `INSERT INTO details (monitor_pk, hash, text, used_at)
       WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       SELECT 1, randomblob(16), at || ' ' || ?, ? FROM n`,
      [amount, usedAt, usedAt],
    );
  insert(2500, NOW);
  insert(450, NOW - 100 * DAY);
  let after: number | null = 0;
  for (let before = count("details"); after !== null; before = count("details")) {
    after = await database.store.housekeeping.pruneDetails(NOW - 90 * DAY, after);
    expect(before - count("details")).toBeLessThanOrEqual(100);
  }
  expect(count("details")).toBe(2500);
});

test("behavior 6.8: results are kept until their day is older than the given time, and no longer", async () => {
  const monitorId = await createJob();
  const times = Array.from({ length: 600 }, (_, at) => NOW - (600 - at) * (DAY / 4));
  await checkIn(monitorId, times);
  const before = NOW - 90 * DAY;
  await pruneAll(database.store, before);
  expect(countResults()).toBe(times.filter((at) => at >= before - (before % DAY)).length);
});

test("old results are deleted, also after many newer ones", async () => {
  const insert = (results: number, at: number) =>
    database.db.$client.run(
      `INSERT INTO check_results (monitor_pk, status, created_at)
       WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?) SELECT 1, 1, ? FROM n`,
      [results, at],
    );
  for (let turn = 0; turn < 2; turn++) {
    insert(7000, NOW + 3650 * DAY);
    insert(450, NOW - DAY);
    insert(7000, NOW);
  }
  expect(await pruneAll(database.store, NOW)).toBe(1);
  expect(countResults()).toBe(28_000);
});

describe("old results", () => {
  let ledger: Ledger;

  beforeEach(async () => {
    ledger = await Ledger.create(enginesByName.sqlite);
  });

  afterEach(() => ledger[Symbol.asyncDispose]());

  const prune = (before: number) => pruneAll(ledger.store, before);

  const waiting = () => ledger.pending(NOW, 10);

  test("are kept while a delivery is pending, and deleted after it is delivered", async () => {
    const job = await ledger.job(await ledger.channel());
    await ledger.checkin(job, "ok", NOW - 3 * DAY);
    await ledger.checkin(job, "fail", NOW - 2 * DAY);
    await prune(NOW - DAY);
    const [delivery] = await waiting();
    expect(delivery).toMatchObject({ event: { status: "failed" } });
    expect(await ledger.outcomes(job)).toMatchObject([{ status: "pending" }]);

    if (delivery) await deliverAt(ledger, delivery, NOW);
    await prune(NOW - DAY);
    expect(await ledger.outcomes(job)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test("are deleted, but the status of the last notification of a channel is kept", async () => {
    const channel = await ledger.channel();
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail", NOW - 2 * DAY);
    for (const delivery of await waiting()) await deliverAt(ledger, delivery, NOW - 2 * DAY);
    const changes = { notifyOn: ["warning" as const, "healthy" as const] };
    await ledger.store.channels.update(ledger.organization.id, channel, changes, NOW);
    const { owner, store } = ledger;
    await store.monitors.update(owner, job, { alertChannelIds: [channel, await ledger.channel()] }, NOW);
    await prune(NOW - DAY);
    await ledger.checkin(job, "ok", NOW);
    expect(await ledger.outcomes(job)).toMatchObject([{ channelId: channel }, {}]);
  });
});

async function deliverAt(
  { store }: Pick<Ledger, "store">,
  delivery: PendingDelivery,
  at: number,
): Promise<void> {
  await store.deliveries.recordAttempts([
    { delivery, attempt: { outcome: "delivered" }, startedAt: at, endedAt: at },
  ]);
}

test("damaged packed results stop neither the packing of later ones nor the deletion of old ones", async () => {
  const job = await createJob(await createChannel());
  await alternate(job, 4);
  await packAll(database.store);
  database.db.$client.run("UPDATE result_segments SET data = substr(data, 1, length(data) - 1)");
  await checkIn(job, [NOW + 10]);
  await packAll(database.store);
  expect([count("check_results"), count("result_segments")]).toEqual([0, 2]);
  await pruneAll(database.store, NOW + 2 * DAY);
  // Its notifications are pending.
  expect(count("result_segments")).toBe(1);
  for (let left = 4; left > 0; left--)
    for (const delivery of await due()) await deliverAt(database, delivery, NOW);
  await pruneAll(database.store, NOW + 2 * DAY);
  expect([count("result_segments"), count("deliveries"), count("status_changes")]).toEqual([0, 0, 0]);
});

test("rollups are pruned for every monitor, and the open hour of one without later results", async () => {
  for (let at = 0; at < 120; at++) await checkIn(await createJob(), [NOW - 100 * DAY, NOW]);
  await checkIn(await createJob(), [NOW - 100 * DAY]);
  let after: number | null = 0;
  do after = await database.store.housekeeping.pruneRollups(NOW - 92 * DAY, after);
  while (after !== null);
  expect(count("hourly_totals")).toBe(120);
  expect(count("daily_totals")).toBe(120);
});

test("the space of deleted rows is returned to the file system", async () => {
  const { $client } = database.db;
  $client.run(
    `INSERT INTO check_results (monitor_pk, status, timings, created_at)
     WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 20000)
     SELECT 1, 1, zeroblob(800), ? FROM n`,
    [NOW - DAY],
  );
  const pages = () => $client.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  const full = pages();
  await pruneAll(database.store, NOW);
  expect(countResults()).toBe(0);
  expect(pages()).toBeGreaterThanOrEqual(full);
  await untilDone(() => database.store.housekeeping.returnSpace());
  expect(pages()).toBeLessThan(full / 2);
});
