import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import pino from "pino";
import { createDispatcher, type Dispatcher } from "../../../src/runner/deliveries/dispatcher.ts";
import { createOrganization } from "../../../src/store/accounts/organizations.ts";
import { createChannel, type NewChannel, updateChannel } from "../../../src/store/alerting/channels.ts";
import { listDeliveries } from "../../../src/store/alerting/deliveries.ts";
import { createMonitor } from "../../../src/store/monitors/monitors.ts";
import { eventually } from "../../support/eventually.ts";
import { Ledger } from "../../support/ledger.ts";
import { reachWith } from "../../support/reach.ts";
import { Receiver } from "../../support/receiver.ts";

const settings = { ...reachWith(), baseUrl: () => "https://up.example.com" };

let ledger: Ledger;
let dispatcher: Dispatcher;
/** The errors in the log. */
let said: string[];

beforeEach(async () => {
  ledger = await Ledger.create();
  said = [];
  dispatcher = start();
});

afterEach(async () => {
  await dispatcher.stop(0);
  ledger[Symbol.dispose]();
});

function start(): Dispatcher {
  const log = pino({ level: "error" }, { write: (line: string) => said.push(line) });
  return createDispatcher({ db: ledger.db, log, settings, most: 400 });
}

function hook({ url }: { url: string }): Partial<NewChannel> {
  return { type: "WEBHOOK", config: { url } };
}

/** Makes every delivery that waits due now: the wait between attempts is not what is tested. */
function skipWaits(): void {
  ledger.db.$client.run("UPDATE deliveries SET next_attempt_at = 0 WHERE status = 0");
  dispatcher.wake();
}

async function statusesOf(channelId: string): Promise<string[]> {
  const page = { limit: 200, cursor: undefined };
  const { items } = await listDeliveries(ledger.db, ledger.organization.id, channelId, page);
  return items.map(({ status }) => status);
}

test("delivers to a channel in order, over failures and a restart", async () => {
  await using receiver = new Receiver();
  const channel = await ledger.channel(hook(receiver));
  const job = await ledger.job(channel);
  receiver.answers = [500, 200, 503, 500, 429].map((status) => new Response(null, { status }));
  for (const word of ["fail", "ok", "fail", "ok"]) await ledger.checkin(job, word);
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);

  await dispatcher.stop(5000);
  ledger.reopen();
  dispatcher = start();
  await eventually(() => {
    skipWaits();
    return receiver.received.length >= 8;
  });
  const ids = receiver.received.map(({ id }) => id);
  expect(receiver.statuses()).toEqual(["failed", "failed", "ok", "ok", "ok", "ok", "failed", "ok"]);
  expect(new Set(ids).size).toBe(4);
  expect(await eventually(async () => (await statusesOf(channel)).every((one) => one === "delivered"))).toBe(
    true,
  );
});

test("a receiver that hangs holds up no other channel", async () => {
  using hanging = hangingServer();
  await using receiver = new Receiver();
  const channels = [await ledger.channel(hook(hanging)), await ledger.channel(hook(receiver))];
  const job = await ledger.job(...channels);
  const start = performance.now();
  for (let at = 0; at < 10; at++) await ledger.checkin(job, at % 2 === 0 ? "fail" : "ok");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 10);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(await statusesOf(channels[0] ?? "")).toEqual(Array.from({ length: 10 }, () => "pending"));
});

test("many dead channels hold up no other", async () => {
  await using receiver = new Receiver();
  using hanging = hangingServer();
  const dead = await Promise.all(Array.from({ length: 150 }, () => ledger.channel(hook(hanging))));
  const job = await ledger.job(...dead, await ledger.channel(hook(receiver)));
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1, 3000);
});

test("sends again with the same webhook-id what was sent but not recorded before a crash", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  // Whatever is written of an attempt fails, as when the process ends before it.
  ledger.db.$client.run(
    "CREATE TRIGGER crash BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'crash'); END",
  );
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
  await dispatcher.stop(5000);

  ledger.reopen();
  ledger.db.$client.run("DROP TRIGGER crash");
  dispatcher = start();
  dispatcher.wake();
  await eventually(async () => (await ledger.outcomes(job))[0]?.status === "delivered");
  const ids = receiver.received.map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1 }]);
});

test("sends once what can't be recorded for a while, and records it when it can", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  ledger.db.$client.run(
    "CREATE TRIGGER full BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  await ledger.checkin(job, "fail");
  for (let look = 0; look < 10; look++) {
    dispatcher.wake();
    await eventually(() => receiver.received.length > 0);
    await Bun.sleep(10);
  }
  ledger.db.$client.run("DROP TRIGGER full");
  dispatcher.wake();
  await eventually(async () => (await ledger.outcomes(job))[0]?.status === "delivered");
  expect(receiver.received).toHaveLength(1);
  expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1 }]);
});

