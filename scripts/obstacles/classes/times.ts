import { answer } from "../../../test/support/servers/http-answers.ts";
import {
  breaks,
  type Change,
  course,
  down,
  keeps,
  type Scenario,
  silent,
  UP,
  unhealthy,
} from "../scenario.ts";
import { all, repliesDns, serves } from "../world/changes.ts";
import { dribble, http, late, OK } from "../world/http.ts";
import { addressRecords } from "../world/spot.ts";
import { GOOD_HTTP, GOOD_NAME, httpByName, httpMonitor } from "./plain.ts";

/** Seconds. */
const EACH_SECOND = { interval: 1 };
/** So that the baseline has ten checks (behavior 2.4), with an interval of a second. */
const LEARNS = { lasts: 14 };
/** A baseline takes a lasting change for normal after some checks (behavior 2.5). */
const SHORT = { lasts: 4 };
const LATE_ANSWER = unhealthy("degraded", "protocol");
const WITHIN = { expect: { within: 300 } };

const takes = (ms: number): Change => serves(http(late(ms)));

/** How long a target takes. */
export const times: Scenario[] = [
  course("latency-step", "the latency jumps from 20 to 200 ms", httpMonitor(EACH_SECOND), [
    [takes(20), UP, LEARNS],
    [takes(200), LATE_ANSWER, SHORT],
    [takes(20), UP],
  ]),
  course("latency-of-dns", "the DNS takes 300 ms longer than before", httpByName(EACH_SECOND), [
    [GOOD_NAME[0], UP, LEARNS],
    [slowDns(300), unhealthy("degraded", "dns"), SHORT],
    [GOOD_NAME[0], UP],
  ]),
  course(
    "latency-to-timeout",
    "the latency jumps to 200 ms, and then beyond the timeout",
    httpMonitor(EACH_SECOND),
    [
      [takes(20), UP, LEARNS],
      [takes(200), LATE_ANSWER, SHORT],
      [takes(3000), silent("protocol", "timeout")],
      [takes(20), UP],
    ],
  ),
  course("small-step", "the latency goes from 20 to 50 ms, which is no trouble", httpMonitor(EACH_SECOND), [
    [takes(20), UP, LEARNS],
    [takes(50), UP, SHORT],
    [takes(20), UP],
  ]),
  course("unsteady", "latencies are between 20 and 120 ms from the start", httpMonitor(EACH_SECOND), [
    [unsteady(20, 120), UP, LEARNS],
    [unsteady(20, 120), UP, { lasts: 10 }],
  ]),
  course("slow-within", "the answer takes 600 ms, of 300 ms that are expected", httpMonitor(WITHIN), [
    GOOD_HTTP,
    [takes(600), LATE_ANSWER],
    GOOD_HTTP,
  ]),
  course(
    "slow-body",
    "the body takes 600 ms, of 300 ms that are expected",
    httpMonitor({ expect: { within: 300, contains: "end" } }),
    [
      [serves(http(answer("200 OK", [], "the end"))), UP],
      [
        serves(http((socket) => void dribble(socket, [answer("200 OK"), "the ", "end"], { ms: 200 }))),
        unhealthy("degraded", "content"),
      ],
      [serves(http(answer("200 OK", [], "the end"))), UP],
    ],
  ),
  course("slow-then-broken", "the answer is slow, and then an error", httpMonitor(WITHIN), [
    GOOD_HTTP,
    [takes(600), LATE_ANSWER],
    [serves(http(answer("500 Oh"))), down("content", "unexpected")],
    GOOD_HTTP,
  ]),
  breaks(
    "too-slow",
    "the answer takes longer than the timeout",
    httpMonitor(),
    [takes(1500), silent("protocol", "timeout")],
    GOOD_HTTP,
  ),
  breaks(
    "too-slow-altogether",
    "DNS and answer take 600 ms each, of a second",
    httpByName(),
    [all(slowDns(600), takes(600)), silent(["dns", "protocol"], "timeout")],
    GOOD_NAME,
  ),
  keeps(
    "slow-dns",
    "the DNS takes 600 ms, of a second, and the answer nothing",
    httpByName(),
    slowDns(600),
    GOOD_NAME,
  ),
  keeps("just-in-time", "the answer takes 800 ms, of a second", httpMonitor(), takes(800), GOOD_HTTP),
  keeps(
    "slow-start",
    "the answer to every second request takes 500 ms",
    httpMonitor(),
    everySecond(500),
    GOOD_HTTP,
  ),
];

function slowDns(ms: number): Change {
  return repliesDns((spot) => {
    const { A } = addressRecords(spot.host, spot.address());
    return { A: { late: A, ms }, AAAA: { late: [], ms } };
  });
}

/** By turns, in an order that repeats. */
function unsteady(least: number, most: number): Change {
  return serves(http((socket, { nth }) => late(least + ((nth * 7) % 11) * ((most - least) / 10))(socket)));
}

function everySecond(ms: number): Change {
  return serves(http((socket, { nth }) => (nth % 2 === 0 ? late(ms)(socket) : OK)));
}
