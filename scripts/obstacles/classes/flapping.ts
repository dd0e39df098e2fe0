import { breaks, type Change, course, down, type Scenario, type Truth, UP } from "../scenario.ts";
import { refuses, repliesDns, serves } from "../world/changes.ts";
import { BROKEN, http, OK } from "../world/http.ts";
import { addressRecords } from "../world/spot.ts";
import { dnsMonitor, GOOD_DNS, GOOD_HTTP, GOOD_TCP, httpMonitor, tcpMonitor } from "./plain.ts";

const EXPECTS = { expect: {} };
const ONE_MORE = { confirmations: 1 };
const TWO_MORE = { confirmations: 2 };
/** Single checks see it, and the confirmations keep it from being said. */
const UNSURE: Truth = { ...UP, sees: ["down"], layers: ["content"] };
const STAYS_DOWN: Truth = { ...down("content", "unexpected"), sees: ["up"] };

/** Targets that change faster than they are checked, and what confirmations do about it. */
export const flapping: Scenario[] = [
  course(
    "every-second",
    "every second request fails, with one confirmation",
    httpMonitor(EXPECTS, ONE_MORE),
    [GOOD_HTTP, [failsAt((nth) => nth % 2 === 0), UNSURE, { lasts: 12 }], GOOD_HTTP],
  ),
  course(
    "two-of-three",
    "two of three requests fail, with two confirmations",
    httpMonitor(EXPECTS, TWO_MORE),
    [GOOD_HTTP, [failsAt((nth) => nth % 3 !== 0), UNSURE, { lasts: 12 }], GOOD_HTTP],
  ),
  course("one-lost", "one request fails, with one confirmation", httpMonitor(EXPECTS, ONE_MORE), [
    GOOD_HTTP,
    [failsAt((nth) => nth === 1), UNSURE, { lasts: 8 }],
    GOOD_HTTP,
  ]),
  course("short-outage", "nothing listens for 0.6 s, with one confirmation", tcpMonitor({}, ONE_MORE), [
    GOOD_TCP,
    [blinks(600), { ...UNSURE, layers: ["port"] }, { lasts: 8 }],
    GOOD_TCP,
  ]),
  course(
    "every-second-recovers",
    "of a broken target, every second request succeeds, with one recovery",
    httpMonitor(EXPECTS, { recoveries: 1 }),
    [
      GOOD_HTTP,
      [failsAt(() => true), down("content", "unexpected")],
      [failsAt((nth) => nth % 2 === 0), STAYS_DOWN, { lasts: 12 }],
      GOOD_HTTP,
    ],
  ),
  course(
    "every-second-name",
    "every second answer of the DNS is that the name does not exist",
    dnsMonitor({ recordType: "A" }, ONE_MORE),
    [
      GOOD_DNS,
      [
        repliesDns((spot) => {
          const { A } = addressRecords(spot.host, spot.address());
          return (times) => (times % 2 === 0 ? { code: "NXDOMAIN" } : A);
        }),
        { status: "present", sees: ["missing"], layers: ["dns"] },
        { lasts: 8 },
      ],
      GOOD_DNS,
    ],
  ),
  breaks(
    "lasting",
    "the target is down for good, with two confirmations",
    httpMonitor({ interval: 4, ...EXPECTS }, TWO_MORE),
    [serves(http(BROKEN)), down("content", "unexpected")],
    GOOD_HTTP,
  ),
  breaks(
    "lasting-refused",
    "the port is closed for good, with one confirmation and one recovery",
    tcpMonitor({ interval: 4 }, { confirmations: 1, recoveries: 1 }),
    [refuses(), down("port", "refused")],
    GOOD_TCP,
  ),
  course("lasting-after-flaps", "the target flaps, and then stays down", httpMonitor(EXPECTS, ONE_MORE), [
    GOOD_HTTP,
    [failsAt((nth) => nth % 2 === 0), UNSURE, { lasts: 8 }],
    [serves(http(BROKEN)), down("content", "unexpected")],
    GOOD_HTTP,
  ]),
];

/** @param isFailing for the number of a request, from 1 */
function failsAt(isFailing: (nth: number) => boolean): Change {
  return serves(http((_, { nth }) => (isFailing(nth) ? BROKEN : OK)));
}

/** @param ms for which nothing listens */
function blinks(ms: number): Change {
  return async (spot) => {
    spot.refuse();
    await Bun.sleep(ms);
    await GOOD_TCP[0](spot);
  };
}
