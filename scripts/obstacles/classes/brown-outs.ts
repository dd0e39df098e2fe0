import type { Socket } from "node:net";
import type { Layer } from "../../../src/domain/evidence/evidence.ts";
import { type Change, course, down, type Monitor, type Scenario, type Truth, UP } from "../scenario.ts";
import { type Answering, serves } from "../world/changes.ts";
import { BROKEN, http, late, OK } from "../world/http.ts";
import type { Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";
import { GOOD_HTTP, GOOD_HTTPS, httpMonitor, httpsMonitor, tcpMonitor } from "./plain.ts";

/** Three of ten requests fail, never three in a row: two confirmations keep that quiet. */
const FAILS = [false, true, false, false, true, true, false, false, false, false];
const EXPECTS = { expect: {} };
const CONFIRMED = { confirmations: 2 };
const UNSURE: Truth = { ...UP, sees: ["down"], layers: ["content"] };
const LONG = { lasts: 24 };

/** Targets of which some requests fail. */
export const brownOuts: Scenario[] = [
  partly(
    "errors",
    "errors",
    httpMonitor(EXPECTS, CONFIRMED),
    GOOD_HTTP[0],
    fails(() => BROKEN),
  ),
  partly(
    "resets",
    "resets",
    httpMonitor({}, CONFIRMED),
    GOOD_HTTP[0],
    fails((socket) => socket.resetAndDestroy()),
    "port",
  ),
  partly(
    "late",
    "answers that are too late",
    httpMonitor({}, CONFIRMED),
    GOOD_HTTP[0],
    fails(late(2000)),
    "protocol",
  ),
  partly(
    "closed",
    "empty answers, with TLS",
    httpsMonitor({}, CONFIRMED),
    GOOD_HTTPS[0],
    serves(tls("valid", { inside: http((_, { nth }) => (isBad(nth) ? "" : OK)) })),
    "protocol",
  ),
  partly(
    "texts",
    "a wrong text",
    tcpMonitor({ contains: "ready" }, CONFIRMED),
    serves(says(() => "ready")),
    serves(says((nth) => (isBad(nth) ? "busy" : "ready"))),
  ),
  course("brown-out-ends-dark", "three of ten requests fail, and then all", httpMonitor(EXPECTS, CONFIRMED), [
    GOOD_HTTP,
    [fails(() => BROKEN), UNSURE, { lasts: 12 }],
    [serves(http(BROKEN)), down("content", "unexpected")],
    GOOD_HTTP,
  ]),
  course(
    "brown-out-after-dark",
    "all requests fail, and then three of ten, with five recoveries",
    httpMonitor(EXPECTS, { recoveries: 5 }),
    [
      GOOD_HTTP,
      [serves(http(BROKEN)), down("content", "unexpected")],
      [fails(() => BROKEN), { ...down("content", "unexpected"), sees: ["up"] }, { lasts: 16 }],
      GOOD_HTTP,
    ],
  ),
  course(
    "brown-out-unconfirmed",
    "without confirmations, each failure and each success is said",
    httpMonitor(EXPECTS),
    [
      GOOD_HTTP,
      [fails(() => BROKEN), { ...down("content", "unexpected"), also: ["up"] }, LONG],
      [serves(http(BROKEN)), down("content", "unexpected")],
      GOOD_HTTP,
    ],
  ),
];

function partly(
  name: string,
  what: string,
  monitor: (spot: Spot) => Monitor,
  good: Change,
  bad: Change,
  layer: Layer = "content",
): Scenario {
  return course(`brown-out-${name}`, `three of ten requests get ${what}, with two confirmations`, monitor, [
    [good, UP],
    [bad, { ...UNSURE, layers: [layer] }, LONG],
    [good, UP],
  ]);
}

function isBad(nth: number): boolean {
  return FAILS[nth % FAILS.length] ?? false;
}

function fails(failing: (socket: Socket) => unknown): Change {
  return serves(http((socket, { nth }) => (isBad(nth) ? failing(socket) : OK)));
}

function says(textOf: (nth: number) => string): Answering {
  return () => (socket, nth) => void socket.end(textOf(nth));
}
