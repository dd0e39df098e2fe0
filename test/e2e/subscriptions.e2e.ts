import { expect, test } from "bun:test";
import { join } from "node:path";
import { becomes } from "../support/browser/becomes.ts";
import { eventually } from "../support/eventually.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";
import { mailParts } from "../support/servers/mail-parts.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { dueMails } from "../support/store/subscribers.ts";

const ADA = "ada@example.com";

/** Starts the binary with this mail server. */
async function serveWith(binary: Binary, mail: MailServer, baseUrl?: string): Promise<RunningServer> {
  const { smtp, ca = "" } = mail.settings({ host: "localhost" });
  const authority = join(binary.folder, "authority.pem");
  await Bun.write(authority, ca);
  const args = ["--smtp-from", "stillup@example.com", ...(baseUrl ? ["--base-url", baseUrl] : [])];
  return binary.serve(args, { STILLUP_SMTP_URL: smtp?.url.href ?? "", NODE_EXTRA_CA_CERTS: authority });
}

const subjectsTo = (mail: MailServer, address: string) =>
  mail.received
    .filter(({ to }) => to[0] === address)
    .map(({ source }) => mailParts(source).headers.subject ?? "");

/** The link of the newest message, at the present address of the server. */
function linkOf(mail: MailServer, form: "confirm" | "unsubscribe", url: string): string {
  const { text } = mailParts(mail.received.at(-1)?.source ?? "");
  const [, path = ""] = new RegExp(`(/status/\\S+/subscriptions/${form}\\?\\S+)`).exec(text) ?? [];
  return `${url}${path}`;
}

const subscribeTo = (url: string, slug: string, email: string) =>
  fetch(`${url}/status/${slug}/subscriptions`, { method: "POST", body: JSON.stringify({ email }) });

test("behavior 15.71 to 15.82: an address subscribes, confirms, gets incidents and outages, and unsubscribes by one click", async () => {
  await using binary = new Binary();
  await using mail = await MailServer.start();
  const server = await serveWith(binary, mail);
  const client = await server.client();
  const job = (await client.post("/api/v1/monitors", { name: "Backup", type: "SCHEDULED", config: {} })).body
    .data;
  const components = [{ monitorId: job.id, name: "Archive" }];
  const page = await createPage(client, { title: "Shop", visibility: "public", minOutage: 0, components });

  expect((await subscribeTo(server.url, page.slug, ADA)).status).toBe(202);
  await eventually(() => mail.received.length === 1);
  const confirm = linkOf(mail, "confirm", server.url);
  expect(await (await fetch(confirm)).text()).toContain("Confirm your subscription");
  expect((await fetch(confirm, { method: "POST" })).status).toBe(200);

  await createIncident(client, page.id, {
    title: "Slow",
    updates: [{ status: "investigating", body: "We look." }],
  });
  await eventually(() => mail.received.length === 2);
  await fetch(`${job.checkinUrl}?status=fail`);
  await eventually(() => mail.received.length === 3);
  await fetch(job.checkinUrl);
  await eventually(() => mail.received.length === 4);
  expect(subjectsTo(mail, ADA)).toEqual([
    "Confirm your subscription to Shop",
    "Investigating: Slow",
    "Archive is down",
    "Resolved: Archive is down",
  ]);
  for (const { source } of mail.received) expect(source).not.toContain(job.id);

  const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  expect((await fetch(linkOf(mail, "unsubscribe", server.url), oneClick)).status).toBe(200);
  await createIncident(client, page.id, { title: "Later" });
  await using opened = await binary.attach();
  expect(await dueMails(opened.store, Date.now())).toEqual([]);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await server.log).not.toContain(ADA);
  expect(mail.received).toHaveLength(4);
}, 300_000);

test("behavior 15.83: messages survive kill -9, each arrives, and in order", async () => {
  await using binary = new Binary();
  await using mail = await MailServer.start();
  const addresses = Array.from({ length: 5 }, (_, at) => `reader${at}@example.com`);
  const titles = Array.from({ length: 12 }, (_, at) => `Incident ${at + 1}`);
  let server = await serveWith(binary, mail);
  let client = await server.client();
  const page = await createPage(client, { title: "Shop", visibility: "public" });
  for (const [at, address] of addresses.entries()) {
    await subscribeTo(server.url, page.slug, address);
    await eventually(() => mail.received.length === at + 1);
    await fetch(linkOf(mail, "confirm", server.url), { method: "POST" });
  }
  for (const title of titles) {
    await createIncident(client, page.id, { title });
    if (title === "Incident 4" || title === "Incident 8") {
      await server.kill();
      server = await serveWith(binary, mail);
      client = await server.client();
    }
  }
  await server.kill();
  server = await serveWith(binary, mail);
  const expected = ["Confirm your subscription to Shop", ...titles.map((title) => `New incident: ${title}`)];
  // A message that was sent just before a kill may arrive twice, with the same ID.
  for (const address of addresses)
    await becomes(() => Promise.resolve([...new Set(subjectsTo(mail, address))]), expected);
  const messages = Map.groupBy(
    mail.received,
    ({ to, source }) => `${to} ${mailParts(source).headers.subject}`,
  );
  for (const copies of messages.values())
    expect(new Set(copies.map(({ source }) => mailParts(source).headers["message-id"])).size).toBe(1);
}, 300_000);
