import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { textsOf } from "../../src/alerts/languages/load.ts";
import type { Config } from "../../src/config.ts";
import { readerOf } from "../../src/domain/pages/reader-locale.ts";
import { createLogger } from "../../src/log.ts";
import { createAcknowledgeLinks } from "../../src/runner/deliveries/acknowledge-links.ts";
import { createBeginnings } from "../../src/runner/people/beginnings.ts";
import { localizationOf } from "../../src/status-page/localization.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { mailParts } from "../support/servers/mail-parts.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(60_000);

const mails = await untilEndOfFile(MailServer.start({ startTls: false }));
const { smtp } = mails.settings({ host: "127.0.0.1" });
const logged: string[] = [];
const log = createLogger({ level: "debug" }, (line) => logged.push(line));
const server = await untilEndOfFile(TestServer.start(smtp ? { smtp } : {}, log));
const owner = server.client;

const LINK = /https?:\/\/[^\s"<>)\]|\\]+/g;
const isToken = (url: string) => url.includes("/acknowledge/");

/** A job that fails, and the e-mail about it. @returns also the links of the mail, and its outage */
async function notifiedByMail({ name = "Ops", client = owner } = {}) {
  const to = `${crypto.randomUUID()}@example.com`;
  const channel = await createChannel(client, { name, type: "EMAIL", config: { to } });
  const job = await createMonitor(client, "SCHEDULED", { alertChannelIds: [channel.id] });
  await checkIn(client, job.id, "ok", "fail");
  const mail = async (at: number) => {
    const { source } = await eventually(() => mails.received.filter((one) => one.to[0] === to)[at]);
    const { text, html } = mailParts(source);
    return { text, links: [...new Set([...text.matchAll(LINK), ...html.matchAll(LINK)].map(String))] };
  };
  const { links } = await mail(0);
  return {
    channel,
    job,
    links,
    link: links.find(isToken) ?? "",
    mail,
    outage: () => outageOf(client, job.id),
  };
}

async function outageOf(client: Client, monitorId: string) {
  return (await client.get(`/api/v1/outages?monitorId=${monitorId}`)).body.data[0];
}

const press = (url: string, headers: Record<string, string> = {}) => fetch(url, { method: "POST", headers });

describe("behavior 23.51: a link in an e-mail", () => {
  test("acknowledges nothing if a mail scanner follows every link of the mail", async () => {
    const { links, link, outage } = await notifiedByMail();
    expect(links.filter(isToken)).toEqual([link]);
    for (const url of links)
      for (const method of ["GET", "HEAD", "OPTIONS"]) await fetch(url, { method }).then((one) => one.text());
    const page = await fetch(link);
    expect(page.status).toBe(200);
    const shown = [...(await page.text()).matchAll(/(?:href|action|src)="([^"]*)"/g)].map(
      ([, url = ""]) => url,
    );
    for (const url of shown) await fetch(new URL(url, link)).then((one) => one.text());
    expect(await outage()).toMatchObject({ acknowledgedAt: null, acknowledgedBy: null });
  });

  test("acknowledges its outage by a POST without a body, a cookie or an origin, in the name of the channel", async () => {
    const { link, outage, channel, job } = await notifiedByMail({ name: "Night <b>shift</b>" });
    const answer = await press(link);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining("<h1>Acknowledged</h1>"),
    ]);
    const acknowledgedBy = "Night <b>shift</b> (by notification)";
    const { id } = await outage();
    expect(await outage()).toMatchObject({ acknowledgedBy, acknowledgedAt: expect.any(String), note: null });
    const [entry] = (await owner.get("/api/v1/audit?limit=1")).body.data;
    expect(entry).toMatchObject({
      action: "outage.acknowledged",
      actor: { type: "notification", id: channel.id, name: channel.name },
      resource: { type: "outage", id, name: job.name },
      changed: [],
    });
  });

  test("ignores cookies and the origin of a POST", async () => {
    const { link, outage } = await notifiedByMail();
    const headers = { cookie: "stillup_session=x", origin: "https://elsewhere.example.com" };
    expect((await press(link, headers)).status).toBe(200);
    expect(await outage()).toMatchObject({ acknowledgedBy: "Ops (by notification)" });
  });

  test("shows a page that nobody keeps, that loads nothing and runs no script", async () => {
    const { link } = await notifiedByMail();
    const page = await fetch(link);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      ...{ "cache-control": "no-store", "referrer-policy": "no-referrer" },
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-\S+'; .*form-action 'self'/,
      ),
    });
    const text = await page.text();
    expect(text).not.toContain("<script");
    expect(text.match(/<button/g)).toHaveLength(1);
  });
});

