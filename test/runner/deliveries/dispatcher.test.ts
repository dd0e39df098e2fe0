import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { createLogger } from "../../../src/log.ts";
import { createDispatcher, type Dispatcher } from "../../../src/runner/deliveries/dispatcher.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import type { NewChannel } from "../../../src/store/alerts/channels.ts";
import type { Store } from "../../../src/store/store.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import { eventually } from "../../support/eventually.ts";
import { Receiver } from "../../support/servers/receiver.ts";
import { alone } from "../../support/store/alone.ts";
import { engineOfTests } from "../../support/store/engines.ts";
import { failAttemptRecords } from "../../support/store/faults.ts";
import { Ledger } from "../../support/store/ledger.ts";
import { breakMessages, makeDeliveriesDue } from "../../support/store/states.ts";

/** Milliseconds. On PostgreSQL, and beside other work, it takes seconds to create hundreds of channels. */
setDefaultTimeout(300_000);

const settings = { ...reachWith(), baseUrl: () => "https://up.example.com" };

let ledger: Ledger;
let dispatcher: Dispatcher;
/** The errors in the log. */
let logged: string[];

beforeEach(async () => {
  ledger = await Ledger.create();
  logged = [];
  dispatcher = start();
});

afterEach(async () => {
  await dispatcher.stop(0);
  await ledger[Symbol.asyncDispose]();
});

/** @param isShort whether it lacks descriptors */
function start(
  isShort = () => false,
  {
    store = ledger.store,
    max = 400,
    monotonic = ledger.clock.monotonic,
    isOffline = () => false,
    onAnswer = () => {},
  }: {
    store?: Store;
    max?: number;
    monotonic?: () => number;
    isOffline?: () => boolean;
    onAnswer?: () => void;
  } = {},
): Dispatcher {
  const log = createLogger({ level: "error" }, (line: string) => logged.push(line));
  return createDispatcher({
    store,
    clock: { ...ledger.clock, monotonic },
    claimant: () => alone,
    log,
    settings,
    metrics: createMetrics(),
    max,
    isShort,
    isOffline,
    onAnswer,
  });
}

function hook({ url }: { url: string }): Partial<NewChannel> {
  return { type: "WEBHOOK", config: { url } };
}

/** Makes every pending delivery due now, so that the test need not wait between attempts. */
async function skipWaits(): Promise<void> {
  await makeDeliveriesDue(ledger.db);
  dispatcher.wake();
}

/** Creates channels, one after another: a database answers each of many at once late. */
async function channels(count: number, values: Partial<NewChannel>): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push(await ledger.channel(values));
  return ids;
}

async function deliveriesOf(channelId: string) {
  const page = { limit: 200, cursor: undefined };
  return (await ledger.store.deliveries.list(ledger.organization.id, channelId, page)).items;
}

async function statusesOf(channelId: string): Promise<string[]> {
  return (await deliveriesOf(channelId)).map(({ status }) => status);
}

async function attemptsOf(channelId: string): Promise<string[]> {
  return (await deliveriesOf(channelId)).map(({ status, attempts }) => `${status} ${attempts}`);
}

test("delivers to a channel in order, across failures and a restart", async () => {
  await using receiver = new Receiver();
  const channel = await ledger.channel(hook(receiver));
  const job = await ledger.job(channel);
  receiver.answers = [500, 200, 503, 500, 429].map((status) => new Response(null, { status }));
  for (const word of ["fail", "ok", "fail", "ok"]) await ledger.checkin(job, word);
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);

  await dispatcher.stop(5000);
  await ledger.reopen();
  dispatcher = start();
  await eventually(async () => {
    await skipWaits();
    return receiver.received.length >= 8;
  });
  const ids = receiver.received.map(({ id }) => id);
  expect(receiver.statuses()).toEqual(["failed", "failed", "ok", "ok", "ok", "ok", "failed", "ok"]);
  expect(new Set(ids).size).toBe(4);
  expect(await eventually(async () => (await statusesOf(channel)).every((one) => one === "delivered"))).toBe(
    true,
  );
});

