import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { Crawler, type Fetched } from "../support/pages/crawler.ts";
import { leaksOf } from "../support/pages/leaks.ts";
import { privateTexts } from "../support/pages/private-texts.ts";
import { HOST_OF_SHOP, OFF, OTHER_URLS, PARTNERS, pagePaths, SHOP } from "../support/pages/public-urls.ts";
import { ONLY, PRIVATE, STRANGER, SUBSCRIBER } from "../support/pages/secret-words.ts";
import { BASE_URL, type Seeded, seededFlags, seedInstance } from "../support/pages/seeded-instance.ts";
import { Binary } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { MailServer, type ReceivedMail } from "../support/servers/mail-server.ts";
import { HttpTarget } from "../support/servers/targets.ts";

const METHODS = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

test("behavior 15.30: no public byte has a target, a reason, a secret, an ID or an address of what is private, or the name of a monitor of no page", async () => {
  await using binary = new Binary();
  await using mail = await MailServer.start({ startTls: false });
  await using target = new HttpTarget(
    () => new Response("zqanswerzq", { status: 503, headers: { "X-Answer": "zqansweringzq" } }),
  );
  using dns = await startDnsServer({});
  const { smtp } = mail.settings({ host: "127.0.0.1" });
  const mailFlags = ["--smtp-url", String(smtp?.url), "--smtp-from", "status@example.com"];
  const dnsFlags = ["--dns-servers", `127.0.0.1:${dns.port}`];
  const server = await binary.serve([...seededFlags, ...mailFlags, ...dnsFlags]);
  const client = await server.client();
  const seeded = await seedInstance(client, target.url);
  await subscribe(server.url, mail);
  await seeTrouble(client, seeded);

  const crawler = new Crawler(server.url);
  await eventually(async () =>
    (await crawler.send(`${HOST_OF_SHOP}/api/v2/summary.json`)).text.includes(" is down"),
  );
  crawler.fetched.length = 0;
  await readEverything(crawler, seeded);

  const secrets = await privateTexts(client, await shownTexts(client));
  assertThatAllIsCovered(crawler.fetched, secrets);
  expect(leaksOf(crawler.fetched, secrets, target.url)).toEqual([]);

  await eventually(() => mail.received.some(({ source }) => decoded(source).includes(`Turned ${ONLY.shop}`)));
  expect(mail.received.flatMap((one) => leaksOfMail(one, secrets))).toEqual([]);
}, 300_000);

/** An e-mail has the address of its recipient, and of nobody else. */
function leaksOfMail({ source, to }: ReceivedMail, secrets: Set<string>): string[] {
  const text = to.reduce((all, address) => all.replaceAll(address, ""), decoded(source));
  return [...(text.match(PRIVATE) ?? []), ...[...secrets].filter((secret) => text.includes(secret))];
}

test("the search finds a private text in any form, in a body and in a header", () => {
  const url = `${SHOP[0]}/feed.atom`;
  const secret = 'https://shop.internal/?a="b"&c';
  const planted = [
    ...[secret, Bun.escapeHTML(secret), encodeURIComponent(secret), btoa(`xx${secret}`)],
    ...[Buffer.from(secret).toString("hex"), "ZQnoteZQ", ONLY.partners, "many%40example.com"],
  ];
  const harmless = ["shop.internal", ONLY.shop, "zq is no word"];
  const one = (text: string): Fetched => ({ method: "GET", url, status: 200, headers: new Headers(), text });
  for (const text of planted) {
    const found = [one(text), { ...one(""), headers: new Headers({ "x-any": text }) }];
    expect(leaksOf(found, new Set([secret]), "http://127.0.0.1:4711/")).toHaveLength(2);
  }
  for (const text of harmless)
    expect(leaksOf([one(text)], new Set([secret]), "http://127.0.0.1:4711/")).toEqual([]);
});