test("a final refusal ends a delivery, and the next one follows at once", async () => {
  await using receiver = new Receiver();
  const channel = await ledger.channel(hook(receiver));
  const job = await ledger.job(channel);
  receiver.answers = [new Response(null, { status: 410 })];
  await ledger.checkin(job, "fail");
  await ledger.checkin(job, "ok");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 2);
  await eventually(async () => (await statusesOf(channel)).join() === "delivered,failed");
});

test("a fault of ours in making a message counts as an attempt, and does not hold up what follows for ever", async () => {
  await using receiver = new Receiver();
  const channel = await ledger.channel(hook(receiver));
  const job = await ledger.job(channel);
  await ledger.checkin(job, "fail");
  // A time that no calendar has can't be written out.
  ledger.db.$client.run(
    "UPDATE deliveries SET transition = json_set(transition, '$.result.createdAt', 9e18)",
  );
  dispatcher.wake();
  await eventually(async () => (await ledger.outcomes(job))[0]?.attempts === 1);
  expect(await ledger.outcomes(job)).toMatchObject([
    { status: "pending", error: "an internal error of this server" },
  ]);
});

describe("a channel that is changed while an attempt at its former address is under way", () => {
  test.each([500, 404])("is tried at once after that ends with %d, which does not count", async (status) => {
    await using receiver = new Receiver();
    const answer = Promise.withResolvers<Response>();
    using former = heldServer(answer.promise);
    const channel = await ledger.channel(hook(former));
    const job = await ledger.job(channel);
    await ledger.checkin(job, "fail");
    dispatcher.wake();
    await eventually(() => former.asked());
    const { config } = hook(receiver);
    await updateChannel(ledger.db, ledger.organization.id, channel, { config }, Date.now());
    answer.resolve(new Response(null, { status }));
    await eventually(async () => (await statusesOf(channel)).join() === "delivered");
    expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1, error: null }]);
    receiver.only();
  });

  test("has been told if that arrives", async () => {
    await using receiver = new Receiver();
    const answer = Promise.withResolvers<Response>();
    using former = heldServer(answer.promise);
    const channel = await ledger.channel(hook(former));
    await ledger.checkin(await ledger.job(channel), "fail");
    dispatcher.wake();
    await eventually(() => former.asked());
    const { config } = hook(receiver);
    await updateChannel(ledger.db, ledger.organization.id, channel, { config }, Date.now());
    answer.resolve(new Response());
    await eventually(async () => (await statusesOf(channel)).join() === "delivered");
    expect(receiver.received).toEqual([]);
  });
});

test("silent receivers of one organization hold up no other organization", async () => {
  await using receiver = new Receiver();
  using hanging = hangingServer();
  const silent = await Promise.all(Array.from({ length: 500 }, () => ledger.channel(hook(hanging))));
  await ledger.checkin(await ledger.job(...silent), "fail");
  dispatcher.wake();
  await eventually(() => hanging.opened() > 0);

  const terms = { name: "B", plan: "enterprise", subscription: "active" } as const;
  const { id: organizationId } = await createOrganization(ledger.db, terms, Date.now());
  const owner = { organizationId, plan: terms.plan };
  const values = { name: "c", type: "WEBHOOK", config: { url: receiver.url }, enabled: true } as const;
  const alertChannelIds = [(await createChannel(ledger.db, owner, values, Date.now())).id];
  const job = { name: "j", type: "SCHEDULED", config: { interval: 300 }, alertChannelIds } as const;
  await ledger.checkin((await createMonitor(ledger.db, owner, job, Date.now())).id, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1, 4000);
});

test("nothing goes out before its result is on the disk", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  await using other = new Receiver();
  const { db } = ledger;
  await ledger.checkin(await ledger.job(await ledger.channel(hook(other))), "fail");
  dispatcher.wake();
  await eventually(() => other.received.length === 1);

  // Without its name, the log can't be brought to the disk.
  const [log, away] = [`${db.$client.filename}-wal`, `${db.$client.filename}-away`];
  renameSync(log, away);
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => said.length + receiver.received.length > 0);
  expect(receiver.received).toEqual([]);
  renameSync(away, log);
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
});

/** Answers each request as one promise says. */
function heldServer(answer: Promise<Response>) {
  let asked = false;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      asked = true;
      return answer;
    },
  });
  return { url: server.url.href, asked: () => asked, [Symbol.dispose]: () => void server.stop(true) };
}

/** It accepts and never answers. */
function hangingServer() {
  let opened = 0;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open() {
        opened++;
      },
      data() {},
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    opened: () => opened,
    [Symbol.dispose]: () => server.stop(true),
  };
}
