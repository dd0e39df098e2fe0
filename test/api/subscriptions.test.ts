import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { ApiServer } from "../support/product/api-server.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { createPage } from "../support/requests/pages.ts";
import { dueMails, subscribe } from "../support/store/subscribers.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(300_000);

const HOST = "status.example.com";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const HOUR = 60 * 60 * 1000;

let addresses = 0;

const server = await untilEndOfFile(ApiServer.start({ pageHosts: new Map([[HOST, "with-host"]]) }));
const members = await server.organization("Own", "enterprise");

const newAddress = () => `ada${++addresses}@example.com`;

async function publicPage(values: object = {}): Promise<string> {
  return (await createPage(members.owner, { visibility: "public", title: "Shop", ...values })).slug;
}

/** A client of its own, so that its limit is too. */
let clients = 0;
const newClient = () => `10.0.${Math.floor(++clients / 250)}.${(clients % 250) + 1}`;

interface Sent {
  client?: string;
  accept?: string;
  type?: string;
  host?: string;
}

function post(path: string, body: string, { client = newClient(), accept, type, host }: Sent = {}) {
  const headers = {
    "content-type": type ?? "application/json",
    "x-forwarded-for": client,
    ...(accept && { accept }),
    ...(host && { host }),
  };
  return fetch(`${server.url}${path}`, { method: "POST", body, headers });
}

const request = (slug: string, email: unknown, sent?: Sent) =>
  post(`/status/${slug}/subscriptions`, JSON.stringify({ email }), sent);

async function optIns(email: string): Promise<number> {
  const due = await dueMails(server.store, server.now() + HOUR);
  return due.filter(({ subscriber }) => subscriber.email === email).length;
}

/** All that a client sees, except the time. */
async function seen(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== "date");
  return { status: response.status, headers, body: await response.text() };
}

describe("behavior 15.70: a request for a subscription", () => {
  test("is accepted as JSON and as a form", async () => {
    const slug = await publicPage();
    const form = new FormData();
    const [one, two, three] = [newAddress(), newAddress(), newAddress()];
    form.set("email", three);
    const multipart = new Response(form);
    const type = multipart.headers.get("content-type") ?? "";
    const path = `/status/${slug}/subscriptions`;
    const answers = [
      await request(slug, one),
      await post(path, `email=${encodeURIComponent(two)}&submit=1`, {
        type: "application/x-www-form-urlencoded",
      }),
      await post(path, await multipart.text(), { type }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.json()).toEqual({ data: { status: "pending" } });
    }
    for (const email of [one, two, three]) expect(await optIns(email)).toBe(1);
  });

  test("is answered with a page for a browser", async () => {
    const slug = await publicPage();
    const answer = await request(slug, newAddress(), { accept: BROWSER });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await answer.text()).toContain("Check your inbox");
  });

  test("needs exactly one address", async () => {
    const slug = await publicPage();
    const malformed = [
      ...["", " ", "ada", "ada@", "@example.com", "a b@example.com", "ada@example.com, b@example.com"],
      ...[
        "ada@example.com\r\nBcc: b@example.com",
        '"ada"@example.com',
        "<ada@example.com>",
        "ada@exa_mple.com",
      ],
      ...[`${"a".repeat(65)}@example.com`, `ada@${"a.".repeat(130)}com`, null, 1, ["ada@example.com"], {}],
    ];
    for (const email of malformed) {
      const answer = await request(slug, email);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toEqual({ error: expect.stringMatching(/^email must be /) });
    }
    for (const body of ["", "email=ada", "[]", '{"email":"a@example.com","name":"x"}', "{}"])
      expect((await post(`/status/${slug}/subscriptions`, body)).status).toBe(422);
    const html = await request(slug, "ada", { accept: BROWSER });
    expect(html.status).toBe(422);
    expect(await html.text()).toContain("This is not a valid e-mail address.");
    expect((await request(slug, "a".repeat(1024 * 1024))).status).toBe(413);
  });

  test("ignores case and spaces around the address", async () => {
    const slug = await publicPage();
    const email = newAddress();
    for (const spelling of [email, ` ${email.toUpperCase()} `, email]) await request(slug, spelling);
    const due = await dueMails(server.store, server.now() + HOUR);
    expect(due.filter(({ page }) => page.slug === slug).map(({ subscriber }) => subscriber.email)).toEqual([
      email,
    ]);
  });

  test("needs a public page", async () => {
    const { slug: off } = await createPage(members.owner);
    for (const slug of ["no-such-page", off]) {
      const answer = await request(slug, newAddress());
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: "Not found" });
      const html = await request(slug, newAddress(), { accept: BROWSER });
      expect(html.status).toBe(404);
      expect(html.headers.get("content-type")).toContain("text/html");
    }
  });
});

