import type { Layer } from "../../../src/domain/evidence/evidence.ts";
import { ACTIVE, type Change, course, down, type Scenario, type Truth, UP, unhealthy } from "../scenario.ts";
import { all, deafens, once, refuses, resolvesTo, serves } from "../world/changes.ts";
import { BROKEN, http, late, OK } from "../world/http.ts";
import type { Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";
import { httpByName, httpsMonitor, tcpMonitor, tlsMonitor } from "./plain.ts";

const EVERY = { everyAddress: true };
const EXPECTS = { ...EVERY, expect: {} };
const some = (layer: Layer): Truth => unhealthy("degraded", layer, { reasons: ["some_addresses"] });
const someSilent = (layer: Layer): Truth => ({ ...some(layer), isSilent: true });
const SIX = [1, 2, 3, 5, 6, 7];
const TWO_GOOD = all(serves(http(OK), 1, 2), resolvesTo(1, 2));
const TWO_TCP = all(
  serves(() => () => {}, 1, 2),
  resolvesTo(1, 2),
);
const TWO_TLS = all(serves(tls("valid"), 1, 2), resolvesTo(1, 2));

/** One of several addresses is broken, which a connection to the first good one does not show. */
export const several: Scenario[] = [
  oneOf("closed", "one of two addresses refuses connections", refuses(2), some("port")),
  oneOf("503", "one of two servers answers 503", serves(http(BROKEN), 2), some("content")),
  oneOf(
    "reset",
    "one of two servers resets connections",
    serves(() => (socket) => void socket.resetAndDestroy(), 2),
    some("port"),
  ),
  oneOf("empty", "one of two servers answers nothing", serves(http(""), 2), some("protocol")),
  oneOf(
    "silent-server",
    "one of two servers never answers",
    serves(
      http(() => undefined),
      2,
    ),
    someSilent("protocol"),
  ),
  oneOf(
    "slow",
    "one of two servers takes longer than the timeout",
    serves(http(late(3000)), 2),
    someSilent("protocol"),
  ),
  course("one-of-six", "one of six servers answers 503", httpByName(EXPECTS), [
    [all(serves(http(OK), ...SIX), resolvesTo(...SIX)), UP],
    [serves(http(BROKEN), 6), some("content")],
    [serves(http(OK), 6), UP],
  ]),
  course("five-of-six", "five of six servers answer 503, and then the last one", httpByName(EXPECTS), [
    [all(serves(http(OK), ...SIX), resolvesTo(...SIX)), UP],
    [serves(http(BROKEN), ...SIX.slice(1)), some("content")],
    [serves(http(BROKEN), 1), down("content", "unexpected")],
    [serves(http(OK), ...SIX), UP],
  ]),
  course("bad-address-added", "the name gets a second address, which is broken", httpByName(EXPECTS), [
    [all(serves(http(OK), 1), resolvesTo(1)), UP],
    [all(serves(http(BROKEN), 2), resolvesTo(1, 2)), some("content")],
    [resolvesTo(1), UP],
  ]),
  course("addresses-move", "both addresses are replaced by good ones", httpByName(EXPECTS), [
    [TWO_GOOD, UP],
    [all(serves(http(OK), 5, 6), resolvesTo(5, 6)), UP],
    [all(refuses(1, 2), resolvesTo(6, 5)), UP],
  ]),
  course("all-of-two", "both addresses refuse connections", httpByName(EXPECTS), [
    [TWO_GOOD, UP],
    [refuses(1, 2), down("port", "refused")],
    [TWO_GOOD, UP],
  ]),
  course("ipv6-of-both", "the IPv6 address is broken, and the other one is good", httpByName(EXPECTS), [
    [all(serves(http(OK), 1, "::1"), resolvesTo(1, "::1")), UP],
    [refuses("::1"), some("port")],
    [serves(http(OK), "::1"), UP],
  ]),
  course("tcp-one-of-two", "one of two ports is closed", tcpByName(EVERY), [
    [TWO_TCP, UP],
    [refuses(1), some("port")],
    [TWO_TCP, UP],
  ]),
  course("tcp-one-silent", "one of two addresses answers no attempt to connect", tcpByName(EVERY), [
    [all(TWO_TCP, once(deafens(4))), UP],
    [resolvesTo(1, 4), someSilent("network")],
    [resolvesTo(1, 2), UP],
  ]),
  course("https-one-expired", "one of two servers shows an expired certificate", httpsMonitor(EVERY), [
    [TWO_TLS, UP],
    [serves(tls("expired"), 2), some("tls")],
    [serves(tls("valid"), 2), UP],
  ]),
  course(
    "tls-one-expires",
    "one of two servers shows a certificate that expires in three days",
    tlsMonitor(EVERY),
    [
      [TWO_TLS, ACTIVE],
      [serves(tls("expires in 3 days"), 2), unhealthy("expiring_soon", "tls")],
      [serves(tls("valid"), 2), ACTIVE],
    ],
  ),
  course("tls-one-expired", "one of two servers shows an expired certificate", tlsMonitor(EVERY), [
    [TWO_TLS, ACTIVE],
    [serves(tls("expired"), 2), unhealthy("expired", "tls")],
    [serves(tls("valid"), 2), ACTIVE],
  ]),
  course(
    "flapping-one",
    "one of two servers fails every second time, with one confirmation",
    (spot) => ({ ...httpByName(EXPECTS)(spot), confirmations: 1 }),
    [
      [TWO_GOOD, UP],
      [
        serves(
          http((_, { nth }) => (nth % 2 === 0 ? BROKEN : OK)),
          2,
        ),
        { ...UP, sees: ["degraded"], layers: ["content"] },
        { lasts: 10 },
      ],
      [TWO_GOOD, UP],
    ],
  ),
];

/** Two addresses are good, the second one is broken, and both are good. */
function oneOf(name: string, about: string, broken: Change, truth: Truth): Scenario {
  return course(`one-${name}`, about, httpByName(EXPECTS), [
    [TWO_GOOD, UP],
    [broken, truth],
    [TWO_GOOD, UP],
  ]);
}

function tcpByName(config: Record<string, unknown>) {
  return (spot: Spot) => tcpMonitor({ host: spot.host, ...config })(spot);
}
