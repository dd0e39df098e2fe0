import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Asset, bundle, UNUSED_KINDS, UNUSED_OF_CRONER } from "../../src/dashboard/bundle.ts";
import { TestServer } from "../support/product/server.ts";
import { sendRaw } from "../support/requests/raw-request.ts";

/** Milliseconds: on a busy machine, the page is bundled slowly. */
const PATIENCE = 60_000;

let server: TestServer;
let bundled: Asset[];

beforeAll(async () => {
  server = await TestServer.start();
  bundled = await bundle();
  // The first request bundles the page too.
  await get("/");
}, PATIENCE);

afterAll(() => server[Symbol.asyncDispose]());

function get(path: string, accepted = "identity") {
  const headers = { "accept-encoding": accepted };
  return fetch(new URL(path, server.client.url), { headers, decompress: false } as RequestInit);
}

async function answerOf(path: string, accept: string) {
  const response = await fetch(new URL(path, server.client.url), { headers: { accept } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function assetPaths(): Promise<string[]> {
  const html = await (await get("/")).text();
  // The address of the manifest never changes.
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
}

describe("the page", () => {
  test.each([
    "/",
    "/monitors/new",
    "/monitors/x",
    "/monitors/x/edit",
    "/outages",
    "/outages/x",
    "/events",
    "/channels/x",
    "/keys",
    "/locations",
    "/pages",
    "/pages/new",
    "/pages/x",
    "/settings",
    "/settings/audit",
  ])("is at %s and needs no key", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith("text/html");
    expect(response.headers.get("cache-control")).toBe("no-cache");
  });

  test("runs only its own files and cannot be framed", async () => {
    const policy = (await get("/")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  });

  test("names no other host and has no inline script or style", async () => {
    const html = await (await get("/")).text();
    expect(html).not.toMatch(/https?:\/\//);
    expect(html).not.toMatch(/<script[^>]*>[^<]|<style|style="|\son\w+="/);
  });

  test("has files that are cached forever, and a script of less than 150 kB", async () => {
    const paths = await assetPaths();
    expect(paths).toHaveLength(3);
    for (const path of paths) {
      expect(path).toMatch(/^\/assets\/\w+-\w{8}\.(js|css|svg)$/);
      for (const [accepted, encoding] of [
        ["gzip, deflate, br", "br"],
        ["gzip", "gzip"],
        ["br;q=0, gzip", "gzip"],
        ["identity", null],
      ] as const) {
        const response = await get(path, accepted);
        expect(response.headers.get("content-encoding")).toBe(encoding);
        expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        const { byteLength } = await response.arrayBuffer();
        if (encoding) expect(byteLength).toBeLessThan(150_000);
      }
    }
  });

  test("has less than 195 kB of scripts in all, with the service worker", async () => {
    const scripts = bundled.filter(({ path }) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.reduce((sum, { brotli }) => sum + brotli.byteLength, 0)).toBeLessThan(195_000);
  });

  test("leaves out only kinds of schemas that the domain does not use", async () => {
    const used = new RegExp(`\\bType\\.(${UNUSED_KINDS.join("|")})\\(`);
    for await (const path of new Bun.Glob("src/domain/**/*.ts").scan()) {
      const [found] = used.exec(await Bun.file(path).text()) ?? [];
      expect([path, found]).toEqual([path, undefined]);
    }
  });

  test("leaves out only parts of its libraries that it does not use", async () => {
    const scheduling = new RegExp(`\\.(${UNUSED_OF_CRONER.join("|")})\\(`);
    const changes = /useMutation|isMutating|getMutationCache/;
    for await (const path of new Bun.Glob("src/**/*.{ts,tsx}").scan()) {
      const text = await Bun.file(path).text();
      const unused = text.includes('from "croner"') ? scheduling : changes;
      expect([path, unused.exec(text)?.[0]]).toEqual([path, undefined]);
    }
  });

  test("leaves out every method of croner that it names", () => {
    const scripts = bundled.map(({ gzip }) => Buffer.from(Bun.gunzipSync(new Uint8Array(gzip))).toString());
    const [croner = "", ...others] = scripts.filter((text) => text.includes("_findOccurrence("));
    expect(others).toEqual([]);
    expect(croner).toContain("previousRuns(");
    expect(UNUSED_OF_CRONER.filter((name) => new RegExp(`[;}]${name}\\(`).test(croner))).toEqual([]);
  });

  test("starts with less than 36 kB of script: the schemas are loaded with the forms", async () => {
    const script = (await assetPaths()).find((path) => path.endsWith(".js")) ?? "";
    expect(bundled.find(({ path }) => path === script)?.brotli.byteLength).toBeLessThan(36_000);
    const forms = bundled.filter(({ gzip }) =>
      Buffer.from(Bun.gunzipSync(new Uint8Array(gzip))).includes("TypeBox"),
    );
    expect(forms.length).toBeGreaterThan(0);
    expect(forms.map(({ path }) => path)).not.toContain(script);
  });

  test("has preload links for its first requests", async () => {
    const linksOf = async (path: string, headers = {}) =>
      (await fetch(new URL(path, server.client.url), { headers })).headers.get("link");
    const [, style, script] = await assetPaths();
    const [, texts] = /data-texts="([^"]+)"/.exec(await (await get("/")).text()) ?? [];
    const first = [
      `<${style}>; rel=preload; as=style; crossorigin`,
      `<${script}>; rel=modulepreload`,
      `<${texts}-start.json>; rel=preload; as=fetch; crossorigin`,
      "</api/v1/session/current>; rel=preload; as=fetch; crossorigin",
    ].join(", ");
    expect(await linksOf("/")).toBe(first);
    const cookie = { cookie: "stillup_session=x" };
    expect(await linksOf("/keys", cookie)).toBe(first);
    expect(await linksOf("/?range=7d", cookie)).toContain("</api/v1/overview?range=7d&first=12>");
    expect(await linksOf("/?range=%3E", cookie)).toContain("</api/v1/overview?range=90d&first=12>");
    expect(await linksOf("/?range=7d&search=a", cookie)).toContain("</api/v1/overview?range=7d&upTo=1000>");
  });

  test.each([
    ["no", "HTTP/1.0", []],
    ["an empty", "HTTP/1.1", ["Host:"]],
    ["an odd", "HTTP/1.1", ["Host: a b[%"]],
    ["a wrong", "HTTP/1.1", ["Host: x:y:z"]],
  ])("is sent with %s Host, and so are its first requests", async (_, version, headers) => {
    for (const path of ["/?range=7d", "/monitors/x"]) {
      const head = [`GET ${path} ${version}`, ...headers, "Cookie: stillup_session=x", "Connection: close"];
      const answer = await sendRaw(server.client.url, `${head.join("\r\n")}\r\n\r\n`);
      expect(answer).toStartWith("HTTP/1.1 200 OK");
      expect(answer.includes("</api/v1/overview?range=7d&first=12>")).toBe(path === "/?range=7d");
    }
  });

  test("behavior 9.101: a browser gets the page with a 404 at other paths, and other clients JSON", async () => {
    const missing = async (path: string, accept: string) => {
      const { status, headers, text } = await answerOf(path, accept);
      expect(status).toBe(404);
      expect(headers.get("cache-control")).toBe("no-store");
      return text;
    };
    const document = await (await get("/")).text();
    for (const path of ["/login", "/settings/x", "/nowhere", "/monitors/x/y", "/assets/nothing.js"]) {
      expect(await missing(path, "text/html,application/xml;q=0.9,*/*;q=0.8")).toBe(document);
      for (const accept of ["*/*", "application/json"])
        expect(await missing(path, accept)).toBe('{"error":"Not found"}');
    }
    for (const path of ["/api/v1/nothing", "/api/v1/monitors/nothing"])
      expect((await answerOf(path, "text/html")).headers.get("content-type")).toStartWith("application/json");
    expect(await (await fetch(new URL("/nowhere", server.client.url), { method: "POST" })).json()).toEqual({
      error: "Not found",
    });
  });

  test("behavior 9.101: at the addresses of public pages, a browser gets one document for all that do not exist", async () => {
    const { text } = await answerOf("/status/nothing", "text/html");
    expect(text).toContain("There is no status page at this address.");
    for (const path of ["/status", "/status/", "/status/nothing/x", "/status/nothing/api/v2/status.json"]) {
      const missing = await answerOf(path, "text/html,*/*");
      expect([path, missing.status, missing.text]).toEqual([path, 404, text]);
    }
  });

  test("behavior 9.102: a search engine may know the sign-in, but no wall", async () => {
    const signIn = await get("/");
    expect(await signIn.text()).toContain('<meta name="description"');
    expect(signIn.headers.get("x-robots-tag")).toBeNull();
    expect((await get("/wall")).headers.get("x-robots-tag")).toBe("noindex");
  });

  test("behavior 16.374: begins with the theme that the reader has chosen", async () => {
    const htmlWith = async (cookie: string) =>
      (await fetch(new URL("/outages", server.client.url), { headers: { cookie } })).text();
    const plain = await htmlWith("a=b");
    expect(plain).toMatch(/<html lang="en" data-locale="en" data-texts="[^"]+">/);
    for (const theme of ["light", "dark"])
      expect(await htmlWith(`a=b; stillup_theme=${theme}; c=d`)).toBe(
        plain.replace(/<html[^>]*/, (root) => `${root} data-theme="${theme}"`),
      );
    for (const wrong of ["stillup_theme=system", 'stillup_theme="><script>', "x_stillup_theme=dark"])
      expect(await htmlWith(wrong)).toBe(plain);
    expect((await get("/")).headers.get("vary")).toBe("accept-encoding, accept-language, cookie");
  });

  test("is a 404 at other paths", async () => {
    for (const path of ["/nothing", "/assets/nothing.js", "/assets/..%2f..%2fpackage.json"]) {
      expect((await get(path)).status).toBe(404);
    }
  });
});