test("behavior 15.72: the answer is the same for an address that is new, known, confirmed or over its limit", async () => {
  const slug = await publicPage();
  const [known, confirmed, over] = [newAddress(), newAddress(), newAddress()];
  await request(slug, known);
  await subscribe(server.store, slug, confirmed, server.now());
  for (let times = 0; times < 3; times++) await request(slug, over);
  for (const sent of [{}, { accept: BROWSER }]) {
    const answers = [];
    for (const email of [newAddress(), known, confirmed, over])
      answers.push(await seen(await request(slug, email, sent)));
    expect(answers[0]?.status).toBe(202);
    for (const answer of answers) expect(answer).toEqual(answers[0] ?? answer);
  }
});

test("behavior 15.72: one client sends 60 requests an hour, to all pages", async () => {
  const [one, other] = [await publicPage(), await publicPage()];
  const client = newClient();
  for (let sent = 0; sent < 60; sent++) {
    const answer = await request(sent % 2 === 0 ? one : other, sent === 1 ? "malformed" : newAddress(), {
      client,
    });
    expect(answer.status).toBe(sent === 1 ? 422 : 202);
  }
  const email = newAddress();
  const refused = await request(one, email, { client });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(3000, 3601);
  const html = await request(one, email, { client, accept: BROWSER });
  expect(html.status).toBe(429);
  expect(Number(html.headers.get("retry-after"))).toBeWithin(3000, 3601);
  expect(await html.text()).toContain("Too many requests");
  expect(await optIns(email)).toBe(0);
  expect((await request(one, email)).status).toBe(202);
});

