import { answer, endless } from "../../../test/support/servers/http-answers.ts";
import { breaks, down, keeps, type Scenario, silent } from "../scenario.ts";
import { serves } from "../world/changes.ts";
import { dribble, http, OK } from "../world/http.ts";
import { GOOD_HTTP, httpMonitor } from "./plain.ts";

/** Any complete status line is an answer; the headers are read only if something is expected of them. */
const READ = { expect: { headers: { "X-Kind": "test" } } };
const READABLE = answer("200 OK", ["X-Kind: test", "Content-Length: 2"], "ok");
const GOOD_HEADERS = [serves(http(READABLE)), GOOD_HTTP[1]] as const;

/** The part before the body: status lines and headers. */
export const framing: Scenario[] = [
  broken("garbage-first", "bytes that are not HTTP precede the status line", "\x00\x01\x02garbage\r\n"),
  broken("bare-html", "the answer of HTTP/0.9 has no status line", "<html>hello</html>"),
  broken("icy", "the status line names another protocol", "ICY 200 OK\r\n\r\n"),
  broken("short-code", "the status code has two digits", "HTTP/1.1 20 OK\r\n\r\n"),
  broken("long-code", "the status code has four digits", "HTTP/1.1 2000 OK\r\n\r\n"),
  broken("cut-status-line", "the connection ends within the status line", "HTTP/1.1 200"),
  broken("huge-status-line", "the status line has a megabyte", `HTTP/1.1 200 ${"x".repeat(1 << 20)}\r\n\r\n`),
  broken("http2", "the server speaks HTTP/2 without being asked", "\x00\x00\x12\x04\x00\x00\x00\x00\x00"),
  breaks(
    "endless-status-line",
    "the status line never ends",
    httpMonitor(),
    [serves(http(endless("HTTP/1.1 200 ", "x".repeat(1024)))), down("protocol", "not_http")],
    GOOD_HTTP,
  ),
  breaks(
    "slow-status-line",
    "one byte of the status line arrives every 200 ms",
    httpMonitor(),
    [
      serves(http((socket) => void dribble(socket, OK.toString(), { ms: 200 }))),
      silent("protocol", "timeout"),
    ],
    GOOD_HTTP,
  ),
  breaks(
    "endless-headers",
    "the headers never end",
    httpMonitor(READ),
    [serves(http(endless("HTTP/1.1 200 OK\r\n", "X-More: more\r\n"))), down("protocol", "not_http")],
    GOOD_HEADERS,
  ),
  breaks(
    "slow-headers",
    "one byte of the headers arrives every 100 ms",
    httpMonitor(READ),
    [
      serves(http((socket) => void dribble(socket, READABLE.toString(), { ms: 100 }))),
      silent("protocol", "timeout"),
    ],
    GOOD_HEADERS,
  ),
  breaks(
    "only-interim",
    "interim answers follow one another, and the final one never comes",
    httpMonitor(),
    [
      serves(
        http(
          (socket) => void dribble(socket, Array(100).fill("HTTP/1.1 102 Processing\r\n\r\n"), { ms: 50 }),
        ),
      ),
      silent("protocol", "timeout"),
    ],
    GOOD_HTTP,
  ),
  breaks(
    "interim-and-close",
    "the connection ends after an interim answer",
    httpMonitor(),
    [serves(http("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")), down("protocol", "closed")],
    GOOD_HTTP,
  ),
  breaks(
    "status-999",
    "the status code is 999, which is not the expected one",
    httpMonitor({ expect: {} }),
    [serves(http(answer("999 Request denied"))), down("content", "unexpected")],
    GOOD_HTTP,
  ),
  odd("any-status", "the status code is 999, and any answer counts", answer("999 Request denied")),
  odd("interim-answers", "three interim answers precede the final one", [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
    READABLE,
  ]),
  odd("http-1.0", "the server answers with HTTP/1.0", READABLE.toString().replace("1.1", "1.0")),
  odd("no-phrase", "the status line has no reason phrase", READABLE.toString().replace(" OK", "")),
  odd(
    "long-phrase",
    "the reason phrase has 6,000 characters",
    READABLE.toString().replace("OK", "x".repeat(6000)),
  ),
  odd("bare-newlines", "lines end without a carriage return", READABLE.toString().replaceAll("\r\n", "\n")),
  odd(
    "folded-header",
    "a header is folded",
    "HTTP/1.1 200 OK\r\nX-Kind: a\r\n test\r\nContent-Length: 2\r\n\r\nok",
  ),
  odd(
    "lower-case",
    "names of headers are in lower case",
    READABLE.toString().toLowerCase().replace("http", "HTTP"),
  ),
  odd(
    "null-bytes",
    "a header has null bytes",
    READABLE.toString().replace("X-Kind", "X-Odd: a\0b\0c\r\nX-Kind"),
  ),
  odd(
    "line-without-colon",
    "a line of the headers has no colon",
    READABLE.toString().replace("X-Kind", "odd\r\nX-Kind"),
  ),
  odd(
    "many-headers",
    "there are 500 headers",
    READABLE.toString().replace("X-Kind", `${"X-More: more\r\n".repeat(500)}X-Kind`),
  ),
  odd(
    "equal-lengths",
    "Content-Length is there twice, with one value",
    READABLE.toString().replace("Content", "Content-Length: 2\r\nContent"),
  ),
  keeps(
    "bytewise",
    "the answer arrives in single bytes",
    httpMonitor(READ),
    serves(http((socket) => void dribble(socket, READABLE.toString(), { ms: 2 }))),
    GOOD_HEADERS,
  ),
];

function broken(name: string, about: string, sent: string): Scenario {
  return breaks(name, about, httpMonitor(), [serves(http(sent)), down("protocol", "not_http")], GOOD_HTTP);
}

/** Unusual, but a complete answer. */
function odd(name: string, about: string, sent: string | Uint8Array | (string | Uint8Array)[]): Scenario {
  const parts = Array.isArray(sent) ? sent : [sent];
  const reads = name === "any-status" ? {} : READ;
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return keeps(
    name,
    about,
    httpMonitor(reads),
    serves(http(bytes)),
    name === "any-status" ? GOOD_HTTP : GOOD_HEADERS,
  );
}
