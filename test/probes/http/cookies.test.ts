import { afterAll, beforeAll, expect, test } from "bun:test";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer, type TestDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";

type Config = Omit<HttpConfig, "url" | "interval">;

let dns: TestDnsServer;

beforeAll(async () => {
  const here = (name: string) => [{ type: "A" as const, name, data: "127.0.0.1" }];
  const names = [
    "shop.example.org",
    "api.shop.example.org",
    "example.org",
    "other.example.org",
    "a.co.uk",
    "b.co.uk",
  ];
  dns = await startDnsServer(
    Object.fromEntries([...names, "evil.test"].map((name) => [`A ${name}`, here(name)])),
  );
});

afterAll(() => dns[Symbol.dispose]());

/** The header `Cookie` of a request; null if it has none. */
function cookieOf(request: string): string | null {
  return /^Cookie: (.*)\r$/im.exec(request)?.[1] ?? null;
}

/** @property url before its path, such as `http://shop.example.org`; later without one: the same @property cookies lines of `Set-Cookie` */
interface Hop {
  host?: string;
  path?: string;
  cookies?: string[];
}

/** Redirects from hop to hop, and gives the header `Cookie` of each request. The hosts are at one server. */
async function cookiesAt(hops: Hop[], config: Config = {}): Promise<(string | null)[]> {
  const requests: string[] = [];
  const urlOf = (at: number) =>
    `http://${hops[at]?.host ?? "shop.example.org"}:${server.port}${hops[at]?.path ?? "/"}`;
  using server = await startHttpServer((_, request) => {
    requests.push(request);
    const at = requests.length - 1;
    const set = (hops[at]?.cookies ?? []).map((line) => `Set-Cookie: ${line}`);
    const isLast = at === hops.length - 1;
    return isLast ? answer("200 OK", set) : answer("302 Found", [`Location: ${urlOf(at + 1)}`, ...set]);
  });
  const given = { url: urlOf(0), redirects: 10, ...config };
  const seen = await observation("HTTP", given, { dnsServers: [dns] });
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
  return requests.map(cookieOf);
}

test("behavior 26.100: a redirect gets the cookies of the answers before", async () => {
  const hops = [{ cookies: ["a=1", "b=2; Max-Age=60; HttpOnly"] }, { cookies: ["a=3"] }, {}];
  expect(await cookiesAt(hops)).toEqual([null, "a=1; b=2", "a=3; b=2"]);
});

test("behavior 26.100: a page that needs its cookie is up, and a check forgets all cookies", async () => {
  const requests: string[] = [];
  using server = await startHttpServer((_, request) => {
    requests.push(request);
    if (cookieOf(request) === "seen=yes") return answer("200 OK", [], "welcome");
    return answer("302 Found", ["Location: /", "Set-Cookie: seen=yes; Path=/"]);
  });
  const config = { url: `http://127.0.0.1:${server.port}/`, redirects: 1, expect: { contains: "welcome" } };
  expect(await observation("HTTP", config)).toMatchObject({ outcome: "reached" });
  expect(await observation("HTTP", config)).toMatchObject({ outcome: "reached" });
  expect(requests.map(cookieOf)).toEqual([null, "seen=yes", null, "seen=yes"]);
});