describe("the link of a message", () => {
  async function tokenFor(slug: string): Promise<string> {
    const email = newAddress();
    await request(slug, email);
    const due = await dueMails(server.store, server.now() + HOUR);
    return due.find(({ subscriber }) => subscriber.email === email)?.subscriber.token ?? "";
  }

  const form = (slug: string, name: string, token: string) =>
    `/status/${slug}/subscriptions/${name}?token=${token}`;
  const isConfirmed = async (token: string) => {
    const due = await dueMails(server.store, server.now() + HOUR);
    return due.some(({ subscriber }) => subscriber.token === token && subscriber.confirmedAt !== null);
  };

  test("behavior 15.74: shows a form, and only its POST confirms", async () => {
    const slug = await publicPage();
    const token = await tokenFor(slug);
    const path = form(slug, "confirm", token);
    for (const method of ["GET", "HEAD", "GET"]) {
      const shown = await fetch(`${server.url}${path}`, { method });
      expect(shown.status).toBe(200);
      expect(shown.headers.get("cache-control")).toBe("no-store");
      expect(shown.headers.get("content-security-policy")).toContain("form-action 'self'");
      expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
      const text = await shown.text();
      expect(text).not.toContain("@example.com");
      if (method === "GET") expect(text).toContain('<form method="post">');
    }
    expect(await isConfirmed(token)).toBe(false);
    const answer = await post(path, "", { type: "application/x-www-form-urlencoded" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("You are subscribed");
    expect(await isConfirmed(token)).toBe(true);
    expect((await post(path, "")).status).toBe(200);
  });

  test("behavior 15.75: unsubscribes by one click, which a GET does not", async () => {
    const slug = await publicPage();
    const token = await subscribe(server.store, slug, newAddress(), server.now());
    const path = form(slug, "unsubscribe", token);
    expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    expect(await server.store.subscriptions.find(token)).toBeDefined();
    const oneClick = { type: "application/x-www-form-urlencoded" };
    const answer = await post(path, "List-Unsubscribe=One-Click", oneClick);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("You are unsubscribed");
    expect(await server.store.subscriptions.find(token)).toBeUndefined();
    expect((await post(path, "List-Unsubscribe=One-Click", oneClick)).status).toBe(404);
  });

  test("behavior 15.75: with an unknown token is the same page as any that does not exist", async () => {
    const slug = await publicPage();
    const token = await tokenFor(slug);
    const answers = [];
    for (const name of ["confirm", "unsubscribe"])
      for (const wrong of [`${token}x`, "", "x".repeat(10_000), "%00", "%ff"]) {
        answers.push(await seen(await fetch(`${server.url}${form(slug, name, wrong)}`)));
        answers.push(await seen(await post(form(slug, name, wrong), "")));
      }
    for (const answer of answers) expect(answer).toEqual(answers[0] ?? answer);
    expect(answers[0]?.status).toBe(404);
  });

  test("behavior 15.75: of a page that is off unsubscribes, and does not confirm", async () => {
    const page = await createPage(members.owner, { visibility: "public" });
    const token = await tokenFor(page.slug);
    await members.owner.patch(`/api/v1/pages/${page.id}`, { visibility: "off" });
    expect((await fetch(`${server.url}${form(page.slug, "confirm", token)}`)).status).toBe(404);
    expect((await post(form(page.slug, "confirm", token), "")).status).toBe(404);
    expect((await post(form(page.slug, "unsubscribe", token), "")).status).toBe(200);
  });

  test("behavior 15.70: works at the host of the page", async () => {
    const slug = await publicPage({ slug: "with-host" });
    const email = newAddress();
    const answer = await post("/subscriptions", JSON.stringify({ email }), { host: HOST });
    expect(answer.status).toBe(202);
    const due = await dueMails(server.store, server.now() + HOUR);
    const mail = due.find(({ subscriber }) => subscriber.email === email);
    expect(mail?.page.slug).toBe(slug);
    const path = `/subscriptions/confirm?token=${mail?.subscriber.token}`;
    expect((await post(path, "", { host: HOST })).status).toBe(200);
    expect((await post("/subscriptions", JSON.stringify({ email }))).status).toBe(404);
  });
});

describe("behavior 15.111: the components of a subscription", () => {
  async function pageOfTwo() {
    const ids = await Promise.all(
      ["Shop", "Search"].map(async (name) => {
        const { body } = await members.owner.post("/api/v1/monitors", newMonitor("SCHEDULED", { name }));
        return body.data.id;
      }),
    );
    return createPage(members.owner, {
      ...{ visibility: "public", title: "Shop", components: ids.map((monitorId) => ({ monitorId })) },
    });
  }
  const form = { type: "application/x-www-form-urlencoded", accept: BROWSER };

  test("are chosen with the address, changed by the link of a message, and left by it", async () => {
    const { slug, components } = await pageOfTwo();
    const email = newAddress();
    const [one, other] = components.map(({ id }: { id: string }) => id);
    const body = new URLSearchParams({ email, component: one ?? "" });
    expect((await post(`/status/${slug}/subscriptions`, String(body), form)).status).toBe(202);
    const due = await dueMails(server.store, server.now() + HOUR);
    const token = due.find(({ subscriber }) => subscriber.email === email)?.subscriber.token ?? "";
    const path = `/status/${slug}/subscriptions/manage?token=${token}`;
    const managed = await (await fetch(`${server.url}${path}`)).text();
    expect(managed).toContain(`value="${one}" checked`);
    expect(managed).not.toContain(`value="${other}" checked`);
    expect(managed).not.toContain(email);
    expect((await post(path, `component=${other}`, form)).status).toBe(200);
    expect((await server.store.subscriptions.find(token))?.componentIds).toEqual([other]);
    expect((await post(path, "", form)).status).toBe(200);
    expect((await server.store.subscriptions.find(token))?.componentIds).toBeNull();
    expect((await post(path, "unsubscribe=1", form)).status).toBe(200);
    expect(await server.store.subscriptions.find(token)).toBeUndefined();
    expect((await post(path, "", form)).status).toBe(404);
  });

  test("are components of the page, else it is a 422", async () => {
    const { slug } = await pageOfTwo();
    const body = JSON.stringify({ email: newAddress(), componentIds: ["another"] });
    const refused = await post(`/status/${slug}/subscriptions`, body);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toEqual({ error: "componentIds.0 is not a component of this page" });
  });
});
