import { expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { CheckFacts, HttpEvidence } from "../../../src/domain/evidence/evidence.ts";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { answer, chunked, endless, startHttpServer } from "../../support/servers/http-answers.ts";
import { frame, startUpgradeServer, switching } from "../../support/servers/websocket-answers.ts";

setDefaultTimeout(60_000);

type Served = Parameters<typeof startHttpServer>[0];
type Options = Parameters<typeof observation>[2];

const EXPECTED = { expect: { status: ["2xx"] } };

/** Longer than any test waits. */
const LONG = 300_000;

async function factsOf(
  served: Served,
  config: Partial<HttpConfig> = EXPECTED,
  options: Options = {},
): Promise<CheckFacts> {
  using server = await startHttpServer(served);
  const url = `http://127.0.0.1:${server.port}/`;
  const seen = await observation("HTTP", { url, ...config }, { timeout: LONG, ...options });
  if (seen.outcome !== "failed" || !seen.facts) throw new Error(`no facts: ${JSON.stringify(seen)}`);
  return seen.facts;
}

async function evidenceOf(...how: Parameters<typeof factsOf>): Promise<HttpEvidence | null> {
  return (await factsOf(...how)).http;
}

test("behavior 22.13: a failed check has the head and the start of the body, with few headers", async () => {
  const headers = [
    "Server: nginx",
    "Content-Type: text/html",
    "Content-Length: 15",
    "Date: Sat, 28 Nov 2026 00:00:00 GMT",
    "Retry-After: 5",
    "Via: 1.1 a",
    "via: 1.1 b",
    "Location: https://me:secret@shop.example.com/a/b?token=1#c",
    "Set-Cookie: session=1",
    "X-Request-Id: 7",
  ];
  const facts = await factsOf(() => answer("503 Service Unavailable", headers, "<p>be back</p>\n"));
  expect(facts).toMatchObject({ step: "answer" });
  expect(facts.http).toEqual({
    statusCode: 503,
    headers: {
      server: "nginx",
      "content-type": "text/html",
      "content-length": "15",
      date: "Sat, 28 Nov 2026 00:00:00 GMT",
      "retry-after": "5",
      via: "1.1 a, 1.1 b",
      location: "https://shop.example.com/a/b",
    },
    headerNames: [
      "server",
      "content-type",
      "content-length",
      "date",
      "retry-after",
      "via",
      "location",
      "set-cookie",
      "x-request-id",
    ],
    size: 15,
    body: "<p>be back</p>",
  });
});

test.each<[string, string]>([
  ["/next?token=1", "/next"],
  ["//me@shop.example.com/next#x", "//shop.example.com/next"],
  ["https://a@b@shop.example.com", "https://shop.example.com"],
  ["next", "next"],
])("behavior 22.13: of the location %s, the evidence shows %s", async (location, shown) => {
  const http = await evidenceOf(() => answer("302 Found", [`Location: ${location}`, "Content-Length: 0"]));
  expect(http?.headers.location).toBe(shown);
});

test("behavior 22.13: control characters are no part of the evidence", async () => {
  const body = "one\r\n\ttwo\0\u001b[31m\u202ered\u0085\u2028end";
  const http = await evidenceOf(() => answer("503 no", ["Server: a\u0007b", "X\u0001Y: 1"], body));
  expect(http?.body).toBe("one two [31mred end");
  expect(JSON.stringify(http)).not.toMatch(/\\u00[01]/);
  expect(http?.headers.server).toBe("a b");
});

test.each<[string, (text: string) => Uint8Array]>([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])("behavior 22.13: a body is decoded: %s", async (coding, compress) => {
  const text = `sorry ${"0123456789abcdef".repeat(1000)}`;
  const sent = compress(text);
  const head = ["Content-Encoding: ".concat(coding), `Content-Length: ${sent.length}`];
  expect(await evidenceOf(() => answer("503 no", head, sent))).toMatchObject({
    size: sent.length,
    body: text.slice(0, 2048),
  });
});

test("behavior 22.13: of a body, 2 KiB are kept, and no character is split", async () => {
  const http = await evidenceOf(() => answer("503 no", [], `a${"\u{1f600}".repeat(1000)}`));
  expect(http?.body).toBe(`a${"\u{1f600}".repeat(511)}`);
});

test.each<[string, Served, Partial<HttpEvidence>]>([
  ["of no length", () => answer("503 no", ["Content-Length: 0"]), { size: 0, body: null }],
  [
    "in chunks",
    () => answer("503 no", ["Transfer-Encoding: chunked"], chunked("ab", "cd")),
    { size: 4, body: "abcd" },
  ],
  ["up to the end of the connection", () => answer("503 no", [], "abc"), { size: 3, body: "abc" }],
  ["without end", () => endless(answer("503 no"), "x".repeat(4096)), { size: null, body: "x".repeat(2048) }],
  [
    "that was announced and does not come",
    () => (socket) => void socket.write(answer("503 no", ["Content-Length: 41208"], "start")),
    { size: 41_208, body: "start" },
  ],
  [
    "whose head does not come",
    () => (socket) => void socket.write("HTTP/1.1 503 no\r\nServer: x\r\n"),
    { headers: {}, headerNames: [], size: null, body: null },
  ],
])(
  "behavior 22.13: a failed check does not wait for its timeout for a body %s",
  async (_, served, expected) => {
    expect(await evidenceOf(served)).toMatchObject({ statusCode: 503, ...expected });
  },
);

test("behavior 22.13: at its timeout, a check has what has come of the body", async () => {
  const served: Served = () => (socket) =>
    void socket.write(answer("200 OK", ["Content-Length: 99", "Server: slow"], "half"));
  const facts = await factsOf(served, { expect: { contains: "whole" } }, { timeout: 500 });
  expect(facts).toMatchObject({
    step: "body",
    http: { statusCode: 200, headers: { server: "slow" }, size: 99, body: "half" },
  });
});

test("behavior 22.13: a body that was judged, or breaks off, is in the evidence with its size", async () => {
  const judged = await factsOf(() => answer("200 OK", ["Content-Length: 5"], "empty"), {
    expect: { contains: "Basket" },
  });
  expect(judged).toMatchObject({ step: "body", http: { size: 5, body: "empty" } });
  const header = await factsOf(() => answer("200 OK", ["Content-Length: 5"], "empty"), {
    expect: { headers: { "X-A": "b" } },
  });
  expect(header).toMatchObject({ step: "answer", http: { size: 5, body: "empty" } });
  for (const expected of [{ complete: true }, { contains: "x" }]) {
    const broken = await factsOf(() => answer("200 OK", ["Content-Length: 50"], "half"), {
      expect: expected,
    });
    expect(broken).toMatchObject({ step: "body", http: { size: 4, body: "half" } });
  }
});

test("behavior 22.13: with HEAD, and after a redirect too many, there is the head", async () => {
  const head = await factsOf(() => answer("503 no", ["Content-Length: 50"]), { method: "HEAD", ...EXPECTED });
  expect(head.http).toMatchObject({ headers: { "content-length": "50" }, size: null, body: null });
  const found = answer("302 Found", ["Location: /", "Content-Length: 0"]);
  const many = await factsOf(() => found, { redirects: 1 });
  expect(many).toMatchObject({ step: "answer", isRedirected: true, http: { statusCode: 302 } });
});

test("behavior 22.13: a server of HTTP/2 without gRPC has the answer", async () => {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream: ServerHttp2Stream) => {
    stream.respond({ ":status": 502, server: "proxy", "content-type": "text/html", "set-cookie": ["a=1"] });
    stream.end("<p>bad gateway</p>");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const seen = await observation("HTTP", { url: `http://127.0.0.1:${port}/`, protocol: "grpc" });
  for (const session of sessions) session.destroy();
  server.close();
  expect(seen).toMatchObject({
    outcome: "failed",
    facts: {
      step: "answer",
      http: {
        statusCode: 502,
        headers: { server: "proxy", "content-type": "text/html" },
        headerNames: expect.arrayContaining(["server", "content-type", "set-cookie"]),
        size: 18,
        body: "<p>bad gateway</p>",
      },
    },
  });
});

test("behavior 22.13: a WebSocket that is refused has the answer", async () => {
  const served: Served = () => answer("403 Forbidden", ["Content-Length: 2"], "no");
  expect(await factsOf(served, { protocol: "websocket" })).toMatchObject({
    step: "answer",
    http: { statusCode: 403, body: "no" },
  });
  using strange = await startUpgradeServer((socket) => void socket.write(switching("wrong")));
  const url = `http://127.0.0.1:${strange.port}/`;
  expect(await observation("HTTP", { url, protocol: "websocket" })).toMatchObject({
    facts: { isForeign: true, http: { statusCode: 101, body: null } },
  });
  using closing = await startUpgradeServer((socket, { accept }) => {
    socket.write(switching(accept));
    socket.write(frame(8, Buffer.from([3, 233])));
  });
  const closed = { url: `http://127.0.0.1:${closing.port}/`, protocol: "websocket" } as const;
  expect(await observation("HTTP", closed)).toMatchObject({
    reason: "closed",
    facts: { step: "answer", http: { statusCode: 101, body: null } },
  });
});

test("behavior 22.13: no body of an address that --private-targets forbids is kept", async () => {
  const network = { ...createNetwork({ privateTargets: "allow" }), isAllowed: () => false };
  const http = await evidenceOf(() => answer("503 no", ["Content-Length: 2"], "no"), EXPECTED, { network });
  expect(http).toMatchObject({ statusCode: 503, size: 2, body: null });
});

test("behavior 22.16: a body that an expectation read has a size and a phase, and another one has none", async () => {
  using server = await startHttpServer(() => answer("200 OK", ["Content-Length: 5"], "whole"));
  const see = (config: Partial<HttpConfig>) =>
    observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, ...config });
  for (const expected of [{ contains: "whole" }, { complete: true }])
    expect(await see({ expect: expected })).toMatchObject({
      outcome: "reached",
      size: 5,
      detail: { phases: { body: expect.any(Number) } },
    });
  for (const config of [
    {},
    { expect: { status: ["2xx"] } },
    { expect: { headers: { "Content-Length": "5" } } },
  ]) {
    const seen = await see(config);
    expect(seen).toMatchObject({ outcome: "reached" });
    expect(seen).not.toHaveProperty("size");
    expect(seen).not.toHaveProperty("facts");
    expect(JSON.stringify(seen)).not.toContain("body");
  }
});