test.each<[string, string, Hop, string | null]>([
  ["of the host alone", "a=1", { host: "api.shop.example.org" }, null],
  ["of a domain", "a=1; Domain=shop.example.org", { host: "api.shop.example.org" }, "a=1"],
  ["of a domain with a dot", "a=1; Domain=.EXAMPLE.org", { host: "other.example.org" }, "a=1"],
  ["of another host", "a=1; Domain=other.example.org", { host: "other.example.org" }, null],
  ["of a top-level domain", "a=1; Domain=org", { host: "other.example.org" }, null],
  ["of a path", "a=1; Path=/app", { path: "/app/next" }, "a=1"],
  ["of another path", "a=1; Path=/app", { path: "/apple" }, null],
  ["for https", "a=1; Secure", {}, null],
  ["that has ended", "a=1; Max-Age=0", {}, null],
  ["that ended in the past", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", {}, null],
  ["that ends later", "a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", {}, "a=1"],
  ["without a name", "=1", {}, null],
  ["with a control character", "a=1\u0001", {}, null],
  ["in UTF-8", "a=gr\u00fcn", {}, "a=gr\u00fcn"],
  ["in quotes", 'a="b c"', {}, 'a="b c"'],
  ["with a prefix that needs https", "__Host-a=1; Path=/", {}, null],
  ["named as a property", "__proto__=1", {}, "__proto__=1"],
])("behavior 26.101: a cookie %s", async (_, line, next, sent) => {
  expect(await cookiesAt([{ cookies: [line] }, next])).toEqual([null, sent]);
});

test("behavior 26.101: no cookie is set for a public suffix", async () => {
  const hops = [
    { host: "a.co.uk", cookies: ["a=1; Domain=co.uk", "b=2"] },
    { host: "b.co.uk" },
    { host: "a.co.uk" },
  ];
  expect(await cookiesAt(hops)).toEqual([null, null, "b=2"]);
});

test("behavior 26.101: a deleted cookie is not sent again", async () => {
  const hops = [{ cookies: ["a=1", "b=2"] }, { cookies: ["a=; Max-Age=0"] }, {}];
  expect(await cookiesAt(hops)).toEqual([null, "a=1; b=2", "b=2"]);
});

test("behavior 26.101: a secure cookie is sent over https only", async () => {
  const { issue } = await createAuthority();
  const tls = await issue([{ type: "dns", value: "shop.example.org" }]);
  const requests: string[] = [];
  using plain = await startHttpServer((_, request) => {
    requests.push(request);
    return answer("200 OK");
  });
  using secure = await startHttpServer(
    (path, request) => {
      requests.push(request);
      return path === "/"
        ? answer("302 Found", ["Location: /next", "Set-Cookie: a=1; Secure"])
        : answer("302 Found", [`Location: http://shop.example.org:${plain.port}/`]);
    },
    { tls },
  );
  const url = `https://shop.example.org:${secure.port}/`;
  const seen = await observation("HTTP", { url, redirects: 2, verifyTls: false }, { dnsServers: [dns] });
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(requests.map(cookieOf)).toEqual([null, "a=1", null]);
});

test("behavior 26.102: a server can set 100 cookies with an answer, of at most 5 KiB each", async () => {
  const many = Array.from({ length: 101 }, (_, at) => `c${at}=${at}`);
  const [, sent] = await cookiesAt([{ cookies: many }, {}]);
  expect(sent?.split("; ").sort()).toEqual(many.slice(0, 100).sort());
  const large = `a=${"x".repeat(5 * 1024)}`;
  expect(await cookiesAt([{ cookies: [large, large.slice(0, 5 * 1024)] }, {}])).toEqual([
    null,
    large.slice(0, 5 * 1024),
  ]);
});

test("behavior 26.102: a check keeps at most 128 KiB of cookies", async () => {
  const full = (letter: string) => Array.from({ length: 8 }, (_, at) => `${letter}${at}=`.padEnd(4096, "x"));
  const hops = [..."abcd"].map((letter) => ({ cookies: full(letter) }));
  const sent = await cookiesAt([...hops, { cookies: ["e=1"] }, {}]);
  expect(sent.map((line) => line?.split("; ").length ?? 0)).toEqual([0, 8, 16, 24, 32, 32]);
});

test("behavior 26.103: the cookies of the config are sent beside those of the server, and win", async () => {
  const hops = [{ cookies: ["a=server", "b=server", "c=server"] }, { host: "other.example.org" }, {}];
  const headers = { cookie: "b=mine;  d=mine" };
  expect(await cookiesAt(hops, { headers })).toEqual([
    "b=mine;  d=mine",
    null,
    "b=mine; d=mine; a=server; c=server",
  ]);
});

test("behavior 26.104: no text of a server shows the value of a cookie", async () => {
  const secret = "canary-31d4";
  using server = await startHttpServer((path) =>
    path === "/"
      ? answer("302 Found", ["Location: /next", `Set-Cookie: sid=${secret}`])
      : answer("500 Whatever", [`Via: ${secret}`, `X-Sid: ${secret}`], `sid is ${secret}, ${btoa(secret)}`),
  );
  const config = { url: `http://127.0.0.1:${server.port}/`, redirects: 1, expect: {} };
  const failed = await observation("HTTP", config);
  expect(failed).toMatchObject({ outcome: "failed", facts: { http: { body: "sid is •••, •••" } } });
  const sampled = await observation("HTTP", config, { isSampled: true });
  expect(sampled).toMatchObject({ sample: { body: "sid is •••, •••" } });
  expect(JSON.stringify([failed, sampled])).not.toContain(secret);
});
