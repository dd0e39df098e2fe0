import type { Reply } from "../../../test/support/servers/dns-server.ts";
import {
  ACTIVE,
  type Change,
  down,
  type Monitor,
  missing,
  noCert,
  type OwnServer,
  PRESENT,
  type Scenario,
  silent,
  type Truth,
  UP,
} from "../scenario.ts";
import { all, refuses, serves } from "../world/changes.ts";
import { DNS_PORT } from "../world/dns-port.ts";
import { http, OK } from "../world/http.ts";
import { dies, runs } from "../world/jobs.ts";
import { ACCEPTS, receives } from "../world/receiver.ts";
import { addressRecords, type Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";
import { dnsMonitor, httpMonitor, tcpMonitor, tlsMonitor } from "./plain.ts";

/** A breakdown of stillup, of its machine or of its network. @property half seconds of each half */
export interface Breakdown {
  begin?: Change;
  end?: Change;
  half?: number;
  /** Events of each half, instead of a pause. */
  rounds?: Change;
  server?: (spot: Spot, folder: string) => OwnServer | Promise<OwnServer>;
  hours?: number;
  load?: Scenario["load"];
  /** Whether monitors by address, and jobs, may look down because nothing can show that the target is not the cause. */
  isBlind?: true;
}

/** `falls` goes down in the middle of the breakdown, and `recovers` is down from before it until then. */
const COURSES = ["steady", "falls", "recovers"] as const;
type Course = (typeof COURSES)[number];
const KINDS = ["http", "http-address", "tcp", "tcp-address", "tls", "dns", "job"] as const;
type Kind = (typeof KINDS)[number];
type Truths = Record<string, Truth>;

/** Addresses of the place; the targets of a kind have the address of the kind and the next two. */
const [DNS_SERVER, RECEIVER] = [2, 3];
const ADDRESSES: Record<Kind, number> = {
  ...{ http: 11, "http-address": 21, tcp: 31, "tcp-address": 41, tls: 51, dns: 61, job: 71 },
};
/** Seconds. */
const INTERVAL = 1;
const PERIOD = 10;
const GRACE = 2;
/** Seconds that something may be late: attempts to notify that failed are repeated 5 s later. */
const SLACK = 10;
/** The same if nothing shows that the network is gone: the third attempt is 35 s after the second one. */
const SLACK_OF_BLIND = 60;
/** Seconds until the targets that fell recover. A dead job is known by then. */
const OUTAGE = 24;

const TRUTHS: Record<Kind, { good: Truth; bad: Truth }> = {
  http: { good: UP, bad: silent("protocol", "timeout") },
  "http-address": { good: UP, bad: silent("protocol", "timeout") },
  tcp: { good: UP, bad: down("port", "refused") },
  "tcp-address": { good: UP, bad: down("port", "refused") },
  tls: { good: ACTIVE, bad: noCert("port") },
  dns: { good: PRESENT, bad: missing() },
  job: { good: { status: "ok" }, bad: { status: "havent_heard" } },
};

/** Targets of all types stay good, go down, and recover while stillup is broken. */
export function meanwhile(name: string, about: string, breakdown: Breakdown): Scenario {
  const { begin = all(), end = all(), half = 6, rounds = sleeps(half), load = "heavy", hours } = breakdown;
  const slack = breakdown.isBlind ? SLACK_OF_BLIND : SLACK;
  const good = truthsOf(() => "good", slack);
  const before = truthsOf((course) => (course === "recovers" ? "bad" : "good"), slack);
  const after = truthsOf((course) => (course === "falls" ? "bad" : "good"), slack);
  // A response that arrived before the process was stopped is read when the process continues.
  const afterMiddle = mapped(after, (truth, { kind, course }) =>
    course === "falls" ? { ...truth, also: [TRUTHS[kind].good.status] } : truth,
  );
  const mayLookDown = breakdown.isBlind ? BLIND : [];
  return {
    name: `breakdown-${name}`,
    about: `${about}, while targets go down and up`,
    monitors: Object.fromEntries(TARGETS.map((target) => [target.label, monitorOf(target)])),
    channel: (spot) => ({
      type: "WEBHOOK",
      config: { url: `http://${spot.address(RECEIVER)}:${spot.port}/` },
    }),
    async server(spot, folder) {
      const own = await breakdown.server?.(spot, folder);
      return { dns: `${spot.address(DNS_SERVER)}:${DNS_PORT}`, ...own };
    },
    load,
    ...(hours !== undefined && { hours }),
    stages: [
      {
        change: all(
          receives(RECEIVER, () => ACCEPTS),
          ...COURSES.map(bringsUp),
        ),
        truths: good,
        lasts: 3,
      },
      { change: takesDown("recovers"), truths: before },
      { change: begin, truths: during(before, mayLookDown), lasts: rounds },
      {
        change: all(bringsUp("recovers"), takesDown("falls")),
        truths: during(afterMiddle, mayLookDown),
        lasts: rounds,
      },
      // A check that was under way is recorded by then.
      { change: all(end, sleeps(1)), truths: after, lasts: Math.max(OUTAGE, slack) },
      { change: bringsUp("falls"), truths: good },
    ],
  };
}

const TARGETS = KINDS.flatMap((kind) =>
  COURSES.map((course, nth) => ({ kind, course, label: `${kind}-${course}`, at: ADDRESSES[kind] + nth })),
);
type Target = (typeof TARGETS)[number];
/** Kinds of targets that look down if the network of stillup is broken, and nothing shows that. */
const BLIND: readonly Kind[] = ["http-address", "tcp-address", "job"];

function mapped(truths: Truths, change: (truth: Truth, target: Target) => Truth): Truths {
  return Object.fromEntries(
    TARGETS.flatMap((target) => {
      const truth = truths[target.label];
      return truth ? [[target.label, change(truth, target)]] : [];
    }),
  );
}

/** @param slack seconds that everything may be late */
function truthsOf(stateOf: (course: Course) => "good" | "bad", slack: number): Truths {
  return Object.fromEntries(
    TARGETS.map(({ kind, course, label }) => {
      const patience = kind === "job" ? PERIOD + GRACE : 2 * INTERVAL;
      return [label, { ...TRUTHS[kind][stateOf(course)], within: patience + slack }];
    }),
  );
}

/** The truths while stillup is broken. @param blind the kinds of targets that may look down */
function during(truths: Truths, blind: readonly Kind[]): Truths {
  return mapped(truths, ({ also = [], ...truth }, { kind }) => {
    if (!blind.includes(kind)) return { ...truth, also, mayWait: true };
    const { reasons: _, layers = [], ...unexplained } = truth;
    const blamed = { layers: [...layers, ...(kind === "job" ? [] : ["network" as const])] };
    return { ...unexplained, ...blamed, also: [...also, TRUTHS[kind].bad.status], mayWait: true };
  });
}

function monitorOf({ kind, at }: Target): (spot: Spot) => Monitor {
  return (spot) => {
    const host = kind.endsWith("-address") ? spot.address(at) : nameOf(at);
    if (kind === "job") return { type: "SCHEDULED", config: { period: PERIOD, grace: GRACE } };
    if (kind === "dns") return dnsMonitor({ hostname: host, recordType: "A" })(spot);
    if (kind === "tls") return tlsMonitor({ host })(spot);
    if (kind.startsWith("tcp")) return tcpMonitor({ host, interval: INTERVAL })(spot);
    return httpMonitor({ url: `http://${host}:${spot.port}/`, interval: INTERVAL })(spot);
  };
}

/** The name of a target. A wildcard of the parent of the place covers it. */
function nameOf(at: number): string {
  return `target-${at}.course.test`;
}

function bringsUp(course: Course): Change {
  return all(...TARGETS.filter((one) => one.course === course).map(isUp));
}

function takesDown(course: Course): Change {
  return all(...TARGETS.filter((one) => one.course === course).map(isDown));
}

function isUp({ kind, at, label }: Target): Change {
  if (kind === "job") return runs(PERIOD, label);
  if (kind === "dns") return named(at);
  const answering = kind === "tls" ? tls("wildcard") : kind.startsWith("http") ? http(OK) : () => () => {};
  return all(named(at), serves(answering, at));
}

/** A server of HTTP accepts connections and never responds; the others refuse them. */
function isDown({ kind, at, label }: Target): Change {
  if (kind === "job") return dies(label);
  if (kind === "dns") return named(at, { code: "NXDOMAIN" });
  return kind.startsWith("http") ? serves(() => () => {}, at) : refuses(at);
}

const deaf = new WeakSet<Spot>();

/** Whether the DNS server ignores every query from now on. */
export function ignoresQueries(spot: Spot, isDeaf: boolean): void {
  if (isDeaf) deaf.add(spot);
  else deaf.delete(spot);
}

/** @param reply about the name of a target; default: its address */
function named(at: number, reply?: Reply): Change {
  return (spot) => {
    const host = nameOf(at);
    const unlessDeaf = (usual: Reply) => () => (deaf.has(spot) ? "silence" : usual);
    const { A, AAAA } = addressRecords(host, spot.address(at));
    const replies = { A: unlessDeaf(reply ?? A), AAAA: unlessDeaf(reply ?? AAAA) };
    return spot.resolveAt(DNS_SERVER, replies, { host, root: unlessDeaf([]) });
  };
}

export function sleeps(seconds: number): Change {
  return () => Bun.sleep(seconds * 1000);
}
