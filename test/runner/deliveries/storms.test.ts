import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import { createAuthorize, generatePushKeys } from "../../../src/alerts/webpush/vapid.ts";
import { createLogger } from "../../../src/log.ts";
import { createDispatcher, type Dispatcher } from "../../../src/runner/deliveries/dispatcher.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import type { NewChannel } from "../../../src/store/alerts/channels.ts";
import { eventually } from "../../support/eventually.ts";
import { ChatService } from "../../support/servers/chat-service.ts";
import { MailServer } from "../../support/servers/mail-server.ts";
import { PushService } from "../../support/servers/push-service.ts";
import { Receiver } from "../../support/servers/receiver.ts";
import { alone } from "../../support/store/alone.ts";
import { engineOfTests } from "../../support/store/engines.ts";
import { failAttemptRecords } from "../../support/store/faults.ts";
import { Ledger, type Site } from "../../support/store/ledger.ts";
import { makeDeliveriesDue } from "../../support/store/states.ts";

setDefaultTimeout(300_000);

const CHATS = [
  { type: "SLACK", host: "hooks.slack.com", path: "/services/T0/B0/x" },
  { type: "DISCORD", host: "discord.com", path: "/api/webhooks/1/x" },
  { type: "TEAMS", host: "prod-1.logic.azure.com", path: "/workflows/x" },
] as const;

const [SLACK] = CHATS;

let ledger: Ledger;
let dispatcher: Dispatcher | undefined;

beforeEach(async () => {
  ledger = await Ledger.create();
});

afterEach(async () => {
  await dispatcher?.stop(0);
  dispatcher = undefined;
  await ledger[Symbol.asyncDispose]();
});

/** @param monotonic milliseconds, for the pace of channels @param now milliseconds since 1970 */
function start(
  settings: DeliverySettings,
  monotonic = ledger.clock.monotonic,
  now = ledger.clock.now,
  isUndecided?: (outagePk: number) => boolean | undefined,
): Dispatcher {
  const log = createLogger({ level: "silent" });
  const own = createDispatcher({
    store: ledger.store,
    clock: { ...ledger.clock, monotonic, now },
    claimant: () => alone,
    log,
    settings,
    metrics: createMetrics(),
    max: 400,
    isShort: () => false,
    ...(isUndecided && { causes: { isUndecided, wake() {} } }),
  });
  dispatcher = own;
  return own;
}

function chatChannel(chat: ChatService, { type, path }: (typeof CHATS)[number] = SLACK): Partial<NewChannel> {
  return { type, config: { webhookUrl: chat.url(path) } };
}

/** Jobs that fail at once. */
async function storm(count: number, ...channels: string[]): Promise<string[]> {
  const jobs: string[] = [];
  // One after another: a database answers each of many at once late.
  for (let at = 0; at < count; at++) jobs.push(await ledger.job(...channels));
  const at = ledger.now();
  const failures = jobs.map((monitorId) => ({ kind: "checkin" as const, monitorId, status: "fail", at }));
  await ledger.store.recording.record(failures);
  return jobs;
}

async function statusesOf(channelId: string): Promise<string[]> {
  const page = { limit: 1000, cursor: undefined };
  const { items } = await ledger.store.deliveries.list(ledger.organization.id, channelId, page);
  return items.map(({ status, attempts }) => `${status} ${attempts}`);
}

async function allDelivered(channelId: string, count: number): Promise<void> {
  await eventually(async () => {
    const statuses = await statusesOf(channelId);
    return statuses.length === count && statuses.every((one) => one.startsWith("delivered"));
  });
}

describe.each(CHATS)("behavior 14.63: $type", (service) => {
  test("gets 150 transitions at once in one message, and each counts as delivered", async () => {
    await using chat = await ChatService.start(service.host);
    const channel = await ledger.channel(chatChannel(chat, service));
    const jobs = await storm(150, channel);
    start(chat.settings).wake();
    await allDelivered(channel, 150);
    expect(chat.received).toHaveLength(1);
    expect(chat.received[0]?.bytes).toBeLessThan(28_000);
    const text = JSON.stringify(chat.received[0]?.body);
    expect(text).toMatch(/150 monitors(\\\\)?: 150 Failed/);
    expect(text).toContain("https://up.example.com/outages");
    const { name } = await ledger.find(jobs[0] ?? "");
    expect(text).toContain(name);
  });
});

