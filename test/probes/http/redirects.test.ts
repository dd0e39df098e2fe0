import { expect, test } from "bun:test";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { observation } from "../../support/probes/observation.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";

type Config = Omit<HttpConfig, "url" | "interval">;
const to = (location: string, status = "302 Found") =>
  answer(status, [`Location: ${location}`, "Content-Length: 3"], "abc");

/** Serves `/` with the bytes, and any other path with 200. */
const first = (bytes: Uint8Array) =>
  startHttpServer((path) => (path === "/" ? bytes : answer("200 OK", [], `body of ${path}`)));

const check = ({ port }: { port: number }, config: Config) =>
  observation("HTTP", { url: `http://127.0.0.1:${port}/`, ...config });

test("behavior 10.7: without redirects, a 3xx is the answer", async () => {
  using server = await first(to("/next"));
  expect(await check(server, { expect: { status: [302] } })).toMatchObject({ outcome: "reached" });
  expect(await check(server, { redirects: 0 })).toMatchObject({ detail: { statusCode: 302 } });
});

test.each([
  ["/next", "/next"],
  ["next", "/next"],
  ["?a=1", "/?a=1"],
  ["//HOST/next", "/next"],
  ["http://HOST/next", "/next"],
  ["/n%20e?x#part", "/n%20e?x"],
  ["/ü", "/%C3%BC"],
  ["/a b", "/a%20b"],
])("behavior 10.8: a redirect to %s is followed, and the final answer is judged", async (location, next) => {
  const paths: string[] = [];
  using server = await startHttpServer((path, request) => {
    paths.push(path);
    const [, host = ""] = /Host: (\S+)/.exec(request) ?? [];
    return paths.length === 1 ? to(location.replace("HOST", host)) : answer("200 OK", [], "final");
  });
  const seen = await check(server, { redirects: 1, expect: { contains: "final" } });
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
  expect(paths).toEqual(["/", next]);
});

test.each([300, 304, 305, 306])("behavior 10.8: a %d is never followed", async (code) => {
  using server = await first(to("/next", `${code} Whatever`));
  expect(await check(server, { redirects: 3 })).toMatchObject({
    outcome: "reached",
    detail: { statusCode: code },
  });
});

test.each<[number, string, string, boolean]>([
  [301, "POST", "GET", false],
  [302, "POST", "GET", false],
  [303, "POST", "GET", false],
  [307, "POST", "POST", true],
  [308, "POST", "POST", true],
  [301, "PUT", "PUT", true],
  [302, "DELETE", "DELETE", true],
  [303, "PUT", "GET", false],
  [303, "HEAD", "HEAD", false],
  [302, "HEAD", "HEAD", false],
  [301, "GET", "GET", false],
])("behavior 10.8: a %d turns %s into %s", async (code, method, next, hasBody) => {
  const requests: string[] = [];
  using server = await startHttpServer((path, request) => {
    requests.push(request);
    return path === "/" ? to("/next", `${code} Whatever`) : answer("200 OK");
  });
  const sendsBody = method !== "GET" && method !== "HEAD";
  const config = { method, redirects: 1, ...(sendsBody && { body: '{"a":1}' }) } as Config;
  expect(await check(server, config)).toMatchObject({ detail: { statusCode: 200 } });
  expect(requests[1]).toStartWith(`${next} /next `);
  if (!sendsBody) return;
  expect(requests[1]?.includes("Content-Type: application/json")).toBe(hasBody);
  expect(requests[1]?.includes("Content-Length: 7")).toBe(hasBody);
});

test("behavior 10.8: headers, credentials and body are sent to the origin of the URL only", async () => {
  const requests: string[] = [];
  const record = (request: string) => requests.push(request.replaceAll(/127\.\d\.\d\.\d:\d+/g, "HOST"));
  using other = await startHttpServer(
    (_, request) => {
      record(request);
      return to(`http://127.0.0.1:${server.port}/back`, "307 Whatever");
    },
    { host: "127.0.0.2" },
  );
  using server = await startHttpServer((path, request) => {
    record(request);
    return path === "/" ? to(`http://127.0.0.2:${other.port}/`, "308 Whatever") : answer("200 OK");
  });
  const config: Config = {
    method: "POST",
    body: '{"a":"secret-body"}',
    headers: { "X-Key": "secret-header", Host: "secret-host" },
    basicAuth: { user: "u", password: "p" },
    redirects: 2,
  };
  expect(await check(server, config)).toMatchObject({ detail: { statusCode: 200 } });
  expect(requests).toHaveLength(3);
  const [origin, elsewhere, back] = requests;
  expect(origin).toContain("secret-header");
  expect(elsewhere).toBe(
    "POST / HTTP/1.1\r\nHost: HOST\r\nUser-Agent: stillup\r\nAccept: */*\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  );
  expect(back).toContain("secret-header");
  expect(back).toContain("Authorization: Basic ");
});

test.each([0, 1, 2, 10])("behavior 10.8: of a circle, %d redirects are followed", async (redirects) => {
  let requests = 0;
  using server = await startHttpServer(() => {
    requests++;
    return to("/");
  });
  const seen = await check(server, { redirects });
  expect(requests).toBe(redirects + 1);
  if (redirects === 0) return expect(seen).toMatchObject({ outcome: "reached" });
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "too_many_redirects",
    detail: {
      statusCode: 302,
      message: `the server redirects more than ${redirects === 1 ? "once" : `${redirects} times`}`,
    },
  });
});