test("behavior 22.16: an answer whose headers an expectation read has their names, and another one has none", async () => {
  using server = await startHttpServer(() => answer("200 OK", ["Content-Length: 5", "X-Two: 2"], "whole"));
  const see = (config: Partial<HttpConfig>) =>
    observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, ...config });
  for (const expected of [{ contains: "whole" }, { complete: true }, { headers: { "X-Two": "2" } }])
    expect(await see({ expect: expected })).toMatchObject({ headerNames: ["content-length", "x-two"] });
  expect(await see({ expect: { status: ["2xx"] } })).not.toHaveProperty("headerNames");
  const secret = { headers: { "X-Key": "x-two" }, expect: { contains: "whole" } };
  expect(await see(secret)).toMatchObject({ headerNames: ["content-length", "•••"] });
});

const CANARIES = ["canary-of-header", "canary-of-cookie", "canary-of-password", "canary-of-body"];
const SECRETIVE: Partial<HttpConfig> = {
  method: "POST",
  headers: { "X-Key": "Bearer canary-of-header", Cookie: "sid=canary-of-cookie; a=b" },
  basicAuth: { user: "someone", password: "canary-of-password" },
  body: JSON.stringify({ token: "canary-of-body", more: "ü" }),
};

/** All that was sent, in several forms. */
function echo(request: string): string {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [, sid = ""] = /sid=([^;\r]*)/.exec(head) ?? [];
  const [, sent = ""] = /Basic (\S+)/.exec(head) ?? [];
  const signIn = Buffer.from(sent, "base64").toString();
  const { token } = body === "" ? { token: "" } : JSON.parse(body);
  return [request, JSON.stringify({ request }), encodeURIComponent(request), sid, sent, signIn, token].join(
    "\n",
  );
}

