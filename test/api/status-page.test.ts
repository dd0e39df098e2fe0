import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { calmPage, examplePage } from "../support/pages/example-page.ts";
import { servePages } from "../support/pages/page-server.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { createIncident, createPage, PAGES } from "../support/requests/pages.ts";

const page = examplePage();
const incident = page.incidents[1];
const INCIDENT = `/incidents/${incident?.id}`;
const logo = { type: "image/gif", bytes: new TextEncoder().encode("GIF89a") };
const embedOrigins = ["https://a.example", "https://b.example"];
const framed = calmPage({ slug: "framed", accent: "#ffee00", logo, embedOrigins });
const example = servePages([page, calmPage({ slug: "calm" }), framed], { "status.example": "example" });
afterAll(() => example[Symbol.dispose]());

const at = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${example.url}${path}`, { headers, method });

describe.each(["", INCIDENT])("the document at the path %p of a page", (path) => {
  test("behavior 15.42: has a policy that allows only its own style and scripts, and no frame around it", async () => {
    const response = await at(`/status/example${path}`);
    const { status, headers } = response;
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}=' 'sha256-[\w+/]{43}='; connect-src 'self'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const document = await response.text();
    const texts = [...document.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(([, , text = ""]) => text);
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      const hash = new Bun.CryptoHasher("sha256").update(text).digest("base64");
      expect(headers.get("content-security-policy")).toContain(` 'sha256-${hash}'`);
    }
  });

  test("behavior 15.50: is a 304 for a client that has it, and HEAD has the same headers", async () => {
    const { headers } = await at(`/status/example${path}`);
    const etag = headers.get("etag") ?? "";
    expect((await at(`/status/example${path}`, { "if-none-match": etag })).status).toBe(304);
    const head = await at(`/status/example${path}`, {}, "HEAD");
    expect(head.headers.get("etag")).toBe(etag);
    expect(await head.text()).toBe("");
  });
});

test("behavior 15.47: at the host of a page, the paths in it begin at the root", async () => {
  const document = await (await at(INCIDENT, { host: "status.example" })).text();
  expect(document).toContain('href="/icon"');
  expect(document).toContain(`<link rel="canonical" href="${example.url}/status/example${INCIDENT}">`);
  expect((await at(INCIDENT)).status).toBe(404);
});

describe("a page with a look of its own", () => {
  test("behavior 17.26: may be framed by its sites, and its incidents too", async () => {
    const { headers } = await at("/status/framed");
    expect(headers.get("content-security-policy")).toEndWith(
      "frame-ancestors https://a.example https://b.example",
    );
    expect(headers.get("x-frame-options")).toBeNull();
    const other = await at("/status/framed/incidents/none");
    expect(other.headers.get("content-security-policy")).toEndWith("frame-ancestors 'none'");
  });

  test("behavior 17.21: has a second style in its color, which its policy allows", async () => {
    const response = await at("/status/framed");
    const styles = [...(await response.text()).matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, text = ""]) => text,
    );
    expect(styles).toHaveLength(2);
    expect(styles[1]).toContain("--accent:");
    for (const style of styles) {
      const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
      expect(response.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
    }
  });

  test("behavior 17.24: shows its logo, which runs nothing if a browser opens it", async () => {
    expect(await (await at("/status/framed")).text()).toMatch(
      /<img class="logo" src="\/status\/framed\/logo\?v=[0-9a-f]{12}" alt="">/,
    );
    const answer = await at("/status/framed/logo");
    expect(answer.headers.get("content-type")).toBe("image/gif");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=86400");
    expect(answer.headers.get("content-security-policy")).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(await answer.text()).toBe("GIF89a");
    expect((await at("/status/calm/logo")).status).toBe(404);
  });

  test("behavior 17.27: has no header, form and links to formats in a frame, and its links open another window", async () => {
    const document = await (await at("/status/framed?embed")).text();
    expect(document).not.toMatch(/<header|<form|<a [^>]*(#subscribe|feed.atom)/);
    expect(document).toContain('<base target="_blank">');
    expect(document).toContain("All Systems Operational");
    expect(await (await at("/status/framed")).text()).not.toContain("<base");
  });
});

test("behavior 17.14: documents without a state have no script, and no policy for one", async () => {
  const response = await at("/status/none");
  expect(response.headers.get("content-security-policy")).not.toContain("script-src");
  expect(await response.text()).not.toContain("<script");
});

test("behavior 17.15: search engines find a robots.txt", async () => {
  const response = await at("/robots.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toBe("User-agent: *\nDisallow: /api/\n");
});

test.each(["/status/none", "/status/none/incidents/none", "/status/a%2fb"])(
  "behavior 15.45: %s is a 404 with the same document",
  async (path) => {
    const response = await at(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toBe(await (await at("/status/none")).text());
  },
);

test("behavior 15.45: an incident that a page does not show is a 404 that leads to the page, in its language", async () => {
  const texts = {
    en: "This page does not show this incident.",
    de: "Diese Seite zeigt diese Störung nicht.",
  };
  for (const path of ["/status/calm/incidents/none", `/status/calm${INCIDENT}`])
    for (const [language, text] of Object.entries(texts)) {
      const response = await at(path, { "accept-language": language });
      expect(response.status).toBe(404);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const document = await response.text();
      expect(document).toContain(`<h1>${text}</h1>`);
      expect(document).toContain('href="/status/calm/"');
      expect(document).not.toContain("no status page");
    }
});

test("behavior 15.42: every page has the icon of stillup, if the settings have no other one", async () => {
  for (const path of ["/status/example/icon", "/icon"]) {
    const response = await at(path);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(await response.text()).toContain("<title>stillup</title>");
  }
});

/** Timeout of a test that loads the web page, which a server from the sources bundles first, in milliseconds. */
const BUNDLING = 60_000;

describe("in the product", () => {
  let server: ApiServer;
  const HOST = "status.example.com";
  const pageHosts = new Map([[HOST, "shop"]]);
  beforeAll(async () => {
    server = await ApiServer.start({ pageHosts });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers });

  test(
    "behavior 15.47: a page is at its slug and at the root of its host, and `/` of other hosts is the web page",
    async () => {
      const { owner } = await server.organization("Shop", "enterprise");
      expect((await get("/", { host: HOST })).status).toBe(404);
      const { id } = await createPage(owner, { slug: "shop", title: "Shop status", visibility: "public" });
      const { id: incidentId } = await createIncident(owner, id, {
        title: "Slow payments",
        updates: [{ status: "identified", body: "We **know**." }],
      });
      await eventually(async () => (await get("/status/shop")).status === 200);
      expect(await (await get("/status/shop")).text()).toContain("<p>We <strong>know</strong>.</p>");
      const atHost = await get("/", { host: `${HOST.toUpperCase()}:8080` });
      expect(atHost.headers.get("cache-control")).toBe("public, max-age=30");
      expect(await atHost.text()).toContain(`href="/incidents/${incidentId}"`);
      expect((await get(`/incidents/${incidentId}`, { host: HOST })).status).toBe(200);
      expect(await (await get("/")).text()).not.toContain("Shop status");
    },
    BUNDLING,
  );

  test("behavior 15.45: a page that is off is a 404 like one that does not exist", async () => {
    const { owner } = await server.organization("Off", "enterprise");
    const { id, slug } = await createPage(owner, { visibility: "public" });
    expect((await get(`/status/${slug}`)).status).toBe(200);
    await owner.patch(`${PAGES}/${id}`, { visibility: "off" });
    await eventually(async () => (await get(`/status/${slug}`)).status === 404);
    const missing = await get("/status/none");
    expect(await (await get(`/status/${slug}`)).text()).toBe(await missing.text());
  });
});

test("behavior 15.108: a month of a page has what happened in it, and links to the months beside it", async () => {
  const document = await (await at("/status/example/history/2026-10")).text();
  expect(document).toContain("<h2>October 2026</h2>");
  expect(document).toContain('href="/status/example/history/2026-09"');
  expect(document).toContain('href="/status/example/history/2026-11"');
  expect(document).toContain("A note without components or updates");
  for (const none of ["2026-12", "2024-11", "2026-13", "x"])
    expect((await at(`/status/example/history/${none}`)).status).toBe(404);
});

test("behavior 15.109: the calendar is read by calendar programs", async () => {
  const { headers } = await at("/status/example/maintenance.ics");
  expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect((await at("/maintenance.ics", { host: "status.example" })).status).toBe(200);
});

test("behavior 15.111: the components of a subscription are chosen in a document of their own, if the server sends e-mails", async () => {
  using mailing = servePages([page], {}, { smtp: {} as never });
  const document = await (await fetch(`${mailing.url}/status/example/subscriptions`)).text();
  expect(document.match(/<input type="checkbox" name="component"/g)).toHaveLength(50);
  expect(document).toContain('<form method="post" action="/status/example/subscriptions">');
  expect((await at("/status/example/subscriptions")).status).toBe(404);
});
