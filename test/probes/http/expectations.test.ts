import { describe, expect, test } from "bun:test";
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import type { HttpConfig } from "../../../src/probes/http/request.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, chunked, startHttpServer } from "../../support/servers/http-answers.ts";

const check = async (
  bytes: Uint8Array | string,
  expected: Expectations,
  config: { method?: "HEAD" | "GET" } = {},
) => {
  using server = await startHttpServer(() => bytes);
  return await observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, expect: expected, ...config });
};
const reached = (statusCode: number) => ({
  outcome: "reached",
  latencyMs: expect.any(Number),
  detail: { statusCode },
});
const unexpected = (statusCode: number, message: string) => ({
  outcome: "failed",
  reason: "unexpected",
  latencyMs: expect.any(Number),
  detail: { statusCode, message, address: "127.0.0.1", phases: { firstByte: expect.any(Number) } },
});

test("behavior 10.16, 10.21: a failed expectation is unexpected, with the status code, the message and the latency", async () => {
  expect(await check(answer("503 Whatever they say"), {})).toMatchObject(
    unexpected(503, "503 Service Unavailable, expected 2xx"),
  );
  expect(await check(answer("200 OK"), {})).toMatchObject(reached(200));
});

test("behavior 10.17: a status above 599 is one like the others", async () => {
  const status = (text: string, expected: Expectations["status"]) =>
    check(answer(text), expected ? { status: expected } : {});
  expect(await status("999 Request Denied", [999])).toMatchObject(reached(999));
  expect(await status("600", ["6xx"])).toMatchObject(reached(600));
  expect(await status("777 ", ["700-999"])).toMatchObject(reached(777));
  expect(await status("999", undefined)).toMatchObject(unexpected(999, "999, expected 2xx"));
  expect(await status("1000", undefined)).toMatchObject({ outcome: "failed", reason: "not_http" });
  const interim = Buffer.concat([answer("199"), answer("999", ["Content-Length: 1"], "a")]);
  expect(await check(interim, { status: [999], contains: "a" })).toMatchObject(reached(999));
});

/** With a name, a comment, an extra field and a CRC in its header (RFC 1952, 2.3.1). */
function namedGzip(text: string): Buffer {
  const plain = gzipSync(text);
  const header = Buffer.concat([plain.subarray(0, 3), Buffer.of(4 | 8 | 16 | 2), plain.subarray(4, 10)]);
  const fields = Buffer.concat([Buffer.of(2, 0, 1, 2), Buffer.from("a.txt\0a text\0")]);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc32(Buffer.concat([header, fields])) & 0xffff);
  return Buffer.concat([header, fields, crc, plain.subarray(10)]);
}

test.each<[string, string[], Uint8Array | string]>([
  ["with a length", ["Content-Length: 11"], "hello world"],
  ["with one length in a list", ["Content-Length: 11, 11"], "hello world"],
  ["with one length in two headers", ["Content-Length: 11", "content-length: 11,\t11 ,11"], "hello world"],
  ["without a length", [], "hello world"],
  ["with one length, written in two ways", ["Content-Length: 11, 011"], "hello world"],
  ["in chunks", ["Transfer-Encoding: chunked"], chunked("hello", " wor", "ld")],
  [
    "in chunks with extensions and trailers",
    ["Transfer-Encoding: Chunked"],
    "b;a=b\r\nhello world\r\n0\r\nX-T: 1\r\n\r\n",
  ],
  [
    "in chunks and with a wrong length",
    ["Content-Length: 5", "Transfer-Encoding: chunked"],
    chunked("hello world"),
  ],
  ["in gzip", ["Content-Encoding: gzip"], gzipSync("hello world")],
  ["in gzip by its old name", ["Content-Encoding: x-gzip"], gzipSync("hello world")],
  [
    "in gzip of two members",
    ["Content-Encoding: gzip"],
    Buffer.concat([gzipSync("hello "), gzipSync("world")]),
  ],
  [
    "in gzip, followed by other bytes",
    ["Content-Encoding: gzip"],
    Buffer.concat([gzipSync("hello world"), Buffer.from("other")]),
  ],
  [
    "in gzip, followed by a line break",
    ["Content-Encoding: gzip"],
    Buffer.concat([gzipSync("hello world"), Buffer.from("\n")]),
  ],
  [
    "in gzip with a name, of two members, followed by other bytes",
    ["Content-Encoding: gzip"],
    Buffer.concat([namedGzip("hello "), gzipSync("world"), Buffer.from("other")]),
  ],
  ["in deflate", ["Content-Encoding: deflate"], deflateSync("hello world")],
  ["in deflate without a header", ["Content-Encoding: DEFLATE"], deflateRawSync("hello world")],
  ["in Brotli", ["Content-Encoding: br"], brotliCompressSync("hello world")],
  ["in two codings", ["Content-Encoding: gzip, br"], brotliCompressSync(gzipSync("hello world"))],
  ["in no coding by name", ["Content-Encoding: identity"], "hello world"],
])("behavior 10.22: a body %s is read", async (_, headers, body) => {
  const bytes = answer("200 OK", headers, body);
  expect(await check(bytes, { contains: "hello world" })).toMatchObject(reached(200));
  expect(await check(bytes, { lacks: "hello world" })).toMatchObject(
    unexpected(200, 'the body contains "hello world"'),
  );
});

