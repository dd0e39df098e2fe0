import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { decodeBody } from "../../../src/probes/http/content-coding.ts";
import type { Head } from "../../../src/probes/http/response-parser.ts";
import { split } from "../bytes/pieces.ts";
import { endlessCheck } from "../http/endless-check.ts";
import type { CheckInput } from "../http/input.ts";
import { runCheck } from "../http/judge-check.ts";
import { readAnswer } from "../http/read-answer.ts";
import type { Shape } from "./shape.ts";

const OK = "HTTP/1.1 200 OK\r\n";

/** All that is not the body may have 64 KiB. */
const OF_HEADERS = 15_000;

type Compose = (size: number) => string;

/** An answer that is read by the parser alone. */
function answer(name: string, size: number, compose: Compose, { isSplit = false } = {}): Shape {
  return {
    protocol: "http",
    name,
    size,
    compose(bytes) {
      const pieces = split(compose(bytes), isSplit ? "all" : []);
      return () => readAnswer(pieces, { hasBody: true });
    },
  };
}

/** An answer to a whole check. */
function check(
  name: string,
  size: number,
  compose: Compose,
  { isSplit = false, ...config }: { isSplit?: boolean } & Partial<CheckInput["config"]>,
): Shape {
  return {
    protocol: "http",
    name,
    size,
    compose(bytes) {
      const input: CheckInput = {
        config: { url: "http://127.0.0.1/", interval: 60, ...config },
        exchanges: [
          {
            bytes: compose(bytes),
            cuts: isSplit ? "all" : [],
            truth: null,
            arrival: "as read",
            end: "close",
          },
        ],
      };
      return () => runCheck(input);
    },
  };
}

const CODED: Head = { statusCode: 200, headers: [["Content-Encoding", "gzip"]] };

/** A body of gzip that other bytes follow, which takes longest. */
function coded(name: string, size: number, compose: (size: number) => Buffer): Shape {
  return {
    protocol: "http",
    name,
    size,
    compose(size) {
      const bytes = Buffer.concat([compose(size), Buffer.from("\0junk")]);
      return () => decodeBody(CODED, { bytes, isCut: false }, endlessCheck());
    },
  };
}

/** The first line has no shape: it is searched again with each piece, but may have 8 KiB, which takes milliseconds. */
const heads: Shape[] = [
  answer("long header", OF_HEADERS, (n) => `${OK}X: ${"a".repeat(n)}\r\n\r\n`),
  answer("long header in single bytes", OF_HEADERS, (n) => `${OK}X: ${"a".repeat(n)}\r\n\r\n`, {
    isSplit: true,
  }),
  answer("spaces in a header", 4000, (n) => `${OK}X: a${" ".repeat(n)}b\r\n\r\n`),
  answer("many headers", OF_HEADERS, (n) => `${OK}${"a:b\r\n".repeat(n / 5)}\r\n`),
  answer("many lengths", OF_HEADERS, (n) => `${OK}${"Content-Length:0\r\n".repeat(n / 18)}\r\n`),
  answer("folded lines", OF_HEADERS, (n) => `${OK}X: a\r\n${" b\r\n".repeat(n / 4)}\r\n`),
  answer("interim answers", OF_HEADERS, (n) => `${"HTTP/1.1 100 \r\n\r\n".repeat(n / 17)}${OK}\r\n`),
  answer(
    "empty lines after an interim answer",
    OF_HEADERS,
    (n) => `HTTP/1.1 100 \r\n\r\n${"\n".repeat(n)}${OK}\r\n`,
  ),
];

const chunked = (body: string) => `${OK}Transfer-Encoding: chunked\r\n\r\n${body}`;

const bodies: Shape[] = [
  answer("body in single bytes", 30_000, (n) => `${OK}\r\n${"a".repeat(n)}`, { isSplit: true }),
  answer("tiny chunks", 50_000, (n) => chunked(`${"1\r\na\r\n".repeat(n / 6)}0\r\n\r\n`)),
  answer("tiny chunks in single bytes", 30_000, (n) => chunked(`${"1\r\na\r\n".repeat(n / 6)}0\r\n\r\n`), {
    isSplit: true,
  }),
  answer("zeros before the size of a chunk", OF_HEADERS, (n) => chunked(`${"0".repeat(n)}x\r\n`)),
  answer("spaces after the size of a chunk", OF_HEADERS, (n) => chunked(`1${" ".repeat(n)}x\r\n`)),
  answer("trailers", OF_HEADERS, (n) => chunked(`0\r\n${"a:b\r\n".repeat(n / 5)}\r\n`)),
  coded("members of gzip", 24, (n) =>
    Buffer.concat(Array.from({ length: n }, () => gzipSync("a".repeat(1000)))),
  ),
  coded("text that is not compressible", 100_000, (n) => gzipSync(randomBytes(n))),
];

const checks: Shape[] = [
  check("expected text in a body in single bytes", 15_000, (n) => `${OK}\r\n${"ab".repeat(n / 2)}`, {
    isSplit: true,
    expect: { contains: "never there" },
  }),
  check("nested JSON", 10_000, (n) => `${OK}\r\n${"[".repeat(n / 2)}${"]".repeat(n / 2)}`, {
    expect: { json: { "$.a": "b" } },
  }),
  check("content codings", OF_HEADERS, (n) => `${OK}Content-Encoding: ${"gzip,".repeat(n / 5)}\r\n\r\nx`, {
    expect: { json: { "$.a": "b" } },
  }),
  check("location", OF_HEADERS, (n) => `HTTP/1.1 302 \r\nLocation: /${"../a".repeat(n / 4)}\r\n\r\n`, {
    redirects: 1,
  }),
  check(
    "host of a location",
    OF_HEADERS,
    (n) => `HTTP/1.1 302 \r\nLocation: http://${"a.".repeat(n / 2)}\r\n\r\n`,
    {
      redirects: 1,
    },
  ),
  check("sample", OF_HEADERS, (n) => `${OK}${"a:b\r\n".repeat(n / 5)}\r\n`, { isSampled: true }),
];

export const httpShapes: readonly Shape[] = [...heads, ...bodies, ...checks];