test.each<[string, Served, Partial<HttpConfig>]>([
  ["a body", (_, request) => answer("503 no", [], echo(request)), EXPECTED],
  [
    "a body that is decoded",
    (_, request) => answer("503 no", ["Content-Encoding: gzip"], gzipSync(echo(request))),
    EXPECTED,
  ],
  [
    "a body with controls",
    (_, request) =>
      answer("503 no", [], echo(request).replaceAll("canary", "can\0ary").replaceAll("-of-", "-\u200bof-")),
    EXPECTED,
  ],
  [
    "headers and their names",
    () =>
      answer("503 no", [
        ...CANARIES.map((canary) => `Server: ${canary}`),
        ...CANARIES.map((canary) => `${canary}: 1`),
        ...CANARIES.map((canary) => `Location: https://${canary}@a.test/${canary}?q=${canary}#${canary}`),
      ]),
    EXPECTED,
  ],
  [
    "a body that lacks a text",
    (_, request) => answer("200 OK", [], echo(request)),
    { expect: { contains: "Basket" } },
  ],
  [
    "a body across the end of what is kept",
    () => answer("503 no", [], `${"x".repeat(2040)}canary-of-header`),
    EXPECTED,
  ],
  [
    "a body that stops within a secret",
    () => (socket) => void socket.write(answer("503 no", ["Content-Length: 999"], "it is canary-of-he")),
    EXPECTED,
  ],
])(
  "behavior 22.15: a server that repeats the secrets of the config in %s does not bring them into the facts",
  async (_, served, config) => {
    const facts = await factsOf(served, { ...SECRETIVE, ...config });
    const shown = JSON.stringify(facts);
    const encoded = Buffer.from("someone:canary-of-password").toString("base64");
    for (const secret of [...CANARIES, "canary-of", encoded])
      expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(facts.http?.statusCode).toBeGreaterThan(0);
  },
);

test("behavior 22.15: nor in its certificate", async () => {
  const authority = await createAuthority();
  const issued = await authority.issue([{ type: "dns", value: "canary-of-header" }], {
    subject: [{ CN: ["canary-of-cookie"] }, { O: ["canary-of-password"] }],
  });
  using server = await startHttpServer(() => answer("200 OK"), { tls: issued });
  const seen = await observation("HTTP", { url: `https://127.0.0.1:${server.port}/`, ...SECRETIVE });
  expect(seen).toMatchObject({ outcome: "failed", facts: { tls: { names: [] } } });
  expect(JSON.stringify("facts" in seen && seen.facts)).not.toContain("canary");
});

test("behavior 22.11: a check that only tests a config has no answer in its facts, but a sample", async () => {
  const facts = await factsOf(() => answer("503 no", ["Content-Length: 2"], "no"), EXPECTED, {
    isSampled: true,
  });
  expect(facts.http).toBeNull();
});