/** One subscriber confirms, and another one does not. */
async function subscribe(url: string, mail: MailServer): Promise<void> {
  for (const email of [SUBSCRIBER, STRANGER]) {
    const sent = mail.received.length;
    const { status } = await fetch(`${url}/status/shop/subscriptions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });
    expect(status).toBe(202);
    await eventually(() => mail.received.length > sent);
  }
  const [link = ""] = /https:\S+\/confirm\?token=[\w-]+/.exec(decoded(mail.received[0]?.source ?? "")) ?? [];
  const { pathname, search } = new URL(link);
  const confirmed = await fetch(`${url}${pathname}${search}`, {
    method: "POST",
    headers: { host: new URL(link).host },
  });
  expect(confirmed.status).toBe(200);
}

/** Quoted-printable, and MIME parts in base64. */
function decoded(source: string): string {
  const plain = source.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
  const coded = [...source.matchAll(/^base64\r?\n\r?\n([\w+/=\r\n]+)/gm)].map(([, text = ""]) =>
    atob(text.replaceAll(/\s/g, "")),
  );
  return [plain, ...coded].join("\n");
}

/** Waits for the outages of all monitors in trouble. An outage is acknowledged, another becomes an incident. */
async function seeTrouble(client: Client, { shop, broken }: Seeded): Promise<void> {
  const outages = await eventually(async () => {
    const { body } = await client.get("/api/v1/outages?open=true");
    return body.data.length >= 7 && body.data;
  }, 300_000);
  const { id } = outages.find(({ monitor }: { monitor: { id: string } }) => monitor.id === broken);
  const note = { note: "zqnotezq" };
  expect(await client.post(`/api/v1/outages/${id}/acknowledge`, note)).toMatchObject({ status: 200 });
  const incident = { title: `Turned ${ONLY.shop}`, impact: "major", outageId: id, updates: [] };
  expect(await client.post(`/api/v1/pages/${shop.id}/incidents`, incident)).toMatchObject({ status: 201 });
}

async function readEverything(crawler: Crawler, { shop, broken, hidden }: Seeded): Promise<void> {
  const componentIds = [...shop.components.map(({ id }) => id), "unknown", broken, ...hidden];
  const pages = [...SHOP, ...PARTNERS, ...OFF, `${BASE_URL}/status/unknown`];
  const urls = pages.flatMap((page) => pagePaths(componentIds).map((path) => page + path));
  await crawler.follow([...urls, ...OTHER_URLS]);
  for (const url of pages.flatMap((page) => pagePaths(["unknown"]).map((path) => page + path)))
    for (const method of METHODS) await crawler.send(url, { method });
  const form = "application/x-www-form-urlencoded";
  for (const page of pages) {
    for (const email of [SUBSCRIBER, STRANGER, "zqnewzq@example.com", "zqmalformedzq", ""]) {
      for (const accept of ["text/html", "application/json"]) {
        const as = (type: string) => ({ "content-type": type, accept });
        await crawler.send(`${page}/subscriptions`, {
          method: "POST",
          headers: as("application/json"),
          body: JSON.stringify({ email }),
        });
        await crawler.send(`${page}/subscriptions`, {
          method: "POST",
          headers: as(form),
          body: String(new URLSearchParams({ email })),
        });
      }
    }
    await crawler.send(`${page}/subscriptions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"email":',
    });
  }
  for (let count = 0; count < 70; count++)
    await crawler.send(`${SHOP[0]}/subscriptions`, {
      method: "POST",
      headers: { "content-type": form },
      body: "email=many@example.com",
    });
}

/** The texts that the organization publishes: the API has them too. */
async function shownTexts(client: Client): Promise<Set<string>> {
  const { body } = await client.get("/api/v1/pages");
  const pages = body.data.filter(({ visibility }: { visibility: string }) => visibility === "public");
  const texts = pages.flatMap(({ components, ...page }: { components: { monitorId: string }[] }) => [
    ...Object.values(page),
    ...components.flatMap(({ monitorId: _, ...component }) => Object.values(component)),
  ]);
  const monitors = (await client.get("/api/v1/monitors")).body.data;
  const names = monitors
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !PRIVATE.test(name));
  const maintenances = (await client.get("/api/v1/maintenances")).body.data;
  const windows = maintenances.flatMap(({ title, message }: Record<string, string>) => [title, message]);
  const incidents = await Promise.all(
    pages.map(
      async ({ id }: { id: string }) => (await client.get(`/api/v1/pages/${id}/incidents`)).body.data,
    ),
  );
  const written = incidents.flat().flatMap(({ id, title }) => [id, title]);
  return new Set([...texts, ...names, ...windows, ...written].filter((text) => !PRIVATE.test(text)));
}

const KINDS_OF_SECRETS =
  "path token user body expected replaced servername hostname record note channel hook key location tag hidden window";

/** The test proves nothing if the private data or the public answers are missing. */
function assertThatAllIsCovered(fetched: Fetched[], secrets: Set<string>): void {
  const all = [...secrets].join("\n");
  for (const word of KINDS_OF_SECRETS.split(" ")) expect(all).toContain(`zq${word}zq`);
  expect(all).toContain("503 Service Unavailable");
  expect(all).toContain("refused");

  const seen = (property: (one: Fetched) => unknown) => new Set(fetched.map(property));
  expect([...seen(({ status }) => status)].sort()).toEqual(
    expect.arrayContaining([200, 202, 304, 404, 422, 429]),
  );
  const types = seen(({ headers }) => headers.get("content-type")?.split(";")[0]);
  for (const type of ["text/html", "application/json", "application/atom+xml", "image/svg+xml"])
    expect([...types]).toContain(type);
  expect(seen(({ headers }) => headers.get("content-encoding"))).toEqual(new Set([null, "gzip", "br"]));
  const texts = fetched.map(({ text }) => text).join("\n");
  for (const text of ["Turned zwshopzw", "Mail is down", "Upgrade zwshopzw", "Gateway zwpartnerszw"])
    expect(texts).toContain(text);
}