test("behavior 14.63: an e-mail channel gets 150 transitions at once in one mail", async () => {
  await using mail = await MailServer.start();
  const channel = await ledger.channel({ type: "EMAIL", config: { to: "ops@example.com" } });
  await storm(150, channel);
  start(mail.settings()).wake();
  await allDelivered(channel, 150);
  expect(mail.received).toHaveLength(1);
  expect(mail.received[0]?.source).toContain("Subject: 150 monitors: 150 Failed");
});

test("behavior 14.63: a webhook channel gets each of them, at once", async () => {
  await using receiver = new Receiver();
  await using chat = await ChatService.start(SLACK.host);
  const channel = await ledger.channel({ type: "WEBHOOK", config: { url: receiver.url } });
  await storm(30, channel);
  // For the pace of channels, no time passes.
  const settings = { ...chat.settings, resolve: async () => ["127.0.0.1"] };
  start(settings, () => 0).wake();
  await allDelivered(channel, 30);
  expect(receiver.received).toHaveLength(30);
});

test("behavior 16.148, 21.56: a device gets 30 transitions in one message, and if it has ended its subscription, all fail at once", async () => {
  await using service = new PushService();
  const authorize = await createAuthorize(await generatePushKeys(), "mailto:ops@example.com");
  await using chat = await ChatService.start(SLACK.host);
  const settings = {
    ...{ ...chat.settings, resolve: async () => ["127.0.0.1"] },
    authorizePush: (endpoint: string) => authorize(endpoint, ledger.clock.now()),
  };
  const device = () => ledger.channel({ type: "WEBHOOK", config: service.subscribe() });
  const channel = await device();
  await storm(30, channel);
  start(settings).wake();
  await allDelivered(channel, 30);
  expect(service.accepted.map(({ payload }) => payload.title)).toEqual(["🔴 30 monitors: 30 Failed"]);
  await dispatcher?.stop(5000);

  const ended = await device();
  service.answers = [new Response("", { status: 410 })];
  await storm(30, ended);
  start(settings).wake();
  await eventually(async () => !(await ledger.store.channels.find(ledger.organization.id, ended)).enabled);
  expect(await statusesOf(ended)).toEqual(Array(30).fill("failed 1"));
  expect(service.calls).toBe(2);
});

test("behavior 14.66: a single notification, and one of three, is sent at once", async () => {
  await using chat = await ChatService.start(SLACK.host);
  let passed = 0;
  const channel = await ledger.channel(chatChannel(chat));
  await storm(3, channel);
  start(chat.settings, () => passed).wake();
  await eventually(() => chat.received.length === 2);
  passed += 1000;
  dispatcher?.wake();
  await allDelivered(channel, 3);
  expect(chat.received.map(({ body }) => titleOf(body))).toEqual([
    "job 1 has failed",
    "job 2 has failed",
    "job 3 has failed",
  ]);
});

test("behavior 14.67: what arrives while a channel waits for its pace is in the next message", async () => {
  await using chat = await ChatService.start(SLACK.host);
  let passed = 0;
  const channel = await ledger.channel(chatChannel(chat));
  start(chat.settings, () => passed);
  const wake = () => dispatcher?.wake();
  for (let at = 1; at <= 2; at++) {
    await storm(1, channel);
    wake();
    await allDelivered(channel, at);
  }
  for (let at = 0; at < 10; at++) {
    await storm(1, channel);
    wake();
  }
  for (let scans = 0; scans < 5; scans++) {
    wake();
    await Bun.sleep(0);
  }
  expect(chat.received).toHaveLength(2);
  passed += 1000;
  await eventually(() => {
    wake();
    return chat.received.length > 2;
  });
  await allDelivered(channel, 12);
  expect(chat.received.map(({ body }) => titleOf(body)).slice(2)).toEqual(["10 monitors: 10 Failed"]);
});

