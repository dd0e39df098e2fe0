import { expect, test } from "bun:test";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { startTokenProvider } from "../../support/servers/real/token-provider.ts";
import { closedPort, silent } from "../../support/servers/tcp-server.ts";
import { issued, startGuardedServer, startTokenServer } from "../../support/servers/token-server.ts";

const SECRET = "t0p s3cret/+~ü";
const oauth2 = (tokenUrl: string, more: object = {}) => ({
  tokenUrl,
  clientId: "probe",
  clientSecret: SECRET,
  ...more,
});
const okay = { expect: { status: [200] } };
const anyToken = () => true;

const check = (port: number, tokenUrl: string, more: object = {}, options: object = {}) =>
  observation(
    "HTTP",
    { url: `http://127.0.0.1:${port}/`, oauth2: oauth2(tokenUrl), ...okay, ...more },
    options,
  );

test("behavior 26.50, 26.51: a certified provider issues a token, which is kept, and requested again after a 401", async () => {
  const client = { id: "probe: of/us", secret: "a+b c%d&e=~/'" };
  await using provider = await startTokenProvider(client);
  using target = await startGuardedServer((token) => provider.isValid(token, "status:read"));
  const config = {
    oauth2: oauth2(provider.tokenUrl, {
      clientId: client.id,
      clientSecret: client.secret,
      scope: "status:read",
    }),
  };
  for (let checks = 0; checks < 3; checks++)
    expect(await check(target.port, provider.tokenUrl, config)).toMatchObject({
      outcome: "reached",
      detail: { statusCode: 200 },
    });
  const [first = "", ...others] = target.tokens;
  expect(others).toEqual([first, first]);
  await provider.revoke(first);
  expect(await check(target.port, provider.tokenUrl, config)).toMatchObject({ outcome: "reached" });
  expect(target.tokens.slice(3)).toEqual([first, expect.not.stringMatching(first)]);
  const wrong = { oauth2: { ...config.oauth2, clientSecret: "wrong" } };
  const { host } = new URL(provider.tokenUrl);
  expect(await check(target.port, provider.tokenUrl, wrong)).toEqual({
    outcome: "inconclusive",
    reason: "token_failed",
    message: `no token from ${host}: it answered 401 Unauthorized (invalid_client)`,
  });
});

test("behavior 26.50: credentials are sent as in a form within Basic, and scope and audience in the body", async () => {
  using server = await startTokenServer();
  using target = await startGuardedServer(anyToken);
  const more = {
    oauth2: oauth2(server.url, { clientId: "a:b c", scope: "read write", audience: "https://api.test/?a=b" }),
  };
  expect(await check(target.port, server.url, more)).toMatchObject({ outcome: "reached" });
  const [request = ""] = server.requests;
  const [, sent = ""] = /^Authorization: Basic (.*)\r$/m.exec(request) ?? [];
  expect(atob(sent)).toBe("a%3Ab+c:t0p+s3cret%2F%2B%7E%C3%BC");
  expect(request).toStartWith("POST /token HTTP/1.1\r\n");
  expect(request).toContain("\r\nContent-Type: application/x-www-form-urlencoded\r\n");
  expect(request).toEndWith(
    "\r\n\r\ngrant_type=client_credentials&scope=read+write&audience=https%3A%2F%2Fapi.test%2F%3Fa%3Db",
  );
  expect(target.received()).toContain("\r\nAuthorization: Bearer token-1\r\n");
});

test("behavior 26.51: a token is requested again a minute before its end, and is not kept if it is shorter", async () => {
  using short = await startTokenServer((count) => issued({ access_token: `short-${count}`, expires_in: 60 }));
  using long = await startTokenServer((count) => issued({ access_token: `long-${count}`, expires_in: "61" }));
  using target = await startGuardedServer(anyToken);
  for (const server of [short, short, long, long]) await check(target.port, server.url);
  expect(target.tokens).toEqual(["short-1", "short-2", "long-1", "long-1"]);
});

