import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createPage } from "../support/requests/pages.ts";
import { sendRaw } from "../support/requests/raw-request.ts";

setDefaultTimeout(60_000);

const BASE = "https://example.com/status";
const PATH = "/status";
const PAGE_HOST = "status.example.org";
const PASSWORD = "open sesame";
const GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";

let server: TestServer;
let logoUrl: string;
beforeAll(async () => {
  server = await TestServer.start({ baseUrl: BASE, pageHosts: new Map([[PAGE_HOST, "own"]]) });
  const { client } = server;
  const shop = await createPage(client, { slug: "shop", title: "Shop", visibility: "public", logo: GIF });
  logoUrl = shop.logo.url;
  await createPage(client, { slug: "own", title: "Own", visibility: "public" });
  await createPage(client, { slug: "team", title: "Team", visibility: "password", password: PASSWORD });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/** The attributes of a document that name places of its host. */
function placesIn(html: string): string[] {
  return [...html.matchAll(/ (?:href|src|action|data-url)="([^"#][^"]*)"/g)].map(([, place = ""]) => place);
}

/** Addresses in the sources of the page that would lead to the root of the host, except those that the router completes. */
const FROM_ROOT =
  /<a\b[^>]*\shref=(?:"|\{`|\{")\/|\b(?:fetch|EventSource|register|location\.assign|location\.replace)\((?:"|`)\/|new URL\((?:"|`)\/|\b(?:push|replace)State\([^)]*, (?:"|`)\//;

test("behavior 26.162: no address in the sources of the page leads to the root of the host", async () => {
  for (const own of [
    '<a className="x" href="/docs">',
    "<a href={`/wall`}>",
    'fetch("/x")',
    "location.assign(`/`)",
  ])
    expect(own).toMatch(FROM_ROOT);
  for await (const path of new Bun.Glob("src/dashboard/web/**/*.{ts,tsx}").scan()) {
    const [found] = FROM_ROOT.exec(await Bun.file(path).text()) ?? [];
    expect([path, found]).toEqual([path, undefined]);
  }
});

describe.each([
  ["passes on", PATH],
  ["removes", ""],
])("behavior 26.160: behind a proxy that %s the path", (_, before) => {
  const send = (path: string, init: RequestInit = {}) =>
    fetch(server.client.url + before + path, { redirect: "manual", ...init });
  /** Opens a place of the host, as a browser does. */
  const follow = (place: string) => send(place.slice(PATH.length));
  const read = async (path: string, init?: RequestInit) => (await send(path, init)).text();
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  const json = async (path: string, init?: RequestInit): Promise<any> => (await send(path, init)).json();
  const keyed = () => ({ headers: { authorization: `Bearer ${server.client.key}` } });

  test("behavior 26.162: the page, its files, what it preloads and its manifest are below it", async () => {
    for (const path of ["/", "/monitors/new"]) {
      const answer = await send(path);
      const html = await answer.text();
      expect(html).toContain(`<html data-base="${PATH}"`);
      const preloaded = [...(answer.headers.get("link") ?? "").matchAll(/<([^>]+)>/g)].map(
        ([, at = ""]) => at,
      );
      const places = [...placesIn(html), ...preloaded];
      expect(places.length).toBeGreaterThan(6);
      for (const place of places) {
        expect(place).toStartWith(`${PATH}/`);
        expect([place, (await follow(place)).status]).toEqual([place, 200]);
      }
    }
    const manifest = await json("/manifest.webmanifest");
    expect(manifest).toMatchObject({ id: `${PATH}/`, start_url: `${PATH}/`, scope: `${PATH}/` });
    for (const { src } of manifest.icons) expect([src, (await follow(src)).status]).toEqual([src, 200]);
    expect((await send("/service-worker.js")).status).toBe(200);
  });

  test("behavior 26.162: the guide, the documentation of the API and its server are below it", async () => {
    for (const path of ["/guide", "/guide/channels/slack", "/guide/search?q=nothing+like+this"]) {
      const places = placesIn(await read(path)).filter((place) => !place.startsWith("https://"));
      expect(places.length).toBeGreaterThan(4);
      for (const place of places) expect(place).toMatch(/^\/status(\/|$)/);
    }
    const [document = "", viewer = ""] = placesIn(await read("/docs"));
    expect([document, viewer]).toEqual(["docs/json", `${PATH}/docs/viewer.js`]);
    expect((await follow(viewer)).status).toBe(200);
    const { servers } = await json("/docs/json");
    expect(servers).toEqual([{ url: PATH }]);
  });

  test("behavior 26.160: health, metrics, schema and the API answer, and check-ins count", async () => {
    expect((await send("/healthz")).status).toBe(200);
    expect((await send("/healthz", { method: "HEAD" })).status).toBe(200);
    expect(await read("/metrics", keyed())).toContain("stillup_");
    expect((await send("/schema/config.json")).status).toBe(200);
    expect((await send("/api/v1/nothing")).status).toBe(404);
    expect((await send("/mcp")).status).toBe(405);
    const { id, checkinUrl } = await createMonitor(server.client, "SCHEDULED");
    expect(checkinUrl).toBe(`${BASE}/api/v1/monitors/${id}/checkin`);
    const answer = await follow(new URL(checkinUrl).pathname);
    expect(await answer.json()).toMatchObject({ recorded: "ok" });
  });

  test("behavior 26.162: a public page, its feed, calendar, badge and documents are below it", async () => {
    const html = await read("/status/shop");
    const places = placesIn(html);
    expect(places).toContain(`${BASE}/status/shop`);
    for (const place of places.map((one) => one.replace("https://example.com", ""))) {
      expect(place).toStartWith(`${PATH}/status/shop`);
      expect([place, (await follow(place)).status]).toEqual([place, 200]);
    }
    expect(places.some((place) => place.includes("/logo"))).toBe(true);
    expect(logoUrl).toStartWith(`${PATH}/status/shop/logo?v=`);
    expect(await read("/status/shop/feed.atom")).toContain(`href="${BASE}/status/shop/feed.atom"`);
    for (const path of ["/maintenance.ics", "/badge.svg", "/badge.json", "?embed", "/history/2026-11"])
      expect([path, (await send(`/status/shop${path}`)).status]).toEqual([path, 200]);
    expect((await json("/status/shop/api/v2/summary.json")).page.url).toBe(`${BASE}/status/shop`);
    const missing = await read("/status/nothing", { headers: { accept: "text/html" } });
    expect(placesIn(missing)).toEqual([`${PATH}/icon`]);
    expect((await follow(`${PATH}/icon`)).status).toBe(200);
  });

  test("behavior 26.164: the password of a page leads back to it, and its cookie is for it alone", async () => {
    const form = await read("/status/team", { headers: { accept: "text/html" } });
    expect(placesIn(form)).toContain(`${PATH}/status/team/unlock`);
    const body = new URLSearchParams({ password: PASSWORD });
    const opened = await send("/status/team/unlock", { method: "POST", body });
    expect(opened.status).toBe(303);
    expect(opened.headers.get("location")).toBe(`${PATH}/status/team`);
    const [cookie = ""] = opened.headers.getSetCookie();
    expect(cookie).toContain("; Path=/status/status/team;");
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    expect((await send("/status/team", { headers })).status).toBe(200);
  });

  test("behavior 26.164: a session has a cookie for the path, which is secure over HTTPS", async () => {
    const page = { "sec-fetch-site": "same-origin", origin: "https://example.com" };
    const signedIn = await send("/api/v1/session", {
      method: "POST",
      headers: page,
      body: JSON.stringify({ key: server.client.key }),
    });
    const [set = ""] = signedIn.headers.getSetCookie();
    expect(set).toMatch(/^__Secure-stillup_session=\w+; Path=\/status; .*Secure; HttpOnly; SameSite=Strict$/);
    const [cookie = ""] = set.split(";");
    const current = (cookie: string) => json("/api/v1/session/current", { headers: { ...page, cookie } });
    expect((await current(cookie)).data).toMatchObject({ role: "owner" });
    for (const other of [cookie.replace("__Secure-", "__Host-"), cookie.replace("__Secure-", "")])
      expect((await current(other)).data).toBeNull();
    const missing = await send("/reports/mails/x/2026-11-01", { headers: { ...page, cookie } });
    expect(placesIn(await missing.text())).toEqual([`${PATH}/reports/mails`]);
    const foreign = { ...page, "sec-fetch-site": "same-site", cookie };
    expect((await send("/api/v1/session", { method: "DELETE", headers: foreign })).status).toBe(403);
    const ended = await send("/api/v1/session", { method: "DELETE", headers: { ...page, cookie } });
    expect(ended.headers.getSetCookie()[0]).toStartWith("__Secure-stillup_session=; Path=/status; Max-Age=0");
    expect(signedIn.headers.get("strict-transport-security")).toBeNull();
  });

  test("behavior 26.162: a link of a notification that does not work has the icon of the path", async () => {
    const html = await read("/acknowledge/nothing");
    const places = placesIn(html).map((place) => new URL(place, `${BASE}/acknowledge/nothing`).pathname);
    expect(places).toEqual([`${PATH}/icon`]);
  });

  test("behavior 26.166: passkeys are for the host", async () => {
    const options = await json("/api/v1/session/passkey-options", {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(options.data.rpId).toBe("example.com");
  });

  test("behavior 26.162: links that the API creates are below it", async () => {
    const { client } = server;
    const post = async (path: string, body: object) => (await client.post(`/api/v1/${path}`, body)).body.data;
    const email = `ana${before.length}@example.com`;
    const { inviteUrl } = await post("people", { email, role: "viewer" });
    const { url } = await post("wall-links", { name: "hall" });
    for (const link of [inviteUrl, url]) {
      expect(link).toStartWith(`${BASE}/`);
      expect((await follow(new URL(link).pathname)).status).toBe(200);
    }
  });
});

test("behavior 26.165: a page with a host of its own stays at its root", async () => {
  const ask = (path: string) =>
    fetch(server.client.url + path, { headers: { host: PAGE_HOST, accept: "text/html" } });
  const places = placesIn(await (await ask("/")).text());
  expect(places).toContain(`https://${PAGE_HOST}`);
  const local = places.filter((place) => !place.startsWith(`https://${PAGE_HOST}`));
  expect(local.length).toBeGreaterThan(2);
  for (const place of local) {
    expect(place).not.toStartWith(PATH);
    expect([place, (await ask(place)).status]).toEqual([place, 200]);
  }
  const missing = await ask("/incidents/nothing");
  expect(placesIn(await missing.text()).filter((place) => place.startsWith(PATH))).toEqual([]);
  expect((await ask("/api/v1/monitors")).status).toBe(404);
});

test("behavior 26.160: a request needs no host, and the address of its client is known", async () => {
  const answer = await sendRaw(server.client.url, "GET /status/healthz HTTP/1.0\r\n\r\n");
  expect(answer).toContain('"status":"ok"');
  await createPage(server.client);
  const { body } = await server.client.get("/api/v1/audit");
  expect(body.data[0].actor.address ?? body.data[0].address).toBe("127.0.0.1");
});

test("behavior 26.167: a server without a path knows none, and sends its paths as they are", async () => {
  await using plain = await TestServer.start({ baseUrl: "https://example.com" });
  const get = (path: string) => fetch(plain.client.url + path, { headers: { accept: "text/html" } });
  expect((await get("/up/healthz")).status).toBe(404);
  const html = await (await get("/")).text();
  expect(html).not.toContain("data-base");
  for (const place of placesIn(html)) expect(place).toMatch(/^\/(assets\/|manifest\.)/);
  expect((await get("/")).headers.get("strict-transport-security")).not.toBeNull();
});