test("behavior 14.64: a message that fails is repeated with the same notifications, also after a kill during an attempt", async () => {
  await using chat = await ChatService.start(SLACK.host);
  const channel = await ledger.channel(chatChannel(chat));
  chat.answers = [new Response(null, { status: 503 })];
  await storm(20, channel);
  let passed = 0;
  start(chat.settings, () => ledger.clock.monotonic() + passed).wake();
  await eventually(async () => (await statusesOf(channel)).every((one) => one === "pending 1"));
  await storm(7, channel);

  // Each write of an attempt fails, as if the process had ended before it.
  await makeDeliveriesDue(ledger.db);
  const endFault = await failAttemptRecords(ledger.db);
  passed += 10_000;
  dispatcher?.wake();
  await eventually(() => chat.received.length === 2);
  await dispatcher?.stop(5000);
  await ledger.reopen();
  await endFault();
  await storm(6, channel);
  await makeDeliveriesDue(ledger.db);
  start(chat.settings, () => ledger.clock.monotonic() + passed).wake();
  await allDelivered(channel, 33);
  expect(chat.received.map(({ body }) => titleOf(body))).toEqual([
    "20 monitors: 20 Failed",
    "20 monitors: 20 Failed",
    "20 monitors: 20 Failed",
    "13 monitors: 13 Failed",
  ]);
});

describe("behavior 22.26: notifications of an open cause", () => {
  const address = { kind: "address", value: "203.0.113.7" } as const;

  /** Stores one cause of all open outages, or only ends a cause that is over. */
  async function explain(isNew = true): Promise<void> {
    const { causes } = ledger.store;
    const [organization] = await causes.listWatched(0);
    const { troubles } = await causes.findSituation(organization?.pk ?? 0);
    const outagePks = troubles.map(({ outagePk }) => outagePk);
    const cause = { ...address, startedAt: 0, outagePks, label: null, isOnlyLocation: false };
    const plan = { refuted: [], joined: [], opened: isNew ? [cause] : [] };
    await causes.save(organization?.pk ?? 0, plan, ledger.now());
  }

  const failAll = async (sites: readonly Site[]) => {
    for (const one of sites) await one.down(ledger.now());
    await ledger.store.recording.syncResults();
  };

  test("gather for a channel that people read, after its first one, and go as one message under the title", async () => {
    await using chat = await ChatService.start(SLACK.host);
    await using receiver = new Receiver();
    const [slack, hook] = [
      await ledger.channel(chatChannel(chat)),
      await ledger.channel({ type: "WEBHOOK", config: { url: receiver.url } }),
    ];
    const sites = await Array.fromAsync({ length: 6 }, () => ledger.site(slack, hook));
    for (const one of sites) await one.up(10, ledger.now());
    let passed = 0;
    const settings = { ...chat.settings, resolve: async () => ["127.0.0.1"] };
    start(
      settings,
      () => passed,
      () => ledger.clock.now() + passed,
    );
    const wakeUntil = (isTrue: () => boolean) =>
      eventually(() => {
        dispatcher?.wake();
        return isTrue();
      });
    await failAll(sites.slice(0, 1));
    await wakeUntil(() => chat.received.length === 1);
    for (const channel of [slack, hook]) await allDelivered(channel, 1);
    await failAll(sites.slice(1, 3));
    await explain();
    // The webhook gets each of them, and the other channel none, although as many scans found it.
    await wakeUntil(() => receiver.received.length >= 3);
    await allDelivered(hook, 3);
    expect(chat.received).toHaveLength(1);
    expect(receiver.received.at(-1)?.payload).toMatchObject({
      data: { cause: { ...address, title: "3 monitors at 203.0.113.7" } },
    });
    await failAll(sites.slice(3));
    await explain();
    passed = 9000;
    await wakeUntil(() => chat.received.length >= 2);
    await allDelivered(slack, 6);
    // They go in two messages if the dispatcher looks before the cause of the last three is known.
    const titles = chat.received.slice(1).map(({ body }) => titleOf(body));
    const counts = titles.map((title) =>
      Number(/^[36] monitors at 203\.0\.113\.7: (\d) Down$/.exec(title)?.[1]),
    );
    expect(titles.length).toBeLessThanOrEqual(2);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);

    const [first, ...others] = sites as [Site, ...Site[]];
    const before = chat.received.length;
    await first.up(10, ledger.now() + passed);
    await wakeUntil(() => receiver.received.length >= 7);
    expect(chat.received).toHaveLength(before);
    for (const one of others) await one.up(10, ledger.now() + passed);
    await ledger.store.recording.syncResults();
    await explain(false);
    passed = 12_000;
    await wakeUntil(() => chat.received.length > before);
    await allDelivered(slack, 12);
    await allDelivered(hook, 12);
    expect(titleOf(chat.received[before]?.body)).toBe("6 monitors at 203.0.113.7: 6 Up");
    expect(receiver.received).toHaveLength(12);
  });

  test("are expected as long as nobody knows: after the first one of a channel, others wait, and go at once if there is none", async () => {
    await using chat = await ChatService.start(SLACK.host);
    const channel = await ledger.channel(chatChannel(chat));
    const sites = await Array.fromAsync({ length: 5 }, () => ledger.site(channel));
    for (const one of sites) await one.up(10, ledger.now());
    let passed = 0;
    let verdict: boolean | undefined = true;
    start(
      chat.settings,
      () => passed,
      () => ledger.clock.now() + passed,
      () => verdict,
    );
    const titles = () => chat.received.map(({ body }) => titleOf(body));
    const wakeUntil = (count: number) =>
      eventually(() => {
        dispatcher?.wake();
        return chat.received.length === count;
      });
    const scan = async () => {
      for (let scans = 0; scans < 5; scans++) {
        dispatcher?.wake();
        await Bun.sleep(0);
      }
    };
    await failAll(sites.slice(0, 1));
    await wakeUntil(1);
    await allDelivered(channel, 1);
    await failAll(sites.slice(1, 2));
    await scan();
    expect(titles()).toEqual(["site is down"]);
    verdict = false;
    await wakeUntil(2);
    await allDelivered(channel, 2);
    // A trouble that no look has seen waits for it, but not for long.
    verdict = undefined;
    await failAll(sites.slice(2, 3));
    await scan();
    expect(chat.received).toHaveLength(2);
    passed += 1500;
    await wakeUntil(3);
    await allDelivered(channel, 3);
    verdict = true;
    await failAll(sites.slice(3));
    await scan();
    expect(chat.received).toHaveLength(3);
    await explain();
    passed += 9000;
    await allDelivered(channel, 5);
    expect(titles().slice(1)).toEqual(["site is down", "site is down", "5 monitors at 203.0.113.7: 2 Down"]);
  });

  test("do not delay any other one", async () => {
    await using chat = await ChatService.start(SLACK.host);
    const channel = await ledger.channel(chatChannel(chat));
    const sites = await Array.fromAsync({ length: 4 }, () => ledger.site(channel));
    for (const one of sites) await one.up(10, ledger.now());
    let passed = 0;
    start(chat.settings, () => passed);
    await failAll(sites.slice(0, 3));
    await explain();
    dispatcher?.wake();
    await allDelivered(channel, 3);
    await failAll(sites.slice(3));
    await explain();
    await storm(1, channel);
    passed = 10_000;
    dispatcher?.wake();
    await eventually(
      async () => (await statusesOf(channel)).filter((one) => one === "delivered 1").length >= 4,
    );
    passed = 20_000;
    dispatcher?.wake();
    await allDelivered(channel, 5);
    expect(chat.received.map(({ body }) => titleOf(body))).toEqual([
      "3 monitors at 203.0.113.7: 3 Down",
      "site is down",
      "job 1 has failed",
    ]);
  });
});