test("behavior 13.60: a notice is delivered between the transitions of its channel, and repeated with the same ID", async () => {
  await using receiver = new Receiver();
  const channel = await ledger.channel(hook(receiver));
  await ledger.setDefaults(channel);
  const job = await ledger.job(channel);
  receiver.answers = [200, 503].map((status) => new Response(null, { status }));
  await ledger.checkin(job, "fail");
  await ledger.notify();
  await ledger.checkin(job, "ok");
  await ledger.notify();
  dispatcher.wake();
  await eventually(async () => {
    await skipWaits();
    return receiver.received.length === 5;
  });
  expect(receiver.received.map(({ payload }) => payload.type)).toEqual([
    "monitor.status_changed",
    "location.silent",
    "location.silent",
    "monitor.status_changed",
    "location.connected",
  ]);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4);
  await eventually(async () => (await statusesOf(channel)).every((one) => one === "delivered"));
});

test("a receiver that hangs does not delay other channels", async () => {
  using hanging = hangingServer();
  await using receiver = new Receiver();
  const channels = [await ledger.channel(hook(hanging)), await ledger.channel(hook(receiver))];
  const job = await ledger.job(...channels);
  for (let at = 0; at < 10; at++) await ledger.checkin(job, at % 2 === 0 ? "fail" : "ok");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 10);
  // Before the first attempt at the silent receiver has ended.
  expect(await attemptsOf(channels[0] ?? "")).toEqual(Array.from({ length: 10 }, () => "pending 0"));
});

test("many dead channels do not delay another one", async () => {
  await using receiver = new Receiver();
  using hanging = hangingServer();
  const dead = await channels(150, hook(hanging));
  const job = await ledger.job(...dead, await ledger.channel(hook(receiver)));
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
  // Before the first attempts at the silent receivers have ended.
  for (const channel of dead) expect(await attemptsOf(channel)).toEqual(["pending 0"]);
});

test("a delivery that was sent but not recorded before a crash is sent again with the same webhook-id", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  // Each write of an attempt fails, as if the process had ended before it.
  const endFault = await failAttemptRecords(ledger.db);
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
  await dispatcher.stop(5000);

  await ledger.reopen();
  await endFault();
  dispatcher = start();
  dispatcher.wake();
  await eventually(async () => (await ledger.outcomes(job))[0]?.status === "delivered");
  const ids = receiver.received.map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1 }]);
});

test("a delivery whose outcome can't be recorded yet is sent once, and recorded later", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  const endFault = await failAttemptRecords(ledger.db);
  await dispatcher.stop(0);
  let scans = 0;
  const { deliveries } = ledger.store;
  const listDue: Store["deliveries"]["listDue"] = async (...given) => {
    const due = await deliveries.listDue(...given);
    scans++;
    return due;
  };
  dispatcher = start(undefined, { store: { ...ledger.store, deliveries: { ...deliveries, listDue } } });
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length > 0);
  for (const after = scans + 10; scans < after; await Bun.sleep(0)) dispatcher.wake();
  await endFault();
  // A scan that began before may still fail.
  await eventually(async () => {
    dispatcher.wake();
    return (await ledger.outcomes(job))[0]?.status === "delivered";
  });
  expect(receiver.received).toHaveLength(1);
  expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1 }]);
});

test("deliveries that a database could not claim for a while arrive when it can again", async () => {
  await using receiver = new Receiver();
  await dispatcher.stop(0);
  let faults = 3;
  const { deliveries } = ledger.store;
  const claim: Store["deliveries"]["claim"] = async (...given) => {
    if (faults-- > 0) throw new StorageFault(new Error("the database is away"));
    return deliveries.claim(...given);
  };
  // A place that a failed claim kept would be missed soon.
  dispatcher = start(undefined, { store: { ...ledger.store, deliveries: { ...deliveries, claim } }, max: 2 });
  await ledger.checkin(await ledger.job(await ledger.channel(hook(receiver))), "fail");
  await eventually(() => {
    dispatcher.wake();
    return receiver.received.length === 1;
  });
  expect(logged).toHaveLength(1);
});

