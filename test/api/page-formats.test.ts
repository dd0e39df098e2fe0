import { afterAll, describe, expect, test } from "bun:test";
import { calmPage, examplePage } from "../support/pages/example-page.ts";
import { servePages } from "../support/pages/page-server.ts";

const page = examplePage();
const [component] = page.components;
const HOST = "status.example";
const server = servePages([page, calmPage({ slug: "calm", showLatency: false })], { [HOST]: "example" });
afterAll(() => server[Symbol.dispose]());

const JSON_TYPE = "application/json; charset=utf-8";
const SVG_TYPE = "image/svg+xml; charset=utf-8";
const BADGE = `/components/${component?.id}/badge`;

const PATHS: [path: string, type: string][] = [
  ["/api/v2/summary.json", JSON_TYPE],
  ["/api/v2/status.json", JSON_TYPE],
  ["/api/v2/components.json", JSON_TYPE],
  ["/api/v2/incidents.json", JSON_TYPE],
  ["/api/v2/incidents/unresolved.json", JSON_TYPE],
  ["/api/v2/scheduled-maintenances.json", JSON_TYPE],
  ["/api/v2/scheduled-maintenances/upcoming.json", JSON_TYPE],
  ["/api/v2/scheduled-maintenances/active.json", JSON_TYPE],
  ["/badge.svg", SVG_TYPE],
  ["/badge.json", JSON_TYPE],
  [`${BADGE}.svg`, SVG_TYPE],
  [`${BADGE}.json`, JSON_TYPE],
  [`${BADGE}.svg?kind=uptime`, SVG_TYPE],
  [`${BADGE}.json?kind=latency`, JSON_TYPE],
];

const at = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);

describe.each(PATHS)("%s", (path, type) => {
  const below = `/status/example${path}`;

  test("behavior 15.63: is answered, may be kept for 30 seconds, and may be used by pages of other hosts", async () => {
    const response = await at(below);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=30",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      vary: "accept-encoding",
    });
    expect((await response.text()).length).toBeGreaterThan(20);
  });

  test("behavior 15.63: is a 304 for a client that has it", async () => {
    const { headers } = await at(below);
    const response = await at(below, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect(response.status).toBe(304);
    expect(response.headers.get("etag")).toBe(headers.get("etag"));
    expect(await response.text()).toBe("");
  });

  test("behavior 15.63: is answered to HEAD with the same headers and without a body", async () => {
    const [get, head] = await Promise.all([at(below), at(below, { method: "HEAD" })]);
    expect(head.status).toBe(200);
    for (const name of ["etag", "content-type", "content-encoding", "cache-control", "vary"])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    expect(await head.text()).toBe("");
  });

  test("behavior 15.63: is the same at the root of the host of the page, and not found at another host", async () => {
    const [atHost, other, atSlug] = await Promise.all([
      at(path, { headers: { host: HOST } }),
      at(path),
      at(below),
    ]);
    expect(atHost.status).toBe(200);
    expect(await atHost.text()).toBe(await atSlug.text());
    expect(other.status).toBe(404);
  });

  test("behavior 15.63: is not found without such a page, which scripts of other hosts may read", async () => {
    for (const method of ["GET", "HEAD"]) {
      const response = await at(`/status/none${path}`, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("behavior 15.63: is read only", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect((await at(below, { method })).status).toBe(404);
  });
});

describe("a badge of a component", () => {
  const labelOf = async (query: string) => {
    const response = await at(`/status/example${BADGE}.json${query}`);
    return response.ok ? ((await response.json()) as { label: string }).label : response.status;
  };

  test("behavior 15.62: shows the status if no kind is given", async () => {
    expect(await labelOf("")).toBe("Website");
    expect(await labelOf("?kind=status")).toBe("Website");
    expect(await labelOf("?kind=uptime")).toBe("Website uptime, 90 days");
    expect(await labelOf("?kind=latency")).toBe("Website latency");
  });

  test.each(["?kind=", "?kind=Status", "?kind=certificate", "?kind=__proto__", "?kind=%00", "?kind=%"])(
    "behavior 15.62: %s is not found",
    async (query) => {
      expect(await labelOf(query)).toBe(404);
    },
  );

  test("behavior 15.62: of latency is not found if the page does not show it", async () => {
    for (const format of ["svg", "json"]) {
      expect((await at(`/status/calm${BADGE}.${format}?kind=latency`)).status).toBe(404);
      expect((await at(`/status/calm${BADGE}.${format}?kind=uptime`)).status).toBe(200);
    }
  });

  test("behavior 15.62: of a component that is not on the page, and of a group, is not found", async () => {
    const group = page.components.find((one) => one.group)?.group?.id;
    for (const id of [group, "none", "__proto__", page.id, page.components[40]?.id]) {
      const response = await at(`/status/calm/components/${id}/badge.svg`);
      expect([id, response.status]).toEqual([id, 404]);
    }
  });
});