test("behavior 10.19: the values of a JSON body are compared, after a byte order mark", async () => {
  const bytes = answer("200 OK", [], '\ufeff{"queue":{"depth":140}}');
  expect(await check(bytes, { json: { "$.queue.depth": { max: 140 } } })).toMatchObject(reached(200));
  expect(await check(bytes, { json: { "$.queue.depth": { max: 100 } } })).toMatchObject(
    unexpected(200, "$.queue.depth is 140, expected at most 100"),
  );
  const latin1 = Buffer.concat([answer("200 OK"), Buffer.from('"\xfc"', "latin1")]);
  expect(await check(latin1, { json: { $: { exists: true } } })).toMatchObject(
    unexpected(200, "the body is not JSON"),
  );
});

test("behavior 10.18: a text that the server wrote in another encoding is another text", async () => {
  const latin1 = Buffer.concat([answer("200 OK"), Buffer.from("Grüße", "latin1")]);
  expect(await check(latin1, { contains: "Grüße" })).toMatchObject(unexpected(200, 'the body lacks "Grüße"'));
  expect(await check(answer("200 OK", [], "Grüße"), { contains: "Grüße" })).toMatchObject(reached(200));
});

test("behavior 10.20: headers are judged without the body", async () => {
  const headers = ["X-Cache: HIT from a", "Content-Length: 100"];
  expect(await check(answer("200 OK", headers), { headers: { "x-cache": "HIT" } })).toMatchObject(
    reached(200),
  );
  expect(await check(answer("200 OK", headers), { headers: { "x-cache": "MISS" } })).toMatchObject(
    unexpected(200, 'the header x-cache lacks "MISS"'),
  );
});

test("behavior 10.22: interim answers are skipped", async () => {
  const bytes = Buffer.concat([
    answer("100 Continue"),
    answer("103 Early Hints", ["Link: </a>; rel=preload", "Content-Length: 5"]),
    answer("101 Switching Protocols", ["Connection: Upgrade", "Upgrade: x"]),
    answer("200 OK", ["Content-Length: 2"], "ok"),
  ]);
  expect(await check(bytes, {})).toMatchObject(reached(200));
  expect(await check(bytes, { contains: "ok" })).toMatchObject(reached(200));
  expect(await check(bytes, { status: ["1xx", 404] })).toMatchObject(
    unexpected(200, "200 OK, expected 1xx or 404"),
  );
});

test.each([
  ["200", 200],
  ["200 a\rb", 200],
  ["200\xe9", 200],
  ["2000", undefined],
  ["200_", undefined],
])("a status line with %j is the same to each check, also after an interim answer", async (status, code) => {
  const line = Buffer.from(`HTTP/1.1 ${status}\r\n\r\nok`, "latin1");
  for (const bytes of [line, Buffer.concat([answer("100 Continue"), line])]) {
    using server = await startHttpServer(() => bytes);
    for (const config of [{}, { expect: { contains: "ok" } }]) {
      const seen = await observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, ...config });
      expect(seen).toMatchObject(code ? reached(code) : { outcome: "failed", reason: "not_http" });
    }
  }
});

