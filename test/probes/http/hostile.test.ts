import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import type { Reason } from "../../../src/domain/checks/observation.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, chunked, endless, startHttpServer } from "../../support/servers/http-answers.ts";

const CHUNKED = ["Transfer-Encoding: chunked"];
const GZIP = ["Content-Encoding: gzip"];
const contains: Expectations = { contains: "never-there" };

const check = async (
  served: Uint8Array | string | ((socket: Socket) => void),
  expected: Expectations = contains,
  timeout = 20_000,
) => {
  using server = await startHttpServer(() => served);
  return await observation(
    "HTTP",
    { url: `http://127.0.0.1:${server.port}/`, expect: expected },
    { timeout },
  );
};

const gzipBomb = () => gzipSync(Buffer.alloc(200 * 1024 * 1024));
const brotliBomb = () =>
  brotliCompressSync(Buffer.alloc(100 * 1024 * 1024), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

test.each<[string, Reason, string, () => Uint8Array | string | ((socket: Socket) => void)]>([
  [
    "headers never end",
    "not_http",
    "its headers are longer than 64 KiB",
    () => endless("HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(1000)),
  ],
  [
    "header is one endless line",
    "not_http",
    "its headers are longer than 64 KiB",
    () => endless("HTTP/1.1 200 OK\r\nX: ", "x".repeat(100_000)),
  ],
  [
    "interim answers never end",
    "not_http",
    "its headers are longer than 64 KiB",
    () => endless("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(500)),
  ],
  [
    "size of a chunk is an endless line",
    "bad_body",
    "its chunks or trailers are too long",
    () => endless(answer("200 OK", CHUNKED), "0".repeat(50_000)),
  ],
  [
    "extension of a chunk is an endless line",
    "bad_body",
    "its chunks or trailers are too long",
    () => endless(answer("200 OK", CHUNKED, "5;"), "x".repeat(50_000)),
  ],
  [
    "trailers never end",
    "bad_body",
    "its chunks or trailers are too long",
    () => endless(answer("200 OK", CHUNKED, "0\r\n"), "X-A: b\r\n".repeat(1000)),
  ],
  [
    "chunks have one byte and long extensions",
    "bad_body",
    "its chunks are too small",
    () => endless(answer("200 OK", CHUNKED), `1;${"x".repeat(1000)}\r\nx\r\n`),
  ],
  [
    "size of a chunk is no number",
    "bad_body",
    "the size of a chunk is malformed",
    () => answer("200 OK", CHUNKED, "zz\r\nhello\r\n0\r\n\r\n"),
  ],
  [
    "size of a chunk is negative",
    "bad_body",
    "the size of a chunk is malformed",
    () => answer("200 OK", CHUNKED, "\r\n-06\r\nhello\r\n0\r\n\r\n".slice(2)),
  ],
  [
    "size of a chunk is huge",
    "bad_body",
    "the size of a chunk is malformed",
    () => answer("200 OK", CHUNKED, "fffffffffffffffff\r\nhello\r\n"),
  ],
  [
    "size of a chunk is too small",
    "bad_body",
    "the size of a chunk is wrong",
    () => answer("200 OK", CHUNKED, "2\r\nhello\r\n0\r\n\r\n"),
  ],
  [
    "size of a chunk is too large",
    "bad_body",
    "the connection ended before the body did",
    () => answer("200 OK", CHUNKED, "ff\r\nhello\r\n0\r\n\r\n"),
  ],
  [
    "last chunk is missing",
    "bad_body",
    "the connection ended before the body did",
    () => answer("200 OK", CHUNKED, "5\r\nhello\r\n"),
  ],
  [
    "length is too large",
    "bad_body",
    "the connection ended before the body did",
    () => answer("200 OK", ["Content-Length: 100"], "hello"),
  ],
  [
    "lengths differ",
    "bad_body",
    "it has two lengths",
    () => answer("200 OK", ["Content-Length: 5", "Content-Length: 6"], "hello!"),
  ],
  [
    "lengths in a list differ",
    "bad_body",
    "it has two lengths",
    () => answer("200 OK", ["Content-Length: 6, 5"], "hello!"),
  ],
  [
    "last length in a list is missing",
    "bad_body",
    "it has two lengths",
    () => answer("200 OK", ["Content-Length: 6,"], "hello!"),
  ],
  [
    "length in a list is no number",
    "bad_body",
    "its length is not a number",
    () => answer("200 OK", ["Content-Length: +6, +6"], "hello!"),
  ],
  [
    "length is negative",
    "bad_body",
    "its length is not a number",
    () => answer("200 OK", ["Content-Length: -5"], "hello"),
  ],
  [
    "length is no number",
    "bad_body",
    "its length is not a number",
    () => answer("200 OK", ["Content-Length: 0x5"], "hello"),
  ],
  [
    "transfer coding is unknown",
    "bad_body",
    "it has a transfer coding other than chunked",
    () => answer("200 OK", ["Transfer-Encoding: gzip, chunked"], chunked("hello")),
  ],
  [
    "content coding is unknown",
    "bad_body",
    "it has a content coding other than gzip, deflate and br",
    () => answer("200 OK", ["Content-Encoding: zstd"], "hello"),
  ],
  [
    "content codings are many",
    "bad_body",
    "it has too many content codings",
    () => answer("200 OK", ["Content-Encoding: gzip, gzip, gzip"], "hello"),
  ],
  ["gzip is broken", "bad_body", "it does not decode as gzip", () => answer("200 OK", GZIP, "hello")],
  [
    "gzip breaks off",
    "bad_body",
    "it does not decode as gzip",
    () => answer("200 OK", GZIP, gzipSync("hello world").subarray(0, 20)),
  ],
  [
    "gzip has endless empty parts",
    "bad_body",
    "as gzip, it is longer than its text",
    () => endless(answer("200 OK", GZIP), Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("")))),
  ],
])("behavior 10.22: if the %s, the reason is %s: %s", async (_, reason, message, served) => {
  const seen = await check(served());
  expect(seen).toMatchObject({
    outcome: "failed",
    reason,
    detail: { message: expect.stringContaining(message) },
  });
});

test("behavior 10.22: a connection that is reset within the body is a bad body", async () => {
  const seen = await check((socket) => {
    socket.write(answer("200 OK", ["Content-Length: 100"], "hello"), () =>
      setTimeout(() => socket.resetAndDestroy(), 20),
    );
  });
  expect(seen).toMatchObject({ reason: "bad_body", detail: { statusCode: 200 } });
});

test.each<[string, () => Uint8Array | ((socket: Socket) => void)]>([
  ["endless", () => endless(answer("200 OK"), "x".repeat(100_000))],
  [
    "endless in chunks",
    () => endless(answer("200 OK", CHUNKED), "4000\r\n".concat("x".repeat(0x4000), "\r\n")),
  ],
  ["10 MB of one line", () => answer("200 OK", ["Content-Length: 10000000"], "x".repeat(10_000_000))],
  ["a bomb of gzip", () => answer("200 OK", GZIP, gzipBomb())],
  ["a bomb of Brotli", () => answer("200 OK", ["Content-Encoding: br"], brotliBomb())],
  ["a bomb within a bomb", () => answer("200 OK", ["Content-Encoding: gzip, gzip"], gzipSync(gzipBomb()))],
])("behavior 10.22: of a body that is %s, 1 MiB is judged", async (_, served) => {
  const bytes = served();
  expect(await check(bytes)).toMatchObject({
    reason: "unexpected",
    detail: { message: 'the body lacks "never-there"' },
  });
  expect(await check(bytes, { lacks: "never-there" })).toMatchObject({ outcome: "reached" });
  expect(await check(bytes, { json: { $: 1 } })).toMatchObject({
    reason: "unexpected",
    detail: { message: "the body is larger than 1 MiB" },
  });
});

test("behavior 10.22: the text at the end of 1 MiB counts, and the text after it does not", async () => {
  const filled = (end: string) => "x".repeat(1024 * 1024 - 3) + end;
  expect(await check(answer("200 OK", [], filled("end")), { contains: "end" })).toMatchObject({
    outcome: "reached",
  });
  expect(await check(answer("200 OK", [], filled("xxxend")), { contains: "end" })).toMatchObject({
    reason: "unexpected",
  });
  const document = `"${"x".repeat(1024 * 1024 - 2)}"`;
  expect(await check(answer("200 OK", [], document), { json: { $: { exists: true } } })).toMatchObject({
    outcome: "reached",
  });
});

test("behavior 10.6: a body that drips is a timeout", async () => {
  const seen = await check(
    (socket) => {
      socket.write(answer("200 OK", ["Content-Length: 1000"]));
      const dripping = setInterval(() => socket.write("x"), 20);
      socket.once("close", () => clearInterval(dripping));
    },
    contains,
    400,
  );
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message: "no end of the body within 0.4 s" },
  });
});

test("the connection of a server that sends without end is closed after the check", async () => {
  let open = 0;
  const seen = await check((socket) => {
    open++;
    socket.once("close", () => open--);
    endless(answer("200 OK"), "x".repeat(100_000))(socket);
  });
  expect(seen).toMatchObject({ reason: "unexpected" });
  await eventually(() => open === 0);
});

test("the connection is closed by the check, not by the server", async () => {
  const closed = Promise.withResolvers<void>();
  using server = await startHttpServer(() => (socket) => {
    socket.once("close", () => closed.resolve());
    endless(answer("200 OK"), "x".repeat(100_000))(socket);
  });
  await observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, expect: contains });
  await closed.promise;
});
