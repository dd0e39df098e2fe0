import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { answer, chunked, endless } from "../../../test/support/servers/http-answers.ts";
import { breaks, down, keeps, type Scenario, silent, UP } from "../scenario.ts";
import { serves } from "../world/changes.ts";
import { dribble, http } from "../world/http.ts";
import { httpMonitor } from "./plain.ts";

const TEXT = "the basket is here";
const BASKET = { expect: { contains: "basket" } };
const WHOLE = { expect: { complete: true } };
const JSON_BODY = { expect: { json: { "$.queue.depth": { max: 100 } } } };
const CHUNKED = ["Transfer-Encoding: chunked"];
/** A member of gzip that decodes to 64 MiB of zeros, sixteen times. */
const BOMB = Buffer.concat(Array(16).fill(gzipSync(Buffer.alloc(64 << 20), { level: 9 })));

const BROTLI_BOMB = brotliCompressSync(Buffer.alloc(32 << 20), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
});

type Expect = Record<string, unknown>;
type Sent = Parameters<typeof http>[0];

/** The contents of the body, and whether it arrives. */
export const bodies: Scenario[] = [
  bad("text-gone", "the expected text is no longer there", BASKET, withLength("nothing"), "unexpected"),
  bad(
    "text-appears",
    "a text appears that must not",
    { expect: { lacks: "Fatal" } },
    withLength("Fatal error"),
    "unexpected",
  ),
  bad("empty", "the body is empty", BASKET, withLength(""), "unexpected"),
  bad(
    "other-charset",
    "the text is there in another encoding",
    { expect: { contains: "Körbe" } },
    withLength(Buffer.from("Körbe", "latin1")),
    "unexpected",
    withLength("Körbe"),
  ),
  bad(
    "text-beyond-length",
    "the text is behind the announced length",
    BASKET,
    answer("200 OK", ["Content-Length: 4"], `none ${TEXT}`),
    "unexpected",
  ),
  bad(
    "json-value",
    "a value is too large",
    JSON_BODY,
    withLength('{"queue":{"depth":140}}'),
    "unexpected",
    withLength('{"queue":{"depth":40}}'),
  ),
  bad(
    "json-cut",
    "the JSON breaks off",
    JSON_BODY,
    withLength('{"queue":{"depth":40'),
    "unexpected",
    withLength('{"queue":{"depth":40}}'),
  ),
  bad(
    "json-deep",
    "the JSON has 100,000 brackets",
    JSON_BODY,
    withLength("[".repeat(100_000)),
    "unexpected",
    withLength('{"queue":{"depth":40}}'),
  ),
  bad(
    "length-too-long",
    "the body is shorter than announced",
    WHOLE,
    answer("200 OK", ["Content-Length: 100"], TEXT),
    "bad_body",
  ),
  bad(
    "length-and-text",
    "the body is shorter than announced, with the expected text",
    { expect: { contains: "basket", complete: true } },
    answer("200 OK", ["Content-Length: 100"], TEXT),
    "bad_body",
  ),
  bad(
    "two-lengths",
    "two values of Content-Length differ",
    BASKET,
    answer("200 OK", ["Content-Length: 18", "Content-Length: 4"], TEXT),
    "bad_body",
  ),
  bad(
    "length-word",
    "Content-Length is not a number",
    BASKET,
    answer("200 OK", ["Content-Length: some"], TEXT),
    "bad_body",
  ),
  bad(
    "last-chunk-missing",
    "the last chunk is missing",
    WHOLE,
    answer("200 OK", CHUNKED, chunked(TEXT).slice(0, -5)),
    "bad_body",
  ),
  bad(
    "chunk-size-word",
    "the size of a chunk is not a number",
    WHOLE,
    answer("200 OK", CHUNKED, `xyz\r\n${TEXT}\r\n0\r\n\r\n`),
    "bad_body",
  ),
  bad(
    "chunk-size-wrong",
    "a chunk is longer than its size",
    WHOLE,
    answer("200 OK", CHUNKED, `4\r\n${TEXT}\r\n0\r\n\r\n`),
    "bad_body",
  ),
  bad(
    "unknown-transfer",
    "the transfer coding is unknown",
    BASKET,
    answer("200 OK", ["Transfer-Encoding: gzip, chunked"], TEXT),
    "bad_body",
  ),
  bad(
    "unknown-coding",
    "the content coding is unknown",
    BASKET,
    answer("200 OK", ["Content-Encoding: zstd"], TEXT),
    "bad_body",
  ),
  bad("gzip-cut", "the gzip breaks off", BASKET, coded("gzip", gzipSync(TEXT).subarray(0, -12)), "bad_body"),
  bad(
    "gzip-garbage",
    "the body is announced as gzip and is not",
    BASKET,
    coded("gzip", Buffer.from(TEXT)),
    "bad_body",
  ),
  bad(
    "gzip-checksum",
    "the checksum of the gzip is wrong",
    WHOLE,
    coded("gzip", withWrongChecksum(gzipSync(TEXT))),
    "bad_body",
  ),
  bad(
    "gzip-bomb",
    "a megabyte of gzip decodes to a gigabyte of zeros",
    BASKET,
    coded("gzip", BOMB),
    "unexpected",
  ),
  bad(
    "endless",
    "the body never ends",
    BASKET,
    endless("HTTP/1.1 200 OK\r\n\r\n", "nothing ".repeat(512)),
    "unexpected",
  ),
  bad(
    "endless-chunks",
    "there is no last chunk, but endless others",
    BASKET,
    endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", `1000\r\n${"nothing ".repeat(512)}\r\n`),
    "unexpected",
  ),
  bad(
    "endless-tiny-chunks",
    "endless chunks have a byte each",
    BASKET,
    endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nn\r\n".repeat(512)),
    "bad_body",
  ),
  bad(
    "endless-trailers",
    "the trailers never end",
    WHOLE,
    endless(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(TEXT).slice(0, -2)}`,
      "X-More: more\r\n".repeat(512),
    ),
    "bad_body",
  ),
  bad(
    "reset-within",
    "the connection is reset within a body without a length",
    WHOLE,
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${TEXT}`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
    "bad_body",
  ),
  breaks(
    "slow-endless",
    "the body goes on slowly, and the text never comes",
    httpMonitor(BASKET),
    [
      serves(
        http(
          (socket) => void dribble(socket, ["HTTP/1.1 200 OK\r\n\r\n", ...Array(50).fill("no")], { ms: 50 }),
        ),
      ),
      silent("protocol", "timeout"),
    ],
    [serves(http(withLength(TEXT))), UP],
  ),
  breaks(
    "body-stalls",
    "the body stops before its end, and the connection stays open",
    httpMonitor(WHOLE),
    [
      serves(http((socket) => void socket.write(answer("200 OK", ["Content-Length: 100"], TEXT)))),
      silent("protocol", "timeout"),
    ],
    [serves(http(withLength(TEXT))), UP],
  ),
  odd("gzip", "the body is compressed with gzip", BASKET, coded("gzip", gzipSync(TEXT))),
  bad(
    "brotli-cut",
    "the brotli breaks off",
    BASKET,
    coded("br", brotliCompressSync(TEXT).subarray(0, -3)),
    "bad_body",
  ),
  bad(
    "brotli-bomb",
    "a kilobyte of brotli decodes to 32 megabytes of zeros",
    BASKET,
    coded("br", BROTLI_BOMB),
    "unexpected",
  ),
  bad(
    "deflate-garbage",
    "the body is announced as deflate and is not",
    BASKET,
    coded("deflate", Buffer.from(TEXT)),
    "bad_body",
  ),
  odd("x-gzip", "the coding is called x-gzip", BASKET, coded("x-gzip", gzipSync(TEXT))),
  odd("gzip-capitals", "the coding is called GZIP", BASKET, coded("GZIP", gzipSync(TEXT))),
  odd("identity", "the coding is identity", BASKET, coded("identity", Buffer.from(TEXT))),
  odd(
    "gzip-members",
    "the gzip has two members",
    BASKET,
    coded("gzip", Buffer.concat([gzipSync("the bas"), gzipSync("ket is here")])),
  ),
  odd("deflate-raw", "the deflate has no header of zlib", BASKET, coded("deflate", deflateRawSync(TEXT))),
  odd(
    "chunk-zeros",
    "sizes of chunks have zeros in front and capitals",
    BASKET,
    answer("200 OK", CHUNKED, `000000012\r\n${TEXT}\r\n0A\r\n0123456789\r\n00\r\n\r\n`),
  ),
  odd(
    "far-text",
    "the text is at the end of 900 kB, across chunks",
    BASKET,
    answer("200 OK", CHUNKED, chunked("x".repeat(900_000), "the bas", "ket")),
  ),
  odd("deflate", "the body is compressed with deflate", BASKET, coded("deflate", deflateSync(TEXT))),
  odd("brotli", "the body is compressed with brotli", BASKET, coded("br", brotliCompressSync(TEXT))),
  odd(
    "gzip-twice",
    "the body is compressed twice",
    BASKET,
    coded("gzip, br", brotliCompressSync(gzipSync(TEXT))),
  ),
  odd(
    "gzip-and-more",
    "bytes follow the end of the gzip",
    BASKET,
    coded("gzip", Buffer.concat([gzipSync(TEXT), Buffer.alloc(8)])),
  ),
  odd(
    "many-chunks",
    "the text is split over chunks",
    BASKET,
    answer("200 OK", CHUNKED, chunked("the bas", "k", "et is here")),
  ),
  odd(
    "chunk-extensions",
    "chunks have extensions, and trailers follow",
    WHOLE,
    answer("200 OK", CHUNKED, `12;a="b"\r\n${TEXT}\r\n0\r\nX-More: more\r\n\r\n`),
  ),
  odd("no-length", "the body ends with the connection", WHOLE, answer("200 OK", [], TEXT)),
  odd("two-megabytes", "two megabytes arrive", WHOLE, withLength("x".repeat(2 << 20))),
  odd(
    "byte-order-mark",
    "a mark precedes the JSON",
    JSON_BODY,
    withLength('\uFEFF{"queue":{"depth":4}}'),
    withLength('{"queue":{"depth":40}}'),
  ),
  odd(
    "no-content",
    "an answer without content has a body",
    { expect: { status: [204, 200] } },
    answer("204 No Content", ["Content-Length: 5"], "hello"),
  ),
  odd(
    "not-modified",
    "an answer that nothing was modified has a body",
    { expect: { status: [304, 200] } },
    answer("304 Not Modified", ["Content-Length: 5"], "hello"),
  ),
  odd(
    "whole-no-content",
    "an answer without content announces a length",
    { expect: { status: [204, 200], complete: true } },
    answer("204 No Content", ["Content-Length: 5"]),
  ),
  odd("head", "the answer to HEAD has a body", { method: "HEAD", expect: {} }, withLength(TEXT)),
  odd(
    "unread",
    "the body breaks off, and nobody asked for it",
    { expect: {} },
    answer("200 OK", ["Content-Length: 100"], TEXT),
  ),
];

function bad(
  name: string,
  about: string,
  config: Expect,
  sent: Sent,
  reason: string,
  good: Sent = withLength(TEXT),
): Scenario {
  return breaks(
    `body-${name}`,
    about,
    httpMonitor(config),
    [serves(http(sent)), down("content", reason)],
    [serves(http(good)), UP],
  );
}

function odd(
  name: string,
  about: string,
  config: Expect,
  sent: Sent,
  plain: Sent = withLength(TEXT),
): Scenario {
  return keeps(`body-${name}`, about, httpMonitor(config), serves(http(sent)), [serves(http(plain)), UP]);
}

function withLength(body: string | Uint8Array): Buffer {
  return answer("200 OK", [`Content-Length: ${Buffer.byteLength(body as string)}`], body);
}

function coded(coding: string, body: Uint8Array): Buffer {
  return answer("200 OK", [`Content-Encoding: ${coding}`, `Content-Length: ${body.length}`], body);
}

/** The checksum is before the last four bytes (RFC 1952). */
function withWrongChecksum(gzip: Buffer): Buffer {
  const changed = Buffer.from(gzip);
  changed.writeUInt8(changed.readUInt8(changed.length - 8) ^ 1, changed.length - 8);
  return changed;
}
