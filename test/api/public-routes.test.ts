import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { formatPaths } from "../support/pages/format-paths.ts";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";

setDefaultTimeout(300_000);

const HOST = "status.example";
const SLUG = "routes";

let server: TestServer;
/** All that is answered to GET, with its type: paths below the page. */
let paths: [path: string, type: string][];

beforeAll(async () => {
  server = await TestServer.start({ pageHosts: new Map([[HOST, SLUG]]) });
  const { client } = server;
  const { id: monitorId } = await createMonitor(client, "SCHEDULED");
  const page = await createPage(client, {
    slug: SLUG,
    visibility: "public",
    showLatency: true,
    language: "en",
    components: [{ monitorId }],
  });
  const incident = await createIncident(client, page.id);
  paths = [
    ["", "text/html; charset=utf-8"],
    [`/incidents/${incident.id}`, "text/html; charset=utf-8"],
    ["/icon", "image/svg+xml"],
    ...formatPaths(page.components[0].id),
  ];
});

afterAll(() => server[Symbol.asyncDispose]());

const send = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${server.client.url}${path}`, { method, headers });

test("behavior 9.101, 15.103, 21.60: the host of a page has nothing but that page and /healthz", async () => {
  const host = { host: HOST };
  expect((await send("/healthz", host)).status).toBe(200);
  const others = [
    "/monitors",
    "/docs/json",
    "/schema/config.json",
    "/api/v1/monitors",
    "/status/other",
    "/metrics",
    "/manifest.webmanifest",
    "/service-worker.js",
  ];
  const { id } = await createMonitor(server.client, "SCHEDULED");
  for (const path of [...others, `/api/v1/monitors/${id}/checkin`, `/status/${SLUG}-2`, "/assets/x.js"]) {
    const answer = await send(path, { ...host, authorization: `Bearer ${server.client.key}` });
    expect([path, answer.status, await answer.json()]).toEqual([path, 404, { error: "Not found" }]);
    const document = await send(path, { ...host, accept: "text/html" });
    const isForPrograms = path.startsWith("/api/");
    expect([path, document.status, (await document.text()).includes("There is no status page")]).toEqual([
      path,
      404,
      !isForPrograms,
    ]);
  }
});

/** The same at both places of a page. */
async function everywhere(
  look: (path: string, headers: Record<string, string>, type: string) => Promise<void>,
) {
  for (const [path, type] of paths) {
    await look(`/status/${SLUG}${path}`, {}, type);
    await look(path === "" ? "/" : path, { host: HOST }, type);
  }
}

test("behavior 15.50: every public route may be kept for 30 seconds and be read by scripts of other hosts", async () => {
  await everywhere(async (path, host, type) => {
    const { status, headers } = await send(path, host);
    expect([path, status, headers.get("content-type")]).toEqual([path, 200, type]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=30",
      vary: "accept-encoding, host",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'; ");
    expect(headers.get("set-cookie")).toBeNull();
  });
});

test("behavior 15.50: every public route answers a 304 to a client that has it", async () => {
  await everywhere(async (path, host) => {
    const etag = (await send(path, host)).headers.get("etag") ?? "";
    const known = await send(path, { ...host, "if-none-match": `"other", W/${etag}` });
    expect([path, known.status, await known.text()]).toEqual([path, 304, ""]);
    expect(known.headers.get("access-control-allow-origin")).toBe("*");
    expect((await send(path, { ...host, "if-none-match": '"other"' })).status).toBe(200);
  });
});

test("behavior 15.50: every public route answers HEAD as GET, without a body", async () => {
  await everywhere(async (path, host) => {
    const [get, head] = await Promise.all([send(path, host), send(path, host, "HEAD")]);
    expect([path, head.status, await head.text()]).toEqual([path, 200, ""]);
    for (const name of ["etag", "content-type", "cache-control", "content-security-policy", "vary"])
      expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
  });
});

test("behavior 15.50: every public route has an ETag for each encoding, and the same content", async () => {
  await everywhere(async (path, host) => {
    const answers = await Promise.all(
      ["identity", "gzip", "br"].map((encoding) => send(path, { ...host, "accept-encoding": encoding })),
    );
    const [plain = "", ...others] = await Promise.all(answers.map((answer) => answer.text()));
    expect(others).toEqual([plain, plain]);
    expect(new Set(answers.map(({ headers }) => headers.get("etag"))).size).toBe(3);
  });
});

test("behavior 15.63: no route of a page that does not exist is found, except the icon of all pages", async () => {
  for (const [path] of paths.filter(([path]) => path !== "/icon")) {
    const { status, headers } = await send(`/status/none${path}`);
    expect([path, status]).toEqual([path, 404]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("behavior 15.50: a key or a cookie changes nothing in a public answer", async () => {
  const headers = {
    authorization: `Bearer ${server.client.key}`,
    cookie: "stillup=1",
    "if-modified-since": "0",
  };
  await everywhere(async (path, host) => {
    const [plain, signedIn] = await Promise.all([send(path, host), send(path, { ...host, ...headers })]);
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers.get("etag")).toBe(plain.headers.get("etag"));
  });
});