test("behavior 12.36: nothing is sent with a claim that may end before the attempt, and all is sent with the next", async () => {
  await using receiver = new Receiver();
  await dispatcher.stop(0);
  let suspended = 0;
  const seen: number[] = [];
  const { deliveries } = ledger.store;
  const claim: Store["deliveries"]["claim"] = async (...given) => {
    seen.push(receiver.received.length);
    const claimed = await deliveries.claim(...given);
    if (seen.length <= 3) suspended += 10_001;
    return claimed;
  };
  // A place that a dropped claim kept would be missed.
  dispatcher = start(undefined, {
    store: { ...ledger.store, deliveries: { ...deliveries, claim } },
    max: 2,
    monotonic: () => ledger.clock.monotonic() + suspended,
  });
  await ledger.checkin(await ledger.job(await ledger.channel(hook(receiver))), "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
  expect(seen).toEqual([0, 0, 0, 0]);
  expect(logged).toEqual([]);
});

test("behavior 5.39: without free descriptors there is no attempt, and the first one follows when there are", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  let looks = 0;
  dispatcher = start(() => {
    expect(receiver.received).toHaveLength(0);
    return ++looks < 3;
  });
  await ledger.checkin(job, "fail");
  dispatcher.start();
  await eventually(async () => (await ledger.outcomes(job))[0]?.status === "delivered");
  expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1 }]);
  expect(looks).toBeGreaterThanOrEqual(3);
});

test("behavior 13.57: offline, a delivery is tried once, and repeated when the network is back", async () => {
  await using receiver = new Receiver();
  const [near, far] = [
    await ledger.channel(hook(receiver)),
    await ledger.channel({ ...hook(receiver), config: { url: "http://127.0.0.1:1/" } }),
  ];
  let isOffline = true;
  dispatcher = start(undefined, { isOffline: () => isOffline });
  dispatcher.start();
  for (const channel of [near, far]) await ledger.checkin(await ledger.job(channel), "fail");
  await eventually(async () => (await attemptsOf(near)).join() === "delivered 1");
  await eventually(async () => (await attemptsOf(far)).join() === "pending 1");
  for (let scans = 0; scans < 3; scans++) {
    await skipWaits();
    await Bun.sleep(0);
  }
  expect(await attemptsOf(far)).toEqual(["pending 1"]);
  isOffline = false;
  await skipWaits();
  await eventually(async () => (await attemptsOf(far)).join() === "pending 2");
});

test("behavior 13.71: a receiver that answers shows that the network is online", async () => {
  await using receiver = new Receiver();
  receiver.answers = [new Response(null, { status: 503 })];
  let answers = 0;
  dispatcher = start(undefined, { onAnswer: () => void answers++ });
  dispatcher.start();
  await ledger.checkin(
    await ledger.job(await ledger.channel({ ...hook(receiver), config: { url: "http://127.0.0.1:1/" } })),
    "fail",
  );
  await ledger.checkin(await ledger.job(await ledger.channel(hook(receiver))), "fail");
  await eventually(() => answers === 1);
});

