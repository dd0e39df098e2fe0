import { answer } from "../../../test/support/servers/http-answers.ts";
import {
  breaks,
  type Change,
  course,
  down,
  keeps,
  type Monitor,
  missing,
  PRESENT,
  type Scenario,
  silent,
  type Truth,
  UP,
  unhealthy,
} from "../scenario.ts";
import { clients } from "../world/certificates.ts";
import { all, refuses, repliesDns, resolvesTo, serves } from "../world/changes.ts";
import { BROKEN, http, OK } from "../world/http.ts";
import {
  digest,
  httpProxy,
  needsCookie,
  needsToken,
  shop,
  socksProxy,
  tokenEndpoint,
} from "../world/reach.ts";
import { addressRecords, type Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";
import { dnsMonitor, httpMonitor, INTERVAL, TIMEOUT } from "./plain.ts";

/** Where the proxy and the token endpoint are. */
const [PROXY, TOKENS] = [2, 3];
const UNSEEN: Truth = { ...UP, isUnseen: true };
const SECURE = all(resolvesTo(1), serves(tls("valid")));
const [HTTP_PROXY, SOCKS] = [serves(httpProxy(), PROXY), serves(socksProxy(), PROXY)];
const PAGE = "<h1>Shop</h1><script>x</script>";

/** Targets behind a proxy, a sign-in, a client certificate or several steps, and expectations about content. */
export const reach: Scenario[] = [
  behind("proxy-down", "the proxy no longer runs", refuses(PROXY)),
  behind(
    "proxy-asks-login",
    "the proxy asks for a login",
    serves(http(answer("407 Proxy Authentication Required")), PROXY),
  ),
  behind("proxy-forbids", "the proxy forbids the target", serves(http(answer("403 Forbidden")), PROXY)),
  behind(
    "proxy-garbage",
    "the proxy speaks another protocol",
    serves(() => (socket) => socket.end("220 mail\r\n"), PROXY),
  ),
  behind("socks-refuses", "the proxy does not allow the target", serves(socksProxy(2), PROXY), {
    scheme: "socks5",
  }),
  behind("socks-down", "the proxy no longer runs", refuses(PROXY), { scheme: "socks5" }),
  {
    ...behind(
      "proxy-down-target-down",
      "the target dies while the proxy is down",
      all(refuses(PROXY), refuses()),
    ),
    name: "reach-dies-behind-proxy",
  },
  breaks(
    "reach-proxy-target-down",
    "the target behind the proxy no longer runs",
    proxied(),
    [refuses(), down(["port", "protocol", "content", "network"])],
    [all(SECURE, HTTP_PROXY), UP],
  ),
  breaks(
    "reach-socks-target-down",
    "the proxy says that the target refuses",
    proxied({ scheme: "socks5" }),
    [serves(socksProxy(5), PROXY), down(["port", "network"], "refused")],
    [all(SECURE, SOCKS), UP],
  ),
  breaks(
    "reach-proxy-silent",
    "nothing comes after CONNECT",
    proxied(),
    [
      serves(httpProxy({ connects: null }), PROXY),
      silent(["port", "network", "protocol", "unknown"], "timeout"),
    ],
    [all(SECURE, HTTP_PROXY), UP],
  ),
  course("reach-token-endpoint-down", "the token endpoint fails, and the target is up", withToken(), [
    [all(serves(needsToken()), serves(tokenEndpoint(), TOKENS)), UP],
    [serves(http(BROKEN), TOKENS), UNSEEN],
    [refuses(TOKENS), UNSEEN],
    [serves(tokenEndpoint("no JSON"), TOKENS), UNSEEN],
    [serves(tokenEndpoint(), TOKENS), UP],
  ]),
  breaks(
    "reach-token-refused",
    "the target no longer accepts the token",
    withToken(),
    [serves(http(answer("401 Unauthorized"))), down("content", "unexpected")],
    [all(serves(needsToken()), serves(tokenEndpoint(), TOKENS)), UP],
  ),
  breaks(
    "reach-digest",
    "the server no longer knows the password",
    httpMonitor({ digestAuth: { user: "me", password: "of the course" }, expect: {} }),
    [serves(digest("another one")), down("content", "unexpected")],
    [serves(digest("of the course")), UP],
  ),
  breaks(
    "reach-client-certificate",
    "the server no longer accepts the client certificate",
    withCertificate(clients.unknown),
    [
      all(resolvesTo(1), serves(asksCertificate(true))),
      down(["tls", "protocol"], "tls_failed", "reset", "closed"),
    ],
    [all(resolvesTo(1), serves(asksCertificate(false))), UP],
  ),
  breaks(
    "reach-expired-client-certificate",
    "the server begins to look at the client certificate, which has expired",
    withCertificate(clients.expired),
    [
      all(resolvesTo(1), serves(asksCertificate(true))),
      down(["tls", "protocol"], "tls_failed", "reset", "closed"),
    ],
    [all(resolvesTo(1), serves(asksCertificate(false))), UP],
  ),
  keeps(
    "reach-certificate-needed",
    "the server begins to ask for a client certificate, and the monitor has one",
    withCertificate(clients.valid),
    all(resolvesTo(1), serves(asksCertificate(true))),
    [SECURE, UP],
  ),
  breaks(
    "reach-cookie",
    "a page needs the cookie of the redirect before it, until the server forgets it",
    httpMonitor({ redirects: 5, expect: {} }),
    [serves(needsCookie(false)), down("content", "unexpected")],
    [serves(needsCookie(true)), UP],
  ),
  breaks(
    "reach-step-fails",
    "the third of three steps fails",
    inSteps,
    [serves(shop("500 Internal Server Error")), down("content", "unexpected")],
    [serves(shop("200 OK")), UP],
  ),
  breaks(
    "reach-step-without-token",
    "the first step answers without the value that the second one needs",
    inSteps,
    [serves(shop("200 OK", { error: "none" })), down("content", "unexpected")],
    [serves(shop("200 OK")), UP],
  ),
  breaks(
    "reach-step-refused",
    "no step gets a connection",
    inSteps,
    [refuses(), down("port", "refused")],
    [serves(shop("200 OK")), UP],
  ),
  breaks(
    "reach-changed-page",
    "the page is another one",
    httpMonitor({ expect: { same: "text" } }),
    [shows("<h1>Owned</h1>"), unhealthy("degraded", "content", { reasons: ["changed"] })],
    [shows(PAGE), UP],
  ),
  keeps(
    "reach-same-text",
    "another script is no other text",
    httpMonitor({ expect: { same: "text" } }),
    shows(PAGE.replace("x", "y")),
    [shows(PAGE), UP],
  ),
  breaks(
    "reach-charset-lacks",
    "a text appears that must not, in the character set of the page",
    httpMonitor({ expect: { lacks: "Störung" } }),
    [shows(Buffer.from("Störung", "latin1"), "iso-8859-1"), down("content", "unexpected")],
    [shows(PAGE), UP],
  ),
  keeps(
    "reach-charset-contains",
    "the page is in another character set",
    httpMonitor({ expect: { contains: "Körbe" } }),
    shows(Buffer.from("Körbe", "latin1"), "windows-1252"),
    [shows("Körbe"), UP],
  ),
  breaks(
    "reach-pattern",
    "the body no longer matches",
    httpMonitor({ expect: { matches: "(?i)basket: [1-9][0-9]*" } }),
    [shows("Basket: 0"), down("content", "unexpected")],
    [shows("Basket: 12"), UP],
  ),
  breaks(
    "reach-number-as-text",
    "a number that is sent as a text is too large",
    httpMonitor({ expect: { json: { "$.depth": { max: 100 } } } }),
    [shows('{"depth":"140"}'), down("content", "unexpected")],
    [shows('{"depth":"40"}'), UP],
  ),
  keeps(
    "reach-status-999",
    "the status is 999",
    httpMonitor({ expect: { status: [200, 999] } }),
    serves(http(answer("999 Denied"))),
    [serves(http(OK)), UP],
  ),
  breaks(
    "reach-record-appears",
    "a name that must not exist gets an address",
    dnsMonitor({ recordType: "A", expected: [] }),
    [resolvesTo(1), unhealthy("changed", "content")],
    [repliesDns(() => ({ code: "NXDOMAIN" })), PRESENT],
  ),
  breaks(
    "reach-one-of-records",
    "none of the addresses is an expected one",
    (spot) => dnsMonitor({ recordType: "A", expectedAny: [spot.address(), spot.address(2)] })(spot),
    [resolvesTo(3), unhealthy("changed", "content")],
    [resolvesTo(2, 3), PRESENT],
  ),
  breaks(
    "reach-all-of-records",
    "one of the expected addresses is gone",
    (spot) => dnsMonitor({ recordType: "A", expectedContains: [spot.address(), spot.address(2)] })(spot),
    [resolvesTo(1, 3), unhealthy("changed", "content")],
    [resolvesTo(1, 2, 3), PRESENT],
  ),
  breaks(
    "reach-no-records",
    "there is no record, of which one of two was expected",
    (spot) => dnsMonitor({ recordType: "A", expectedAny: [spot.address()] })(spot),
    [repliesDns(() => []), missing("no_data")],
    [repliesDns((spot) => addressRecords(spot.host, spot.address())), PRESENT],
  ),
];

type Scheme = { scheme?: "http" | "socks5" };

/** A proxy has a fault: nothing may be said of the target. */
function behind(name: string, about: string, fault: Change, { scheme = "http" }: Scheme = {}): Scenario {
  const proxy = scheme === "http" ? HTTP_PROXY : SOCKS;
  return course(`reach-${name}`, about, proxied({ scheme }), [
    [all(SECURE, proxy), UP],
    [fault, UNSEEN],
    [all(SECURE, proxy), UP],
  ]);
}

function proxied({ scheme = "http" }: Scheme = {}) {
  return (spot: Spot): Monitor => ({
    type: "HTTP",
    config: {
      url: `https://${spot.host}:${spot.port}/`,
      interval: INTERVAL,
      timeout: TIMEOUT,
      proxy: { url: `${scheme}://${spot.address(PROXY)}:${spot.port}` },
    },
  });
}

function withToken() {
  return (spot: Spot) => {
    const tokenUrl = `http://${spot.address(TOKENS)}:${spot.port}/token`;
    return httpMonitor({
      oauth2: { tokenUrl, clientId: "course", clientSecret: "of the course" },
      expect: {},
    })(spot);
  };
}

function withCertificate({ cert, key }: { cert: string; key: string }) {
  return (spot: Spot): Monitor => ({
    type: "HTTP",
    config: {
      url: `https://${spot.host}:${spot.port}/`,
      interval: INTERVAL,
      timeout: TIMEOUT,
      clientCertificate: { certificate: cert, key },
    },
  });
}

/** @param isVerified whether it refuses those that its authority has not issued, or that have expired */
function asksCertificate(isVerified: boolean) {
  return tls("valid", {
    options: { requestCert: true, rejectUnauthorized: isVerified, ca: clients.authority },
  });
}

function inSteps(spot: Spot): Monitor {
  const url = `http://${spot.address()}:${spot.port}`;
  const headers = { Authorization: "Bearer {{TOKEN}}" };
  return {
    type: "HTTP",
    config: {
      interval: INTERVAL,
      timeout: TIMEOUT,
      steps: [
        { name: "sign in", url: `${url}/sign-in`, method: "POST", take: { TOKEN: "$.token" } },
        { name: "basket", url: `${url}/basket`, headers },
        { name: "bill", url: `${url}/bill`, headers, expect: {} },
      ],
    },
  };
}

function shows(body: string | Uint8Array, charset = "utf-8"): Change {
  const type = `Content-Type: text/html; charset=${charset}`;
  return serves(http(answer("200 OK", [type, `Content-Length: ${Buffer.byteLength(body as string)}`], body)));
}
