import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { discordMessage } from "../../src/alerts/discord.ts";
import { mailOf } from "../../src/alerts/mail.ts";
import { describeEvent } from "../../src/alerts/message.ts";
import { slackMessage } from "../../src/alerts/slack.ts";
import { teamsMessage } from "../../src/alerts/teams.ts";
import type { AlertMessage } from "../../src/domain/alerts/alert-event.ts";
import { down } from "../support/alerts/transitions.ts";
import { type Page, readPage } from "../support/documentation/page.ts";
import { Reader, type Surroundings } from "../support/documentation/reader.ts";
import { differences, isShown } from "../support/documentation/shown.ts";
import { eventually } from "../support/eventually.ts";
import { mayListenOn } from "../support/free-port.ts";
import { Binary } from "../support/product/binary.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer, type TestDnsServer } from "../support/servers/dns-server.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { tempDir } from "../support/temp-dir.ts";

const CHATS = {
  "docs/channels/slack.md": { host: "hooks.slack.com", form: slackMessage },
  "docs/channels/discord.md": { host: "discord.com", form: discordMessage },
  "docs/channels/teams.md": { host: "prod-00.westeurope.logic.azure.com", form: teamsMessage },
};

const EMAIL = "docs/channels/email.md";
const WEBHOOK = "docs/channels/webhook.md";

const files = tempDir();
const authorityFile = join(files.path, "authority.pem");
const received: { host: string; path: string; body: unknown }[] = [];
let chats: Bun.Server<undefined> | undefined;
let dns: TestDnsServer;

/** Replaces the chat services under their own names, over TLS, because their webhooks accept only port 443. */
beforeAll(async () => {
  const hosts = Object.values(CHATS).map(({ host }) => host);
  const replies = hosts.map((name) => [`A ${name}`, [{ type: "A" as const, name, data: "127.0.0.1" }]]);
  dns = await startDnsServer({
    ...Object.fromEntries(replies),
    ...Object.fromEntries(hosts.map((name) => [name, []])),
  });
  const authority = await createAuthority();
  await Bun.write(authorityFile, authority.cert);
  const tls = await authority.issue(hosts.map((value) => ({ type: "dns", value })));
  const fetch = async (request: Request) => {
    const { host, pathname: path } = new URL(request.url);
    received.push({ host, path, body: await request.json() });
    return new Response("ok");
  };
  if (canServe) chats = Bun.serve({ hostname: "127.0.0.1", port: 443, tls, fetch });
});

afterAll(async () => {
  await chats?.stop(true);
  dns[Symbol.dispose]();
  files[Symbol.dispose]();
});

const canServe = mayListenOn(443);

for (const [path, { host, form }] of Object.entries(CHATS)) {
  const name = `${path} creates a channel that is notified`;
  test.skipIf(!canServe)(
    canServe ? name : `${name}: NOT RUN, for port 443 can't be listened on here`,
    async () => {
      const page = await readPage(path);
      await follow(page, {
        env: { STILLUP_DNS_SERVERS: `${dns.address}:${dns.port}`, NODE_EXTRA_CA_CERTS: authorityFile },
      });
      const [notification] = received.splice(0);
      const webhook = page.blocks.find(({ text }) => text.includes(`https://${host}/`))?.text ?? "";
      expect(webhook).toContain(`https://${host}${notification?.path}`);
      expect(JSON.stringify(notification?.body)).toContain("Test of this channel is up again");
      expect(Object.keys(notification?.body ?? {})).toEqual(Object.keys(form(message)));
    },
    300_000,
  );

  test(`${path} shows the message that arrives`, async () => {
    const shown = tested(await readPage(path)).find(({ language }) => language === "json");
    expect(differences(shown?.text ?? "", JSON.stringify(form(message)))).toEqual([]);
  });
}

test(`${EMAIL} creates a channel that is notified, and shows the message that arrives`, async () => {
  await using mail = await MailServer.start();
  const { smtp, ca = "" } = mail.settings({ host: "localhost" });
  const authority = join(files.path, "mail.pem");
  await Bun.write(authority, ca);
  const page = await readPage(EMAIL);
  await using reader = new Reader({
    env: { NODE_EXTRA_CA_CERTS: authority },
    replace: { "mail.example.com:587": `localhost:${smtp?.url.port}` },
  });
  await reader.follow(page);
  expect(mail.received[0]).toMatchObject({ to: ["ops@example.com"], secure: true, user: "stillup" });
  expect(mail.received[0]?.source).toContain("Subject: Test of this channel is up again");
  expect(tested(page)[0]?.text.trim()).toBe(mailOf(message).text.trim());
}, 300_000);

test(`${WEBHOOK} shows the request that arrives, and its shell commands verify it`, async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  const server = await binary.serve(["--base-url", "https://up.example.com"]);
  const client = await server.client();
  const secret = "a long random string";
  const channel = { name: "hook", type: "WEBHOOK", config: { url: receiver.url, secret } };
  const { id } = (await client.post("/api/v1/alerts", channel)).body.data;
  const site = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("here") });
  const { url } = site;
  const config = { url: url.href, interval: 1 };
  const monitor = { name: "Shop front", type: "HTTP", config, alertChannelIds: [id] };
  await client.post("/api/v1/monitors", monitor);
  await eventually(async () => (await client.get("/api/v1/status")).body.data.healthy === 1);
  await site.stop(true);
  const { headers, body } = await eventually(() => receiver.received[0]);

  const [shownHeaders, shownBody, shell] = tested(await readPage(WEBHOOK)).map(({ text }) =>
    text.replaceAll("8000", url.port),
  );
  for (const line of shownHeaders?.trim().split("\n").slice(1) ?? []) {
    const [name = "", value = ""] = line.split(": ");
    expect(isShown(value, headers[name] ?? "none")).toBe(true);
  }
  expect(differences(shownBody ?? "", body)).toEqual([]);

  const verify = async (text: string) => {
    const env = {
      PATH: process.env.PATH ?? "",
      SECRET: secret,
      WEBHOOK_ID: headers["webhook-id"] ?? "",
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"] ?? "",
      WEBHOOK_SIGNATURE: headers["webhook-signature"] ?? "",
    };
    return Bun.spawn(["sh", "-c", shell ?? ""], { env, stdin: Buffer.from(text) }).exited;
  };
  expect(await verify(body)).toBe(0);
  expect(await verify(body.replace("down", "up"))).not.toBe(0);
}, 300_000);

const message: AlertMessage = describeEvent(down, "https://up.example.com");

function tested({ blocks }: Page) {
  return blocks.filter(({ mark }) => mark === "tested by test/e2e/docs-channels.e2e.ts");
}

/** The page of a chat service continues after the first block of docs/channels/README.md. */
async function follow(page: Page, surroundings: Surroundings): Promise<void> {
  const { path, blocks } = await readPage("docs/channels/README.md");
  const beginning = blocks.slice(0, blocks.findIndex(({ mark }) => mark === "run") + 1);
  await using reader = new Reader(surroundings);
  await reader.follow({ path, blocks: beginning });
  await reader.follow(page);
}