test.each<[string, string[], string]>([
  ["no Location", [], "the redirect has no Location"],
  ["two Locations", ["Location: /a", "location: /b"], "the redirect has two Locations"],
  ["an empty Location", ["Location: "], "the redirect has no Location"],
  ["a Location without a host", ["Location: http://"], "the redirect has a Location that is not a URL"],
  [
    "a Location with a bad port",
    ["Location: http://a:99999/"],
    "the redirect has a Location that is not a URL",
  ],
  [
    "a Location of a file",
    ["Location: file:///etc/passwd"],
    "the redirect leads to a URL that is neither http nor https",
  ],
  [
    "a Location of FTP",
    ["Location: ftp://host-of-server/"],
    "the redirect leads to a URL that is neither http nor https",
  ],
  [
    "a Location with a script",
    ["Location: javascript:alert(1)"],
    "the redirect leads to a URL that is neither http nor https",
  ],
  ["a Location with port 0", ["Location: http://host-of-server:0/"], "the redirect leads to port 0"],
])("behavior 10.8: a redirect with %s is a bad redirect", async (_, headers, message) => {
  using server = await first(answer("301 Moved Permanently", headers));
  expect(await check(server, { redirects: 3 })).toMatchObject({
    outcome: "failed",
    reason: "bad_redirect",
    detail: { statusCode: 301, message },
  });
});

test("behavior 1.21, 10.8: each redirect is resolved again, and refused if its target is private", async () => {
  const name = "moves.test";
  // A public address for the policy, and reachable here.
  using dns = await startDnsServer({ [`A ${name}`]: [{ type: "A", name, data: "127.0.0.1" }] });
  using inside = await startHttpServer(() => answer("200 OK"));
  using server = await first(to(`http://${name}:${inside.port}/secret`));
  const open = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
  const denied = createNetwork({ privateTargets: "deny", dnsServers: [dns] });
  const resolved: string[] = [];
  const network = {
    ...open,
    resolve(host: string, options: { timeout: number }) {
      resolved.push(host);
      return (host === "127.0.0.1" ? open : denied).resolve(host, options);
    },
  };
  const seen = await observation(
    "HTTP",
    { url: `http://127.0.0.1:${server.port}/`, redirects: 3 },
    { network },
  );
  expect(resolved).toEqual(["127.0.0.1", name]);
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "private_target",
    detail: { message: expect.stringMatching(/^the host of a redirect is at a private address/) },
  });
  expect(JSON.stringify(seen)).not.toContain(name);
  expect(inside.received()).toBe("");
});

test.each(["host-of-server.test", "a", "in", "b\u00fccher.test."])(
  "behavior 10.8, 10.21: the failure of a redirect to %s does not name it",
  async (host) => {
    using dns = await startDnsServer({});
    using server = await first(to(`http://${host}/`));
    const url = `http://127.0.0.1:${server.port}/`;
    const seen = await observation("HTTP", { url, redirects: 3 }, { dnsServers: [dns] });
    expect(seen).toMatchObject({
      outcome: "failed",
      reason: "dns_not_found",
      detail: { message: "the host of a redirect has no address in the DNS" },
    });
  },
);

test("behavior 10.6: one timeout holds for all redirects together", async () => {
  using server = await startHttpServer(() => (socket) => {
    setTimeout(() => socket.end(to("/")), 120);
  });
  const url = `http://127.0.0.1:${server.port}/`;
  expect(await observation("HTTP", { url, redirects: 10 }, { timeout: 500 })).toMatchObject({
    outcome: "failed",
    reason: "timeout",
  });
});

test("the latency of a redirected check is from the start of the first connection", async () => {
  const requests: number[] = [];
  using server = await startHttpServer(() => (socket) => {
    requests.push(performance.now());
    setTimeout(() => socket.end(requests.length === 1 ? to("/") : answer("200 OK")), 60);
  });
  const seen = await check(server, { redirects: 1 });
  const [one = 0, two = 0] = requests;
  if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
  expect(seen.latencyMs).toBeGreaterThanOrEqual(two - one);
});
