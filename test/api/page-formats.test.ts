import { afterAll, describe, expect, test } from "bun:test";
import { calmPage, examplePage } from "../support/pages/example-page.ts";
import { formatPaths } from "../support/pages/format-paths.ts";
import { servePages } from "../support/pages/page-server.ts";

const page = examplePage();
const [component] = page.components;
const HOST = "status.example";
const server = servePages([page, calmPage({ slug: "calm", showLatency: false })], { [HOST]: "example" });
afterAll(() => server[Symbol.dispose]());

const BADGE = `/components/${component?.id}/badge`;

const at = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);

describe.each(formatPaths(component?.id ?? ""))("%s", (path, type) => {
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
      vary: path === "/feed.atom" ? "accept-encoding, host, accept-language" : "accept-encoding, host",
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
