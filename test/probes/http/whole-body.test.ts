import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { answer, chunked, startHttpServer } from "../../support/servers/http-answers.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

const MIB = 1024 * 1024;
const UP = { outcome: "reached", detail: { statusCode: 200 } };
const BAD = { outcome: "failed", reason: "bad_body", detail: { statusCode: 200 } };

type Bytes = Uint8Array | string;

async function check(bytes: Bytes | ((socket: Socket) => void), expected: Expectations = {}) {
  using server = await startHttpServer(() => bytes);
  const url = `http://127.0.0.1:${server.port}/`;
  return await observation("HTTP", { url, expect: { complete: true, ...expected } }, { timeout: 10_000 });
}

const lengthOf = (bytes: Bytes) => [`Content-Length: ${Buffer.byteLength(bytes as string)}`];
const coded = (coding: string, body: Bytes, sent = body) =>
  answer("200 OK", [...lengthOf(body), `Content-Encoding: ${coding}`], sent);
const CHUNKED = ["Transfer-Encoding: chunked"];
/** Longer than what other expectations read of a body. */
const LARGE = randomBytes(1.25 * MIB);
const TEXT = "hello world ".repeat(100_000);

test.each<[string, Bytes]>([
  ["a length", answer("200 OK", lengthOf("hello"), "hello")],
  ["the length 0", answer("200 OK", ["Content-Length: 0"])],
  ["a length and more bytes", answer("200 OK", lengthOf("hello"), "hello and more")],
  ["chunks", answer("200 OK", CHUNKED, chunked("hello", " world"))],
  ["the end of the connection", answer("200 OK", [], "hello")],
  ["nothing but the end of the connection", answer("200 OK")],
  ["a large length", answer("200 OK", lengthOf(LARGE), LARGE)],
  ["many small chunks", answer("200 OK", CHUNKED, chunked(...Array(20_000).fill("x".repeat(64))))],
  ["a coding of nothing", coded("gzip", "")],
  ["a last chunk before any coded byte", answer("200 OK", [...CHUNKED, "Content-Encoding: gzip"], chunked())],
])("behavior 10.95: a body that ends with %s is whole", async (_, bytes) => {
  expect(await check(bytes)).toMatchObject(UP);
});

test.each<[string, Bytes]>([
  ["before its length", answer("200 OK", ["Content-Length: 6"], "hello")],
  ["before any byte of its length", answer("200 OK", ["Content-Length: 6"])],
  ["before a large length", answer("200 OK", lengthOf(LARGE), LARGE.subarray(1))],
  ["within a chunk", answer("200 OK", CHUNKED, "5\r\nhell")],
  ["before its last chunk", answer("200 OK", CHUNKED, "5\r\nhello\r\n")],
  ["within its last chunk", answer("200 OK", CHUNKED, "5\r\nhello\r\n0\r\n")],
])("behavior 10.95: a body that breaks off %s is bad", async (_, bytes) => {
  expect(await check(bytes)).toMatchObject(BAD);
});

const brotli = (text: Bytes) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

const codings: [string, (text: Bytes) => Buffer][] = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotli],
  ["gzip, br", (text) => brotli(gzipSync(text))],
  ["br, deflate", (text) => deflateSync(brotli(text))],
];

test.each(codings)(
  "behavior 10.95: the coding %s is whole with its end, and bad without it",
  async (name, code) => {
    for (const text of ["hello", TEXT, LARGE]) {
      const body = code(text);
      expect(await check(coded(name, body))).toMatchObject(UP);
      // The answer has the length that it announces.
      const cut = body.subarray(0, -1);
      expect(await check(coded(name, cut))).toMatchObject(BAD);
      expect(await check(answer("200 OK", [`Content-Encoding: ${name}`], cut))).toMatchObject(BAD);
      expect(await check(coded(name, body, cut))).toMatchObject(BAD);
      expect(await check(answer("200 OK", [`Content-Encoding: ${name}`]))).toMatchObject(BAD);
    }
  },
);

/** Deflated, and followed by other bytes. */
const padded = (text: string) => Buffer.concat([deflateSync(text), Buffer.alloc(100)]);

const withByteAt = (at: number, bytes: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.of(1), bytes.subarray(at)]);