test("behavior 26.52: monitors with equal settings share a token and one request for it, and others have their own", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  using server = await startTokenServer((count) => (socket) => {
    void promise.then(() => socket.end(issued({ access_token: `token-${count}` })));
  });
  using target = await startGuardedServer(anyToken);
  using other = await startGuardedServer(anyToken);
  const same = [target, other, target, other].map(({ port }) => check(port, server.url, { timeout: 3 }));
  const different = check(target.port, server.url, { oauth2: oauth2(server.url, { scope: "x" }) });
  await eventually(() => server.requests.length === 2);
  resolve();
  for (const seen of await Promise.all([...same, different]))
    expect(seen).toMatchObject({ outcome: "reached" });
  expect(server.requests).toHaveLength(2);
  expect(new Set([...target.tokens, ...other.tokens])).toEqual(new Set(["token-1", "token-2"]));
});

test("behavior 26.52: a request for a token goes on without the check that began it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  using server = await startTokenServer((count) => (socket) => {
    void promise.then(() => socket.end(issued({ access_token: `token-${count}` })));
  });
  using target = await startGuardedServer(anyToken);
  const lifetime = new Lifetime();
  const cancelled = check(target.port, server.url, {}, { lifetime });
  await eventually(() => server.requests.length === 1);
  const other = check(target.port, server.url);
  lifetime.close();
  expect(await cancelled).toMatchObject({ outcome: "inconclusive" });
  resolve();
  expect(await other).toMatchObject({ outcome: "reached" });
  expect(server.requests).toHaveLength(1);
});

test("behavior 26.53: after a 401 all checks use the token that one of them has requested, and a second 401 is judged", async () => {
  let valid = "token-1";
  using server = await startTokenServer();
  using target = await startGuardedServer((token) => token === valid);
  expect(await check(target.port, server.url)).toMatchObject({ outcome: "reached" });
  valid = "token-2";
  for (const seen of await Promise.all([1, 2, 3].map(() => check(target.port, server.url))))
    expect(seen).toMatchObject({ outcome: "reached" });
  expect(server.requests).toHaveLength(2);
  valid = "none";
  const message =
    "401 Unauthorized, expected 200; the server refuses the token of config.oauth2, also a new one";
  expect(await check(target.port, server.url)).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: { statusCode: 401, message },
  });
  expect(server.requests).toHaveLength(3);
  expect(target.tokens.slice(-2)).toEqual(["token-2", "token-3"]);
});

test("behavior 26.53: the same token again is not sent twice", async () => {
  using server = await startTokenServer(() => issued({ access_token: "always" }));
  using target = await startGuardedServer(() => false);
  expect(await check(target.port, server.url)).toMatchObject({
    outcome: "failed",
    detail: { statusCode: 401 },
  });
  expect([server.requests.length, target.tokens.length]).toEqual([2, 1]);
});

test("behavior 26.53: a token that can't be requested again after a 401 is no failure of the target", async () => {
  using server = await startTokenServer((count) =>
    count === 1 ? issued({ access_token: "once" }) : answer("503 Service Unavailable"),
  );
  using target = await startGuardedServer(() => false);
  expect(await check(target.port, server.url)).toMatchObject({
    outcome: "inconclusive",
    reason: "token_failed",
  });
});

const failed = (message: string, tokenUrl: string): Observation => ({
  outcome: "inconclusive",
  reason: "token_failed",
  message: `no token from ${new URL(tokenUrl).host}: ${message}`,
});