test("a final rejection ends a delivery, and the next one follows immediately", async () => {
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

test("an own fault while a message is created counts as an attempt, so that it does not block the channel", async () => {
  await using receiver = new Receiver();
  const channel = await ledger.channel(hook(receiver));
  const job = await ledger.job(channel);
  await ledger.checkin(job, "fail");
  await breakMessages(ledger.db);
  dispatcher.wake();
  await eventually(async () => (await ledger.outcomes(job))[0]?.attempts === 1);
  expect(await ledger.outcomes(job)).toMatchObject([
    { status: "pending", error: "an internal error of this server" },
  ]);
});

describe("a channel that is changed during an attempt at its previous address", () => {
  test.each([500, 404])(
    "is retried immediately after that ends with %d, which does not count",
    async (status) => {
      await using receiver = new Receiver();
      const answer = Promise.withResolvers<Response>();
      using previous = heldServer(answer.promise);
      const channel = await ledger.channel(hook(previous));
      const job = await ledger.job(channel);
      await ledger.checkin(job, "fail");
      dispatcher.wake();
      await eventually(() => previous.asked());
      const { config } = hook(receiver);
      await ledger.store.channels.update(ledger.organization.id, channel, { config }, ledger.now());
      answer.resolve(new Response(null, { status }));
      await eventually(async () => (await statusesOf(channel)).join() === "delivered");
      expect(await ledger.outcomes(job)).toMatchObject([{ attempts: 1, error: null }]);
      receiver.only();
    },
  );

  test("counts as notified if that arrives", async () => {
    await using receiver = new Receiver();
    const answer = Promise.withResolvers<Response>();
    using previous = heldServer(answer.promise);
    const channel = await ledger.channel(hook(previous));
    await ledger.checkin(await ledger.job(channel), "fail");
    dispatcher.wake();
    await eventually(() => previous.asked());
    const { config } = hook(receiver);
    await ledger.store.channels.update(ledger.organization.id, channel, { config }, ledger.now());
    answer.resolve(new Response());
    await eventually(async () => (await statusesOf(channel)).join() === "delivered");
    expect(receiver.received).toEqual([]);
  });
});

test("silent receivers of one organization do not delay another organization", async () => {
  await using receiver = new Receiver();
  using hanging = hangingServer();
  await dispatcher.stop(0);
  dispatcher = start(undefined, { max: 40 });
  const silent = await channels(50, hook(hanging));
  const silentJob = await ledger.job(...silent);
  const terms = { name: "B", plan: "enterprise", subscription: "active" } as const;
  const { id: organizationId } = await ledger.store.organizations.create(terms, ledger.now());
  const owner = { organizationId, plan: terms.plan };
  const values = { name: "c", type: "WEBHOOK", config: { url: receiver.url }, enabled: true } as const;
  const alertChannelIds = [(await ledger.store.channels.create(owner, values, ledger.now())).id];
  const job = { name: "j", type: "SCHEDULED", config: { interval: 300 }, alertChannelIds } as const;
  const otherJob = (await ledger.store.monitors.create(owner, job, ledger.now())).id;

  await ledger.checkin(silentJob, "fail");
  dispatcher.wake();
  await eventually(() => hanging.opened() === 20);
  await ledger.checkin(otherJob, "fail");
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
  // Before an attempt at a silent receiver has ended, which lets the next one start.
  expect(hanging.opened()).toBe(20);
});

/** On PostgreSQL a commit includes the sync. */
const isSyncedLater = engineOfTests().name === "sqlite";

test.if(isSyncedLater)("behavior 5.6: nothing is sent before its result is on the disk", async () => {
  await using receiver = new Receiver();
  const job = await ledger.job(await ledger.channel(hook(receiver)));
  await using other = new Receiver();
  await ledger.checkin(await ledger.job(await ledger.channel(hook(other))), "fail");
  dispatcher.wake();
  await eventually(() => other.received.length === 1);

  const endFault = await ledger.db.failSyncs();
  await ledger.checkin(job, "fail");
  dispatcher.wake();
  await eventually(() => logged.length + receiver.received.length > 0);
  expect(receiver.received).toEqual([]);
  await endFault();
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
});

test("behavior 13.60: a notice that was committed before a start is delivered after it", async () => {
  await using receiver = new Receiver();
  await ledger.setDefaults(await ledger.channel(hook(receiver)));
  await dispatcher.stop(0);
  await ledger.notify();
  await ledger.reopen();
  dispatcher = start();
  dispatcher.wake();
  await eventually(() => receiver.received.length === 1);
  expect(receiver.only().payload).toMatchObject({
    type: "location.silent",
    data: { location: { name: "fra" } },
  });
});

/** Answers all requests with the response of a promise. */
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

/** Accepts connections and never responds. */
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