test("behavior 27.48: the page behind a link is in the language of its reader", async () => {
  const { link, outage, job } = await notifiedByMail();
  const headers = { "accept-language": "he-IL, de;q=0.8" };
  const pageOf = async (method: string, url = link) => (await fetch(url, { method, headers })).text();
  const { isolated } = localizationOf(readerOf("he", null), "UTC");
  const { acknowledgePage: words, link: links } = textsOf("he");
  const asked = await pageOf("GET");
  expect(asked).toContain('<html lang="he" dir="rtl">');
  for (const text of [words.ask.title, isolated(job.name), words.ask.effect, links.acknowledge])
    expect(asked).toContain(text);
  expect(await pageOf("POST")).toContain(words.acknowledged.now);
  expect(await pageOf("GET")).toContain(words.acknowledged.before);
  expect(await pageOf("GET", `${link}x`)).toContain(words.missing.text);
  await checkIn(owner, job.id, "ok");
  expect(await outage()).toMatchObject({ endedAt: expect.any(String) });
  expect(await pageOf("GET")).toContain(words.ended.title);
});

describe("behavior 23.52: a link", () => {
  test("of an outage that somebody else has acknowledged says so, and changes nothing", async () => {
    const { link, outage } = await notifiedByMail();
    const { id } = await outage();
    await owner.post(`/api/v1/outages/${id}/acknowledge`, { note: "disk full" });
    const before = await outage();
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(link, { method });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining("Already acknowledged"),
      ]);
    }
    expect(await outage()).toMatchObject({ note: "disk full", acknowledgedAt: before.acknowledgedAt });
  });

  test("of an outage that has ended says so, and is for no other outage of the same monitor", async () => {
    const { link, outage, job, mail } = await notifiedByMail();
    await checkIn(owner, job.id, "ok", "fail");
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(link, { method });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining("The outage has ended"),
      ]);
    }
    expect(await outage()).toMatchObject({ endedAt: null, acknowledgedAt: null });
    expect((await mail(1)).links.filter(isToken)).toEqual([]);
    const next = (await mail(2)).links.find(isToken) ?? "";
    expect((await press(next)).status).toBe(200);
    expect(await outage()).toMatchObject({ acknowledgedBy: "Ops (by notification)" });
  });

  test("answers the same 404 if it is forged or expired, or if its channel or its monitor is deleted", async () => {
    const [one, other, third] = [await notifiedByMail(), await notifiedByMail(), await notifiedByMail()];
    const { id: outageId } = await one.outage();
    await owner.delete(`/api/v1/alerts/${other.channel.id}`);
    await owner.delete(`/api/v1/monitors/${third.job.id}`);
    const { id: otherId } = await other.outage();
    const links = [
      `${owner.url}/acknowledge/nothing`,
      one.link.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      one.link.replace(outageId, otherId),
      await linkOf({ outageId, channelId: one.channel.id }, server.now() - 86_400_001),
      await linkOf({ outageId, channelId: "unknown" }, server.now()),
      other.link,
      third.link,
    ];
    const bodies = new Set<string>();
    for (const link of links) {
      for (const method of ["GET", "POST"]) {
        const answer = await fetch(link, { method, headers: { accept: "text/html" } });
        expect(answer.status).toBe(404);
        bodies.add(await answer.text());
      }
    }
    expect(bodies.size).toBe(1);
    expect(await one.outage()).toMatchObject({ acknowledgedAt: null });
    // The same key: a link of now works.
    const valid = await linkOf({ outageId, channelId: one.channel.id }, server.now());
    expect((await fetch(valid)).status).toBe(200);
  });

  test("names a channel of another organization: 404", async () => {
    const stranger = await server.organization();
    const theirs = await createChannel(stranger);
    const { id: outageId } = await (await notifiedByMail()).outage();
    const link = await linkOf({ outageId, channelId: theirs.id }, server.now());
    expect((await fetch(link)).status).toBe(404);
  });
});

/** A link by the key of the server. @param at when it is sent, in milliseconds since 1970 */
async function linkOf(notified: { outageId: string; channelId: string }, at: number): Promise<string> {
  const beginnings = createBeginnings({ store: server.store, clock: { now: server.now.bind(server) } });
  await beginnings.start();
  const clock = { now: server.now.bind(server) };
  return createAcknowledgeLinks({ clock, baseUrl: () => owner.url, beginnings }).urlOf(notified, at);
}