test.each<[string, () => Buffer | string, string]>([
  [
    "a refusal",
    () => answer("400 Bad Request", [], '{"error":"invalid_scope","error_description":"SERVERTEXT"}'),
    "it answered 400 Bad Request (invalid_scope)",
  ],
  [
    "an unknown error",
    () => answer("400 Bad Request", [], '{"error":"SERVERTEXT"}'),
    "it answered 400 Bad Request",
  ],
  [
    "another status of success",
    () => answer("201 Created", [], '{"access_token":"a"}'),
    "it answered 201 Created",
  ],
  [
    "a redirect",
    () => answer("302 Found", ["Location: https://SERVERTEXT.test/"]),
    "it answered 302 Found, and no redirect is followed",
  ],
  ["no JSON", () => answer("200 OK", [], "<html>SERVERTEXT"), "its answer is no JSON object"],
  ["an array", () => answer("200 OK", [], "[1]"), "its answer is no JSON object"],
  ["null", () => answer("200 OK", [], "null"), "its answer is no JSON object"],
  ["nothing", () => answer("200 OK"), "its answer is no JSON object"],
  ["deep JSON", () => answer("200 OK", [], "[".repeat(500_000)), "its answer is no JSON object"],
  ["no token", () => issued({ expires_in: 1 }), "its answer has no access_token"],
  [
    "a number as token",
    () => issued({ access_token: 12345 }),
    "its access_token is not a text of 1 to 16,384 visible ASCII characters",
  ],
  [
    "a line end in the token",
    () => issued({ access_token: "a\r\nX-Evil: SERVERTEXT" }),
    "its access_token is not a text of 1 to 16,384 visible ASCII characters",
  ],
  [
    "a long token",
    () => issued({ access_token: "a".repeat(16_385) }),
    "its access_token is not a text of 1 to 16,384 visible ASCII characters",
  ],
  [
    "another type",
    () => issued({ access_token: "a", token_type: "DPoP" }),
    "its token_type is other than Bearer",
  ],
  [
    "a broken body",
    () => "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
    "the body could not be read: the connection ended before the body did",
  ],
  ["no HTTP", () => "SERVERTEXT\r\n\r\n", "the answer is not HTTP"],
  ["a closed connection", () => "", "the server closed the connection before it answered"],
])(
  "behavior 26.54, 26.55: %s is inconclusive, and the message has no text of the server",
  async (_, reply, message) => {
    using server = await startTokenServer(reply);
    using target = await startGuardedServer(anyToken);
    const seen = await check(target.port, server.url);
    expect(seen).toEqual(failed(message, server.url));
    expect(target.tokens).toHaveLength(0);
  },
);

test("behavior 26.54: an endpoint without a listener, with a bad certificate or without a name is inconclusive", async () => {
  using target = await startGuardedServer(anyToken);
  const closed = `http://127.0.0.1:${await closedPort()}/token`;
  expect(await check(target.port, closed)).toEqual(
    failed("the connection was refused: nothing listens on that port", closed),
  );
  const authority = await createAuthority();
  using strange = await startTokenServer(undefined, {
    tls: await authority.issue([{ type: "ip", value: "127.0.0.1" }]),
  });
  const seen = await check(target.port, strange.url);
  expect(seen).toMatchObject({
    outcome: "inconclusive",
    reason: "token_failed",
    message: expect.stringContaining("certificate"),
  });
  expect(await check(target.port, strange.url, { verifyTls: false })).toMatchObject({ outcome: "reached" });
  using dns = await startDnsServer({});
  const unknown = "http://nowhere.test/token";
  expect(await check(target.port, unknown, {}, { dnsServers: [dns] })).toMatchObject({
    outcome: "inconclusive",
    reason: "token_failed",
    message: expect.stringContaining("no token from nowhere.test: "),
  });
});

test("behavior 26.54, 26.56: a silent endpoint is inconclusive after 5 s for all tokens of a check, whatever its timeout", async () => {
  using mute = await startTokenServer(() => silent);
  using once = await startTokenServer((count) => (count === 1 ? issued({ access_token: "once" }) : silent));
  using target = await startGuardedServer(() => false);
  const [first, second] = await Promise.all(
    [mute, once].map(({ url }) => check(target.port, url, {}, { timeout: 500 })),
  );
  expect(first).toEqual(failed("no answer within 5 s", mute.url));
  expect(second).toEqual(failed("no answer within 5 s", once.url));
  expect(target.tokens).toEqual(["once"]);
});