test.each<[string, Buffer, object]>([
  ["is followed by other bytes", Buffer.concat([gzipSync(LARGE), Buffer.from("other")]), UP],
  ["is followed by a line feed", Buffer.concat([gzipSync("hello"), Buffer.from("\n")]), UP],
  ["is followed by the first byte of a member", Buffer.concat([gzipSync("hello"), Buffer.of(0x1f)]), BAD],
  ["has one byte too many before its checksum", withByteAt(-8, gzipSync("hello")), BAD],
  ["has two members", Buffer.concat([gzipSync(LARGE), gzipSync(LARGE)]), UP],
  ["breaks off in its second member", Buffer.concat([gzipSync(LARGE), gzipSync(LARGE).subarray(0, -9)]), BAD],
  ["has a wrong checksum", Buffer.concat([gzipSync(LARGE).subarray(0, -8), Buffer.alloc(8, 1)]), BAD],
  ["is no gzip", LARGE.fill(0, 0, 1), BAD],
])("behavior 10.95: gzip that %s", async (_, body, seen) => {
  expect(await check(coded("gzip", body))).toMatchObject(seen);
});

test.each<[string, Bytes]>([
  [
    "before its length",
    coded("gzip", `${"x".repeat(100)}`, Buffer.concat([gzipSync("hello"), Buffer.alloc(9)])),
  ],
  [
    "within another coding",
    coded("deflate, gzip", Buffer.concat([gzipSync(padded("hello")).subarray(0, -8), Buffer.alloc(8)])),
  ],
])("behavior 10.95: a body that breaks off %s, after the end of its coding, is bad", async (_, bytes) => {
  expect(await check(bytes)).toMatchObject(BAD);
});

test("behavior 10.95: an unknown coding, and too many codings, are bad", async () => {
  expect(await check(coded("zstd", "hello"))).toMatchObject(BAD);
  expect(await check(coded("gzip, gzip, gzip", gzipSync("hello")))).toMatchObject(BAD);
});

const ENDLESS = "x".repeat(100_000);

/** A server in front of another one, which ends each connection after an answer that does not end. */
const between = (port: number, end: (socket: Socket) => void) =>
  startServer((socket) => {
    const inner = connect(port, "127.0.0.1");
    socket.on("data", (chunk) => inner.write(chunk));
    let timer: Timer;
    let waiting: NodeJS.Immediate;
    inner.on("data", (chunk) => {
      socket.write(chunk);
      clearTimeout(timer);
      clearImmediate(waiting);
      // A handshake can pause for longer. What has arrived meanwhile is read first.
      if (inner.bytesRead > ENDLESS.length)
        timer = setTimeout(() => {
          waiting = setImmediate(end, socket);
        }, 50);
    });
  });

test.each(["http", "https"])(
  "behavior 10.95: over %s, a body that ends with the connection is whole unless it was reset",
  async (scheme) => {
    const authority = await createAuthority();
    const tls = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
    using server = await startHttpServer(
      () => (socket) => void socket.write(answer("200 OK", [], ENDLESS)),
      scheme === "https" ? { tls } : {},
    );
    const over = ({ port }: { port: number }) => {
      const url = `${scheme}://127.0.0.1:${port}/`;
      return observation("HTTP", { url, verifyTls: false, expect: { complete: true } });
    };
    using ending = await between(server.port, (socket) => socket.end());
    expect(await over(ending)).toMatchObject(UP);
    using resetting = await between(server.port, (socket) => socket.resetAndDestroy());
    expect(await over(resetting)).toMatchObject(BAD);
  },
);

/** Announces more than it sends. */
const cutAt = (sent: number, announced: number) =>
  answer("200 OK", [`Content-Length: ${announced}`], Buffer.alloc(sent, "x"));

test("behavior 10.96: of a body, 16 MiB are read, decoded, and what follows is not judged", async () => {
  expect(await check(cutAt(16 * MIB, 17 * MIB))).toMatchObject(UP);
  expect(await check(cutAt(16 * MIB - 1, 17 * MIB))).toMatchObject(BAD);
  expect(await check(cutAt(16 * MIB, 16 * MIB))).toMatchObject(UP);
  const large = gzipSync(Buffer.alloc(17 * MIB));
  expect(await check(coded("gzip", large.subarray(0, -8)))).toMatchObject(UP);
  const small = gzipSync(Buffer.alloc(15 * MIB));
  expect(await check(coded("gzip", small.subarray(0, -8)))).toMatchObject(BAD);
  const twice = brotli(gzipSync(Buffer.alloc(17 * MIB)));
  expect(await check(coded("gzip, br", twice))).toMatchObject(UP);
});