test.each([
  ["is cut in its second member", Buffer.concat([gzipSync("hello"), gzipSync("world").subarray(0, -6)])],
  [
    "has a damaged CRC before other bytes",
    Buffer.concat([gzipSync("hello").subarray(0, -8), Buffer.alloc(8, 1), Buffer.from("other")]),
  ],
  [
    "has too many members before other bytes",
    Buffer.concat([...Array(200).fill(gzipSync("")), Buffer.from("x")]),
  ],
])("behavior 10.22: gzip that %s is a bad body", async (_, body) => {
  const seen = await check(answer("200 OK", ["Content-Encoding: gzip"], body), { contains: "hello" });
  expect(seen).toMatchObject({ outcome: "failed", reason: "bad_body" });
});

describe.each<[string, Omit<HttpConfig, "url" | "interval">]>([
  ["a plain check", {}],
  ["a check with a timeout", { timeout: 2 }],
  ["a check that follows redirects", { redirects: 1 }],
  ["a check with a header", { headers: { "X-A": "1" } }],
])("behavior 1.54: for %s, an interim answer is not the answer", (_, config) => {
  const observe = (port: number) => observation("HTTP", { url: `http://127.0.0.1:${port}/`, ...config });

  test("but the one that follows later", async () => {
    let between = 0;
    using server = await startHttpServer(() => async (socket) => {
      const start = performance.now();
      await new Promise((sent) => socket.write(answer("103 Early Hints", ["Link: </a>"]), sent));
      await Bun.sleep(20);
      between = performance.now() - start;
      // The rest of the head never comes.
      socket.write("HTTP/1.1 500 Oh\r\nServer: x\r\n");
    });
    const seen = await observe(server.port);
    if (seen.outcome === "reached") expect(seen.latencyMs).toBeGreaterThanOrEqual(between);
    expect(seen).toMatchObject(reached(500));
  });

  test.each([
    ["is followed by nothing", answer("103 Early Hints"), "closed"],
    [
      "switches protocols, which was not asked for",
      answer("101 Switching Protocols", ["Upgrade: x"]),
      "closed",
    ],
  ])("and there is none if it %s", async (_, bytes, reason) => {
    using server = await startHttpServer(() => bytes);
    expect(await observe(server.port)).toMatchObject({ outcome: "failed", reason });
  });
});

test.each(["204 No Content", "304 Not Modified"])(
  "an answer %s has no body, whatever its length says",
  async (status) => {
    const seen = await check(answer(status, ["Content-Length: 5"]), { status: ["2xx", "3xx"], lacks: "x" });
    expect(seen).toMatchObject(reached(Number.parseInt(status, 10)));
  },
);

test("the answer to HEAD has no body, whatever its length says", async () => {
  const bytes = answer("200 OK", ["Content-Length: 5"]);
  const seen = await check(bytes, { headers: { "content-length": "5" } }, { method: "HEAD" });
  expect(seen).toMatchObject(reached(200));
});

test("behavior 10.24, 10.25: an answer that takes longer than expected is slow, to the end of what had to be read", async () => {
  const late = (delayed: "head" | "body") =>
    startHttpServer(() => (socket) => {
      const [head, body] = [answer("200 OK", ["Content-Length: 2"]), "ok"];
      if (delayed === "head")
        return void setTimeout(() => socket.end(Buffer.concat([head, Buffer.from(body)])), 120);
      socket.write(head);
      setTimeout(() => socket.end(body), 120);
    });
  const seenOf = async (delayed: "head" | "body", expected: Expectations) => {
    using server = await late(delayed);
    return await observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, expect: expected });
  };
  expect(await seenOf("head", { within: 100 })).toMatchObject({
    outcome: "reached",
    slowBy: expect.any(Number),
  });
  expect(await seenOf("body", { within: 100, contains: "ok" })).toMatchObject({
    outcome: "reached",
    slowBy: expect.any(Number),
  });
  // Without an expectation of the body, it is not read.
  expect(await seenOf("body", { within: 60_000 })).not.toHaveProperty("slowBy");
  expect(await seenOf("head", { within: 60_000 })).not.toHaveProperty("slowBy");
  expect(await seenOf("head", { within: 100, contains: "no" })).toMatchObject({ reason: "unexpected" });
});