test("behavior 26.56: the time of a token counts neither in the latency nor in the timeout", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  using server = await startTokenServer((count) => (socket) => {
    asked = performance.now();
    void promise.then(() => socket.end(issued({ access_token: `token-${count}` })));
  });
  using target = await startGuardedServer(anyToken);
  const start = performance.now();
  const timeout = 1500;
  const running = check(target.port, server.url, {}, { timeout });
  await eventually(() => asked > 0 && performance.now() - asked > timeout + 100);
  const waited = performance.now() - asked;
  resolve();
  const seen = await running;
  if (seen.outcome !== "reached" || seen.latencyMs === null) throw new Error(JSON.stringify(seen));
  expect(seen.latencyMs).toBeLessThan(performance.now() - start - waited);
});

test("behavior 26.57: with private targets denied, a token is not requested at a private address", async () => {
  using server = await startTokenServer();
  const network = createNetwork({ privateTargets: "deny" });
  const seen = await observation(
    "HTTP",
    { url: "http://192.0.2.1/", oauth2: oauth2(server.url) },
    { network },
  );
  expect(seen).toMatchObject({
    outcome: "inconclusive",
    reason: "token_failed",
    message: expect.stringContaining("--private-targets deny"),
  });
  expect(server.requests).toHaveLength(0);
});

test("behavior 26.58: the token goes to the origin of the URL only, and the secret to the token endpoint only", async () => {
  using server = await startTokenServer();
  using other = await startGuardedServer(anyToken);
  using first = await startHttpServer((path) =>
    path === "/"
      ? answer("302 Found", ["Location: /same"])
      : answer("302 Found", [`Location: http://127.0.0.1:${other.port}/`]),
  );
  const seen = await check(first.port, server.url, { redirects: 2 });
  expect(seen).toMatchObject({ outcome: "failed", detail: { statusCode: 401 } });
  expect(first.received().match(/Authorization: Bearer token-1/g)).toHaveLength(2);
  expect(other.tokens).toEqual([undefined]);
  expect(server.requests).toHaveLength(1);
  for (const text of [first.received(), other.received()]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("t0p");
  }
});

test("behavior 26.58: a redirect of the token endpoint gets no credentials", async () => {
  using other = await startTokenServer();
  using server = await startTokenServer(() => answer("307 Temporary Redirect", [`Location: ${other.url}`]));
  using target = await startGuardedServer(anyToken);
  expect(await check(target.port, server.url)).toMatchObject({ outcome: "inconclusive" });
  expect(other.requests).toHaveLength(0);
});

test("behavior 26.59: a server that repeats the token finds it in no sample and in no evidence", async () => {
  const token = "eyJhbGciOi.J0b2tlbiBvZiBh.IHRlc3Q";
  using server = await startTokenServer(() => issued({ access_token: token }));
  const echo = (request: string) =>
    `${request} ${btoa(token)} ${btoa(`Bearer ${token}`)} ${encodeURIComponent(token)} ${JSON.stringify({ token })}`;
  using target = await startGuardedServer(anyToken, (request) =>
    answer("500 Oops", [`Server: ${token}`], echo(request)),
  );
  const sampled = await check(target.port, server.url, { expect: { status: [500] } }, { isSampled: true });
  const failing = await check(target.port, server.url);
  expect(sampled).toMatchObject({
    outcome: "reached",
    sample: { body: expect.stringContaining("Bearer •••") },
  });
  expect(failing).toMatchObject({
    outcome: "failed",
    facts: { http: { body: expect.stringContaining("Bearer •••"), headers: { server: "•••" } } },
  });
  for (const seen of [sampled, failing])
    for (const secret of [token, btoa(token).replace(/=+$/, ""), btoa(`Bearer ${token}`).replace(/=+$/, "")])
      expect(JSON.stringify(seen)).not.toContain(secret);
});

test("behavior 26.52: every address of a host gets the same token, which is requested at the addresses of its own host", async () => {
  using server = await startTokenServer();
  using target = await startGuardedServer(anyToken);
  using dns = await startDnsServer({
    "A many.test": ["127.0.0.1", "127.0.0.2"].map((data) => ({
      type: "A" as const,
      name: "many.test",
      data,
    })),
    "A id.test": [{ type: "A", name: "id.test", data: "127.0.0.1" }],
  });
  const seen = await check(
    target.port,
    `http://id.test:${server.port}/token`,
    { url: `http://many.test:${target.port}/`, everyAddress: true },
    { dnsServers: [dns] },
  );
  expect(seen).toMatchObject({
    outcome: "by_address",
    addresses: [
      { address: "127.0.0.1", evidence: { outcome: "reached" } },
      { address: "127.0.0.2", evidence: { outcome: "failed", reason: "refused" } },
    ],
  });
  expect(server.requests).toHaveLength(1);
});