test("behavior 10.95: the other expectations are judged too", async () => {
  const whole = answer("200 OK", lengthOf(TEXT), TEXT);
  expect(await check(whole, { contains: "hello" })).toMatchObject(UP);
  expect(await check(whole, { contains: "absent" })).toMatchObject({ reason: "unexpected" });
  const json = gzipSync(JSON.stringify({ ok: true, filler: "x".repeat(500_000) }));
  expect(await check(coded("gzip", json), { json: { "$.ok": true } })).toMatchObject(UP);
  expect(await check(coded("gzip", json), { json: { "$.ok": false } })).toMatchObject({
    reason: "unexpected",
  });
  // Only the first MiB has to hold the text, but all of the body has to arrive.
  const cut = answer("200 OK", ["Content-Length: 3000000"], TEXT);
  expect(await check(cut, { contains: "hello" })).toMatchObject(BAD);
  // Without the right status, the body is not read.
  const failed = answer("503 Service Unavailable", ["Content-Length: 6"], "hello");
  expect(await check(failed)).toMatchObject({ reason: "unexpected", detail: { statusCode: 503 } });
  expect(await check(failed, { status: [503] })).toMatchObject({ ...BAD, detail: { statusCode: 503 } });
});

test("behavior 10.95: without it, or with false, the body is not read", async () => {
  expect(await check(cutAt(5, 6), { complete: false })).toMatchObject(UP);
});

test.each(["204 No Content", "304 Not Modified"])("behavior 10.95: %s has no body", async (status) => {
  const bytes = answer(status, ["Content-Encoding: gzip"]);
  expect(await check(bytes, { status: ["2xx", "3xx"] })).toMatchObject({ outcome: "reached" });
});

test("behavior 10.95: after redirects, the body of the final answer must be whole", async () => {
  using server = await startHttpServer((path) =>
    path === "/" ? answer("302 Found", ["Location: /to", "Content-Length: 9"], "cut") : cutAt(5, 6),
  );
  const config = { url: `http://127.0.0.1:${server.port}/`, redirects: 1 };
  expect(await observation("HTTP", { ...config, expect: { complete: true } })).toMatchObject(BAD);
  expect(await observation("HTTP", { ...config, expect: {} })).toMatchObject(UP);
});

test("behavior 10.24, 10.95: the time of within is to the end of the body, and the latency is not", async () => {
  const slow = (socket: Socket) => {
    socket.write(answer("200 OK", ["Content-Length: 5"], "hell"));
    setTimeout(() => socket.end("o"), 120);
  };
  const seen = await check(slow, { within: 100 });
  expect(seen).toMatchObject({ outcome: "reached", slowBy: expect.any(Number) });
});

test("behavior 10.95: a body that does not end in time is a timeout", async () => {
  using server = await startHttpServer(() => (socket) => void socket.write(cutAt(5, 6)));
  const config = { url: `http://127.0.0.1:${server.port}/`, expect: { complete: true } };
  const seen = await observation("HTTP", config, { timeout: 200 });
  expect(seen).toMatchObject({ reason: "timeout", detail: { message: "no end of the body within 0.2 s" } });
});

test("behavior 10.30, 10.95: a sample has the start of a body that is not whole", async () => {
  using server = await startHttpServer(() => answer("200 OK", ["Content-Length: 3000000"], TEXT));
  const config = { url: `http://127.0.0.1:${server.port}/`, expect: { complete: true } };
  const seen = await observation("HTTP", config, { isSampled: true });
  const sample = { statusCode: 200, body: TEXT.slice(0, 2048), isBodyCut: true };
  expect(seen).toMatchObject({ ...BAD, sample });
});

test("behavior 10.30, 10.95: a sample has the chunks before a malformed one, also if they arrive together", async () => {
  const chunks = "5\r\nhello\r\n1\r\nxx\r\n0\r\n\r\n";
  using server = await startHttpServer(() => answer("200 OK", CHUNKED, chunks));
  const config = { url: `http://127.0.0.1:${server.port}/`, expect: { complete: true } };
  const seen = await observation("HTTP", config, { isSampled: true });
  expect(seen).toMatchObject({ ...BAD, sample: { body: "hellox" } });
});