test("behavior 23.53: a token is in no log, no answer of the API, no export and no entry of the audit log", async () => {
  const { link, job, outage, channel } = await notifiedByMail();
  await fetch(link);
  await press(link);
  await fetch(link.replace(/.$/, "x"));
  const { id } = await outage();
  const token = link.slice(link.lastIndexOf("/") + 1);
  const code = token.slice(token.lastIndexOf(".") + 1);
  const paths = [
    ...[`/api/v1/alerts/${channel.id}`, `/api/v1/alerts/${channel.id}/deliveries`, "/api/v1/audit"],
    ...[`/api/v1/outages/${id}`, `/api/v1/outages/${id}/timeline`, `/api/v1/outages/${id}/report`],
    ...["/api/v1/outages.csv", `/api/v1/monitors/${job.id}/results`, "/api/v1/events", "/api/v1/export"],
  ];
  for (const path of paths) {
    const answer = await fetch(owner.url + path, { headers: { authorization: `Bearer ${owner.key}` } });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).not.toContain(code);
  }
  expect(logged.join("\n")).toContain("delivered");
  expect(logged.join("\n")).not.toContain(code);
  expect(logged.join("\n")).not.toContain("/acknowledge/");
});

/** The bodies that a channel of a format receives about a job that fails and then succeeds. */
async function bodiesOf(format: string, options?: object, { client } = server): Promise<[string, string]> {
  const bodies: string[] = [];
  const receive = async (request: Request) => Response.json({ got: bodies.push(await request.text()) });
  await using receiver = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: receive });
  const config = { url: receiver.url.href, format, ...(options && { options }) };
  const channel = await createChannel(client, { config });
  const job = await createMonitor(client, "SCHEDULED", { alertChannelIds: [channel.id] });
  await checkIn(client, job.id, "ok", "fail");
  await eventually(() => bodies[0]);
  await checkIn(client, job.id, "ok");
  await eventually(() => bodies[1]);
  return bodies.map((body) => decodeURIComponent(body.replaceAll("+", " "))) as [string, string];
}

const CHATS: [string, object][] = [
  ["telegram", { token: "1:a", chatId: "1" }],
  ["googlechat", {}],
  ["matrix", { token: "a", roomId: "!a:example.com" }],
  ["signal", { number: "+4915112345678", recipients: ["+4915112345679"] }],
  ["zulip", { email: "a@example.com", token: "a", stream: "a" }],
  ["mattermost", {}],
  ["ntfy", { topic: "a" }],
  ["pushover", { token: "a", user: "b" }],
  ["gotify", { token: "a" }],
];

test.each(CHATS)(
  "behavior 23.54: a %s message has the link, a recovery has none",
  async (format, options) => {
    const [trouble, recovery] = await bodiesOf(format, options);
    expect(trouble).toContain(`${owner.url}/acknowledge/`);
    expect(recovery).not.toContain("/acknowledge/");
  },
);

test("behavior 23.54: ntfy has a button that sends the request", async () => {
  const [trouble] = await bodiesOf("ntfy", { topic: "a" });
  const { actions } = JSON.parse(trouble);
  expect(actions[1]).toEqual({
    ...{ action: "http", label: "Acknowledge", method: "POST", clear: true },
    url: expect.stringContaining(`${owner.url}/acknowledge/`),
  });
});

test.each([
  ["standard", undefined],
  ["custom", { body: '{ "text": "{{text}}", "link": "{{link}}" }' }],
  ["pagerduty", { routingKey: "a".repeat(32) }],
  ["alertmanager", undefined],
])("behavior 23.54: a request of the format %s has no link", async (format, options) => {
  const [trouble] = await bodiesOf(format, options);
  expect(trouble).not.toContain("/acknowledge/");
});

test("behavior 23.55: without links, messages have none, those of before are a 404, and buttons of devices stay", async () => {
  const changes: Partial<Config> = { acknowledgeLinks: false };
  await using without = await TestServer.start(changes);
  const [trouble] = await bodiesOf("ntfy", { topic: "a" }, without);
  expect(JSON.parse(trouble).actions).toHaveLength(1);
  const beginnings = createBeginnings({ store: without.store, clock: { now: () => without.now() } });
  await beginnings.start();
  const clock = { now: () => without.now() };
  const { client } = without;
  const links = createAcknowledgeLinks({ clock, baseUrl: () => client.url, beginnings });
  const channel = await createChannel(client);
  const job = await createMonitor(client, "SCHEDULED");
  await checkIn(client, job.id, "ok", "fail");
  const { id: outageId } = await outageOf(client, job.id);
  const url = links.urlOf({ outageId, channelId: channel.id }, without.now());
  expect((await press(url)).status).toBe(404);
});