test("behavior 26.59: a token that a redirect carries on is hidden in the answer of another origin too", async () => {
  const token = "carried.token.of.a.test";
  using server = await startTokenServer(() => issued({ access_token: token }));
  using other = await startHttpServer((path) => answer("500 Oops", [`Server: ${path}`], path));
  using first = await startHttpServer(() =>
    answer("302 Found", [
      `Location: http://127.0.0.1:${other.port}/?token=${token}`,
      "Set-Cookie: a=session-of-a-test",
    ]),
  );
  const seen = await check(first.port, server.url, { redirects: 1 });
  expect(seen).toMatchObject({
    outcome: "failed",
    facts: { http: { body: "/?token=•••", headers: { server: "/?token=•••" } } },
  });
  expect(JSON.stringify(seen)).not.toContain(token);
});

test("behavior 26.58, 26.56: with steps, all requests to the origin of the first one have the same token, and a later one may renew it", async () => {
  let valid = "token-1";
  using server = await startTokenServer((count) => issued({ access_token: `token-${count}`, expires_in: 1 }));
  using other = await startGuardedServer(anyToken, (request) => answer("200 OK", [], request));
  using first = await startGuardedServer(
    (token) => token === valid,
    (request) => {
      // From now on, the first token is refused.
      if (request.includes("/second")) valid = "token-2";
      return answer("200 OK");
    },
  );
  const stepTo = (port: number, path: string, status: number) => ({
    url: `http://127.0.0.1:${port}${path}`,
    expect: { status: [status] },
  });
  const steps = [
    stepTo(first.port, "/first", 200),
    stepTo(first.port, "/second", 200),
    stepTo(first.port, "/third", 200),
    stepTo(other.port, "/", 401),
  ];
  const seen = await observation("HTTP", { oauth2: oauth2(server.url), steps });
  if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
  expect(first.tokens).toEqual(["token-1", "token-1", "token-1", "token-2"]);
  expect(other.tokens).toEqual([undefined]);
  expect(server.requests).toHaveLength(2);
  const made = seen.detail.steps as { latencyMs: number }[];
  expect(seen.latencyMs).toBeCloseTo(
    made.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    2,
  );
});

test("behavior 26.54: a step whose token can't be had makes the check inconclusive", async () => {
  using server = await startTokenServer(() => answer("500 Oops"));
  using target = await startGuardedServer(anyToken);
  const steps = ["/a", "/b"].map((path) => ({ url: `http://127.0.0.1:${target.port}${path}` }));
  const seen = await observation("HTTP", { oauth2: oauth2(server.url), steps });
  expect(seen).toEqual(failed("it answered 500 Internal Server Error", server.url));
});

test("behavior 26.59: a token that one step carries on is hidden in the answer of a later one", async () => {
  const token = "carried.token.of.steps";
  using server = await startTokenServer(() => issued({ access_token: token }));
  using other = await startHttpServer((path) => answer("500 Oops", [], path));
  using first = await startHttpServer((_, request) =>
    answer("200 OK", [`X-Echo: ${/^Authorization: Bearer (.*)\r$/m.exec(request)?.[1]}`]),
  );
  const steps = [
    { url: `http://127.0.0.1:${first.port}/`, take: { ECHO: "header:X-Echo" } },
    { url: `http://127.0.0.1:${other.port}/{{ECHO}}`, expect: { status: [200] } },
  ];
  const seen = await observation("HTTP", { oauth2: oauth2(server.url), steps });
  expect(seen).toMatchObject({ outcome: "failed", facts: { http: { body: "/•••" } } });
  expect(JSON.stringify(seen)).not.toContain(token);
});
