import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import { createLogger } from "../../../src/log.ts";
import { createMailSender, type MailSender } from "../../../src/runner/pages/mail-sender.ts";
import type { Store } from "../../../src/store/store.ts";
import { systemClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { mailParts } from "../../support/servers/mail-parts.ts";
import { MailServer } from "../../support/servers/mail-server.ts";
import { alone } from "../../support/store/alone.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { createPublicPage, subscribe } from "../../support/store/subscribers.ts";

// On PostgreSQL, and beside other work, each transaction takes its time.
setDefaultTimeout(300_000);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const ADA = "ada@example.com";

let database: TestDatabase;
let server: MailServer;
let senders: MailSender[];
/** The warnings and errors in the log. */
let logged: string[];
let now: number;

beforeEach(async () => {
  [database, server] = [await createDatabase(), await MailServer.start()];
  [senders, logged, now] = [[], [], Date.UTC(2027, 5, 1, 12)];
});

afterEach(async () => {
  for (const sender of senders) await sender.stop(0);
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** @param isElsewhere whether another node sends */
function start({
  settings = server.settings(),
  store = database.store,
  isElsewhere = () => false,
  isOffline = () => false,
}: {
  settings?: DeliverySettings;
  store?: Pick<Store, "pageMails">;
  isElsewhere?: () => boolean;
  isOffline?: () => boolean;
} = {}): MailSender {
  const claims: Store["claims"] = {
    ...database.store.claims,
    take: async (...claim) => !isElsewhere() && database.store.claims.take(...claim),
  };
  const sender = createMailSender({
    store: { pageMails: store.pageMails, claims },
    clock: { ...systemClock(), now: () => now },
    claimant: () => alone,
    log: createLogger({ level: "warn" }, (line: string) => logged.push(line)),
    settings,
    urlOf: (slug) => `https://up.example.com/status/${slug}`,
    isOffline,
  });
  senders.push(sender);
  sender.start();
  return sender;
}

const owner = () => ({ store: database.store, organizationId: database.owner.organizationId });

async function page(values = {}) {
  const { id, slug, title } = await createPublicPage(owner(), values, now);
  return { pageId: id, slug, title, organizationId: database.owner.organizationId };
}

async function write(on: { pageId: string; organizationId: string }, title: string): Promise<void> {
  await database.store.incidents.create(on, { title, impact: "minor" }, now);
}

const isEmpty = async () => (await database.store.pageMails.count()) === 0;
const subjects = () => server.received.map(({ source }) => mailParts(source).headers.subject);

test("behavior 15.82: a message has a text, a page and one click that unsubscribes", async () => {
  const { slug } = await page();
  await database.store.subscriptions.request({ slug, email: ADA, locale: "en" }, now);
  start();
  await eventually(isEmpty);
  const [mail] = server.received;
  expect(mail).toMatchObject({ to: [ADA], secure: true });
  const { headers, text, html } = mailParts(mail?.source ?? "");
  const [, confirm = ""] = /(https:\S+\/confirm\?\S+)/.exec(text) ?? [];
  const [, unsubscribe = ""] = /(https:\S+\/unsubscribe\?\S+)/.exec(text) ?? [];
  expect(confirm).toMatch(
    new RegExp(`^https://up.example.com/status/${slug}/subscriptions/confirm\\?token=\\w{43}$`),
  );
  expect(unsubscribe).toBe(confirm.replace("confirm", "unsubscribe"));
  for (const link of [confirm, unsubscribe]) expect(html).toContain(`href="${link}"`);
  expect(headers).toMatchObject({
    from: "Status of A <stillup@example.com>",
    to: ADA,
    subject: "Confirm your subscription to Status of A",
    "auto-submitted": "auto-generated",
    "list-unsubscribe": `<${unsubscribe}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(headers["message-id"]).toMatch(/^<page\.\w{22}@example\.com>$/);
});

test("behavior 21.6: a message has the language of its page, or of the request that subscribed, and the zone of the page", async () => {
  const own = await page({ language: "de" });
  const auto = await page({ timezone: "Asia/Tokyo" });
  const earlier = await page();
  await subscribe(database.store, own.slug, ADA, now, "fr");
  await subscribe(database.store, auto.slug, ADA, now, "fr-CA");
  await subscribe(database.store, earlier.slug, ADA, now, "xx");
  for (const on of [own, auto, earlier]) await write(on, "Slow");
  start();
  await eventually(isEmpty);
  const mails = server.received.map(({ source }) => mailParts(source));
  const subjects = mails.map(({ headers }) => headers.subject);
  expect(subjects.toSorted()).toEqual([
    "Neue Störung: Slow",
    "New incident: Slow",
    "Nouvel incident\u00a0: Slow",
  ]);
  const french = mails.find(({ html }) => html.includes('lang="fr-CA"'));
  expect(french?.text).toContain("21 h 00");
});

test("names of people are text: they add no header, no recipient and no markup", async () => {
  const title = "x\r\nBcc: victim@example.com\r\n\r\n<b>\u202e";
  const own = await page({ title });
  await subscribe(database.store, own.slug, ADA, now);
  await write(own, `${title}<img src=x>`);
  start();
  await eventually(isEmpty);
  expect(server.received.map(({ to }) => to)).toEqual([[ADA]]);
  const { headers, html } = mailParts(server.received[0]?.source ?? "");
  expect(headers.bcc).toBeUndefined();
  expect(headers.from).toContain("<stillup@example.com>");
  expect(html).not.toMatch(/<b>|<img/);
});

describe("behavior 15.83: the messages of a subscriber", () => {
  test("arrive in order, with the same ID on each attempt", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    for (const title of ["one", "two"]) await write(own, title);
    const [first] = await database.store.pageMails.listDue({ now, limit: 1 });
    server.refusals = ["451 4.7.1 greylisted"];
    const sender = start();
    await eventually(() => logged.length === 1);
    expect(subjects()).toEqual([]);
    now += 6 * SECOND;
    sender.wake();
    await eventually(isEmpty);
    expect(subjects()).toEqual(["New incident: one", "New incident: two"]);
    const { headers } = mailParts(server.received[0]?.source ?? "");
    expect(headers["message-id"]).toBe(`<page.${first?.id}@example.com>`);
    expect(logged.join("")).not.toContain("example.com");
  });

  test("do not block each other if one is refused for good", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    for (const title of ["one", "two"]) await write(own, title);
    server.refusals = [`550 5.1.1 no such user ${ADA}`];
    start();
    await eventually(isEmpty);
    expect(subjects()).toEqual(["New incident: two"]);
    expect(logged.join("")).toContain("is not tried again");
    expect(logged.join("")).not.toContain(ADA);
  });

  test("are given up after six attempts", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    await write(own, "one");
    server.refusals = Array.from({ length: 6 }, () => "451 4.7.1 greylisted");
    const sender = start();
    for (let attempts = 1; attempts <= 6; attempts++) {
      await eventually(() => logged.length === attempts);
      now += 31 * MINUTE;
      sender.wake();
    }
    await eventually(isEmpty);
    expect(server.received).toEqual([]);
  });

  test("are not sent again if the outcome can't be stored at first", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    await write(own, "one");
    const { pageMails } = database.store;
    let failures = 2;
    start({
      store: {
        pageMails: {
          ...pageMails,
          async record(outcome) {
            if (failures-- > 0) throw new Error("the database is away");
            await pageMails.record(outcome);
          },
        },
      },
    });
    await eventually(isEmpty);
    expect(subjects()).toEqual(["New incident: one"]);
  });

  test("are sent by one node, and by another one after that stopped", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    await write(own, "one");
    let isElsewhere = true;
    let looked = 0;
    const sender = start({
      isElsewhere() {
        looked++;
        return isElsewhere;
      },
    });
    await eventually(() => looked > 1);
    expect(await database.store.pageMails.count()).toBe(1);
    isElsewhere = false;
    sender.wake();
    await eventually(isEmpty);
    expect(subjects()).toEqual(["New incident: one"]);
  });
});

describe("behavior 15.81: a subscriber", () => {
  test("gets twenty messages a day, of which the last one says so", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    for (let at = 1; at <= 22; at++) await write(own, `number ${at}`);
    const sender = start();
    await eventually(isEmpty);
    expect(subjects()).toEqual(Array.from({ length: 20 }, (_, at) => `New incident: number ${at + 1}`));
    const saysLast = server.received.map(({ source }) =>
      /last message of today/.test(mailParts(source).text),
    );
    expect(saysLast.lastIndexOf(true)).toBe(19);
    expect(saysLast.indexOf(true)).toBe(19);
    await database.store.subscriptions.request({ slug: (await page()).slug, email: ADA, locale: "en" }, now);
    sender.wake();
    await eventually(isEmpty);
    expect(server.received).toHaveLength(21);
    now += DAY;
    await write(own, "tomorrow");
    sender.wake();
    await eventually(isEmpty);
    expect(subjects().at(-1)).toBe("New incident: tomorrow");
  });
});

describe("behavior 15.85: a message that waits is not sent", () => {
  test("if the page is off, or the address confirmed meanwhile", async () => {
    const own = await page();
    await subscribe(database.store, own.slug, ADA, now);
    await write(own, "one");
    await database.store.pages.update(own.organizationId, own.pageId, { visibility: "off" }, now);
    const other = await page();
    for (let times = 0; times < 2; times++)
      await database.store.subscriptions.request({ slug: other.slug, email: ADA, locale: "en" }, now);
    const due = await database.store.pageMails.listDue({ now, limit: 10 });
    const token = due.find(({ mail }) => mail.kind === "optIn")?.subscriber.token ?? "";
    await database.store.subscriptions.confirm(token, now);
    start();
    await eventually(isEmpty);
    expect(server.received).toEqual([]);
  });

  test("without a mail server in the settings", async () => {
    const { slug } = await page();
    await database.store.subscriptions.request({ slug, email: ADA, locale: "en" }, now);
    const { smtp: _, ...settings } = server.settings();
    start({ settings });
    await eventually(isEmpty);
    expect(logged.join("")).toContain("--smtp-url is not set");
  });
});

test("behavior 15.84: an attempt that failed is not repeated while the own network is offline", async () => {
  const own = await page();
  await subscribe(database.store, own.slug, ADA, now);
  await write(own, "one");
  server.refusals = ["451 4.7.1 greylisted"];
  let isOffline = true;
  const sender = start({ isOffline: () => isOffline });
  await eventually(() => logged.length === 1);
  now += MINUTE;
  sender.wake();
  await database.store.subscriptions.request(
    { slug: own.slug, email: "grace@example.com", locale: "en" },
    now,
  );
  sender.wake();
  await eventually(() => server.received.length === 1);
  expect(subjects()).toEqual(["Confirm your subscription to Status of A"]);
  isOffline = false;
  sender.wake();
  await eventually(isEmpty);
  expect(server.received).toHaveLength(2);
});
