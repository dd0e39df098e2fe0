import { answer, endless } from "../../../test/support/servers/http-answers.ts";
import { breaks, type Change, course, down, keeps, type Scenario, silent, UP } from "../scenario.ts";
import { all, resolvesTo, serves } from "../world/changes.ts";
import { http, httpOf, late, OK } from "../world/http.ts";
import type { Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";
import { GOOD_HTTP, httpMonitor } from "./plain.ts";

const FOLLOWS = { redirects: 5, expect: {} };
/** `/` leads to `/end`, which answers. */
const GOOD = [leadsTo(() => "/end"), UP] as const;

/** Where a server sends the check. */
export const redirects: Scenario[] = [
  bad("loop", "a page leads to itself", () => "/", ["content", "too_many_redirects"]),
  bad("long-way", "the seventh page would answer", ({ path }) => `${path}1`, [
    "content",
    "too_many_redirects",
  ]),
  bad("no-location", "there is no Location", () => undefined, ["content", "bad_redirect"]),
  bad("empty-location", "the Location is empty", () => "", ["content", "bad_redirect"]),
  bad("no-url", "the Location is not a URL", () => "http://[/", ["content", "bad_redirect"]),
  bad("other-scheme", "the Location is one of FTP", () => "ftp://ftp.test/", ["content", "bad_redirect"]),
  bad("script", "the Location is a script", () => "javascript:alert(1)", ["content", "bad_redirect"]),
  bad("closed", "the Location leads to a port where nothing listens", () => "http://127.0.0.1:1/", [
    "port",
    "refused",
  ]),
  bad("unknown-name", "the Location leads to an unknown name", () => "http://nowhere.course.test/", [
    "dns",
    "dns_not_found",
  ]),
  bad("to-error", "the Location leads to an error", () => "/503", ["content", "unexpected"]),
  breaks(
    "redirect-expired",
    "the Location leads to a server whose certificate has expired",
    httpMonitor(FOLLOWS),
    [all(toHttps(), resolvesTo(2), serves(tls("expired"), 2)), down("tls", "tls_invalid")],
    GOOD,
  ),
  breaks(
    "redirects-slow",
    "four pages lead from one to the next, 400 ms each: together they take too long",
    httpMonitor(FOLLOWS),
    [
      serves(http((socket, { path }) => late(400, path.length < 5 ? redirect(`${path}1`) : OK)(socket))),
      silent("protocol", "timeout"),
    ],
    GOOD,
  ),
  breaks(
    "redirect-multiple",
    "300 Multiple Choices is an answer, and not the expected one",
    httpMonitor(FOLLOWS),
    [serves(http(answer("300 Multiple Choices", ["Location: /end"]))), down("content", "unexpected")],
    GOOD,
  ),
  odd("absolute", "the Location is a whole URL", (_, spot) => `http://${spot.address()}:${spot.port}/end`),
  odd(
    "without-scheme",
    "the Location begins with two slashes",
    (_, spot) => `//${spot.address()}:${spot.port}/end`,
  ),
  odd("relative", "the Location is relative, with dots", () => "../a/./b/../../end"),
  odd("query", "the Location is only a query", ({ path }) => (path === "/" ? "?a=b" : "/end")),
  odd("unicode", "the Location has raw UTF-8", ({ path }) => (path === "/" ? "/körbe" : "/end")),
  odd(
    "capitals",
    "the scheme of the Location has capitals",
    (_, spot) => `HTTP://${spot.address()}:${spot.port}/end`,
  ),
  odd("spaces", "the Location has spaces in it and around it", ({ path }) =>
    path === "/" ? "  /a b  " : "/end",
  ),
  odd("tab", "the Location has a tab in it", () => "/e\tnd"),
  keeps(
    "redirect-endless",
    "the body of the redirect never ends",
    httpMonitor(FOLLOWS),
    serves(
      http((socket, { path }) =>
        path === "/end"
          ? OK
          : endless("HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n", "x".repeat(1024))(socket),
      ),
    ),
    GOOD,
  ),
  keeps(
    "redirect-silent-body",
    "the redirect announces a body that does not come",
    httpMonitor(FOLLOWS),
    serves(
      http((socket, { path }) =>
        path === "/end"
          ? OK
          : void socket.write(answer("302 Found", ["Location: /end", "Content-Length: 5"])),
      ),
    ),
    GOOD,
  ),
  keeps(
    "redirect-303",
    "303 turns a POST into a GET",
    httpMonitor({ ...FOLLOWS, method: "POST", body: "question" }),
    serves(
      http((_, { path, text }) => {
        if (path !== "/end") return answer("303 See Other", ["Location: /end", "Content-Length: 0"]);
        return text.startsWith("GET") && !text.includes("question") ? OK : answer("400 Bad Request");
      }),
    ),
    GOOD_HTTP,
  ),
  odd("fragment", "the Location has a fragment", () => "/end#part"),
  odd("five", "five pages lead from one to the next", ({ path }) => (path.length < 5 ? `${path}1` : "/end")),
  keeps(
    "redirect-to-https",
    "the Location leads to another server, with TLS",
    httpMonitor(FOLLOWS),
    all(toHttps(), resolvesTo(2), serves(tls("valid"), 2)),
    GOOD,
  ),
  keeps(
    "redirect-post",
    "307 keeps the method and the body",
    httpMonitor({ ...FOLLOWS, method: "POST", body: "question" }),
    serves(
      http((_, { path, text }) => {
        if (path !== "/end") return answer("307 Temporary Redirect", ["Location: /end", "Content-Length: 0"]);
        return text.startsWith("POST") && text.endsWith("question") ? OK : answer("400 Bad Request");
      }),
    ),
    GOOD_HTTP,
  ),
  keeps(
    "redirect-not-followed",
    "any answer counts, also a redirect that loops",
    httpMonitor(),
    leadsTo(() => "/"),
    GOOD_HTTP,
  ),
  course(
    "redirect-secret",
    "a header is not sent to another server",
    httpMonitor({ ...FOLLOWS, headers: { "X-Key": "k" } }),
    [
      [serves(needsKey(true)), UP],
      [
        all(
          serves(needsKey(false), 2),
          serves(httpOf((spot) => redirect(`http://${spot.address(2)}:${spot.port}/`))),
        ),
        UP,
      ],
    ],
  ),
];

type Where = (request: { path: string; text: string }, spot: Spot) => string | undefined;

function bad(name: string, about: string, where: Where, why: Parameters<typeof down>): Scenario {
  return breaks(`redirect-${name}`, about, httpMonitor(FOLLOWS), [leadsTo(where), down(...why)], GOOD);
}

function odd(name: string, about: string, where: Where): Scenario {
  return keeps(`redirect-${name}`, about, httpMonitor(FOLLOWS), leadsTo(where), GOOD);
}

/** `/end` answers, `/503` fails, and every other path leads somewhere. */
function leadsTo(where: Where): Change {
  return serves(
    httpOf((spot) => (_, request) => {
      if (request.path === "/end") return OK;
      if (request.path === "/503") return answer("503 Service Unavailable", ["Content-Length: 0"]);
      return redirect(where(request, spot));
    }),
  );
}

function redirect(location: string | undefined): Buffer {
  const headers = location === undefined ? [] : [`Location: ${location}`];
  return answer("302 Found", [...headers, "Content-Length: 0"]);
}

function toHttps(): Change {
  return serves(httpOf((spot) => redirect(`https://${spot.host}:${spot.port}/`)));
}

function needsKey(isNeeded: boolean) {
  return http((_, { text }) => (/x-key/i.test(text) === isNeeded ? OK : answer("403 Forbidden")));
}