/** On PostgreSQL a commit includes the sync. */
const isSyncedLater = engineOfTests().name === "sqlite";

test.if(isSyncedLater)("behavior 5.6: a message has only what is on the disk", async () => {
  await using chat = await ChatService.start(SLACK.host);
  const channel = await ledger.channel(chatChannel(chat));
  await storm(1, channel);
  await ledger.store.recording.syncResults();
  const endFault = await ledger.db.failSyncs();
  await storm(5, channel);
  start(chat.settings);
  await eventually(async () => {
    dispatcher?.wake();
    return (await statusesOf(channel)).at(-1) === "delivered 1";
  });
  for (let scans = 0; scans < 5; scans++) {
    dispatcher?.wake();
    await Bun.sleep(0);
  }
  expect(chat.received).toHaveLength(1);
  await endFault();
  await eventually(() => {
    dispatcher?.wake();
    return chat.received.length === 2;
  });
  expect(chat.received.map(({ body }) => titleOf(body))).toEqual([
    "job 1 has failed",
    "5 monitors: 5 Failed",
  ]);
});

/** The title of a message of Slack. */
function titleOf(body: unknown): string {
  const { attachments } = body as { attachments: { blocks: { text?: { text: string } }[] }[] };
  return attachments[0]?.blocks[0]?.text?.text ?? "";
}
