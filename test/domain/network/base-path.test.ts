import { expect, test } from "bun:test";
import { basePathOf, createLocator } from "../../../src/domain/network/base-path.ts";

test.each([
  ["https://up.example.com", ""],
  ["https://up.example.com/", ""],
  ["http://a", ""],
  ["http://[::1]:7070", ""],
  ["https://example.com/status", "/status"],
  ["https://example.com/status/", "/status"],
  ["http://a/b/c", "/b/c"],
])("behavior 26.160: the path of the base URL %s is %p", (baseUrl, path) => {
  expect(basePathOf(baseUrl)).toBe(path);
});

const ROUTES = ["/", "/healthz", "/monitors/:id", "/status/:slug", "/status/:slug/feed.atom", "/guide/*"];

function placeOf(basePath: string, url: string): string {
  return createLocator(basePath, ROUTES)({ url }).url;
}

test.each([
  ["/up", "http://a/up", "http://a/"],
  ["/up", "http://a/up/", "http://a/"],
  ["/up", "http://a/up?range=7d", "http://a/?range=7d"],
  ["/up", "http://a/up/monitors/x?a=/up/", "http://a/monitors/x?a=/up/"],
  ["/up", "https://a:8443/up/guide/a/b", "https://a:8443/guide/a/b"],
  // A proxy that removes the path, or a program on this machine.
  ["/up", "http://a/healthz", "http://a/healthz"],
  ["/up", "http://a/upper/healthz", "http://a/upper/healthz"],
  // Once only.
  ["/up", "http://a/up/up/healthz", "http://a/up/healthz"],
  ["/a/b.c", "http://a/a/b.c/healthz", "http://a/healthz"],
  ["/a/b.c", "http://a/a/bxc/healthz", "http://a/a/bxc/healthz"],
  // Without a valid `Host`.
  ["/up", "/up/healthz", "http://localhost/healthz"],
  ["/up", "/healthz", "http://localhost/healthz"],
  // Neither is known.
  ["/up", "http://a/up/nothing", "http://a/nothing"],
])("behavior 26.160: below %s, a request for %s is one for %s", (basePath, url, place) => {
  expect(placeOf(basePath, url)).toBe(place);
});

test.each([
  ["/status/shop", "/status/shop"],
  ["/status/shop/feed.atom", "/status/shop/feed.atom"],
  ["/status/status/shop", "/status/shop"],
  ["/status/status", "/status/status"],
  ["/status/healthz", "/healthz"],
  ["/status/monitors/x", "/monitors/x"],
])(
  "behavior 26.161: below /status, which begins addresses of public pages, a request for %s is one for %s",
  (path, place) => {
    expect(placeOf("/status", `http://a${path}`)).toBe(`http://a${place}`);
  },
);

test("behavior 26.160: a request keeps its body and its connection", async () => {
  const locate = createLocator("/up", ROUTES);
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request, own) {
      const located = locate(request);
      expect(located).toBe(request);
      return Response.json([located.url, await located.text(), own.requestIP(located)?.address]);
    },
  });
  const answer = await fetch(new URL("/up/healthz", server.url), { method: "POST", body: "a body" });
  expect(await answer.json()).toEqual([new URL("/healthz", server.url).href, "a body", "127.0.0.1"]);
});
