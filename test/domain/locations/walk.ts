import { baselineStart, noLatency } from "../../../src/domain/checks/latency-baseline.ts";
import type { AddressEvidence, Evidence } from "../../../src/domain/checks/observation.ts";
import { silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import type { Place, Places } from "../../../src/domain/locations/place.ts";
import type { MonitorConfig, ProbedType } from "../../../src/domain/monitors/monitor.ts";
import {
  type MonitorState,
  planRecording,
  type Recorded,
  type RecordedCheck,
  type RecordingPlan,
  type RecordingSubject,
} from "../../../src/domain/monitors/recording-plan.ts";

export const START = Date.UTC(2027, 0, 1, 12);
export const SECOND = 1000;

/** The numbers of locations, which are their positions here. */
const NAMES = ["here", "fra", "nyc", "sgp"];

export interface Setting {
  type?: ProbedType;
  config?: MonitorConfig<ProbedType>;
  /** Names; default: here, fra and nyc. */
  locations?: string[];
  downWhen?: Places["downWhen"];
  confirmations?: number;
  recoveries?: number;
  /** Names. */
  silent?: string[];
  atFault?: string[];
  state?: Partial<MonitorState>;
}

export type Placed = RecordingSubject & { places: Places };

/** A monitor with an interval of 60 s and a timeout of 10 s, which was created at `START`. */
export function placed({
  type = "HTTP",
  config = { url: "http://a.example/", interval: 60 },
  locations = ["here", "fra", "nyc"],
  downWhen = "majority",
  confirmations = 0,
  recoveries = 0,
  silent = [],
  atFault = [],
  state = {},
}: Setting = {}): Placed {
  const list = locations.map(
    (name): Place => ({
      location: NAMES.indexOf(name),
      name,
      isLive: !silent.includes(name),
      isAtFault: atFault.includes(name),
    }),
  );
  return {
    id: "m",
    organization: { id: "o", name: "Organization" },
    name: "monitor",
    type,
    config,
    enabled: true,
    revision: 0,
    confirmations,
    recoveries,
    places: { downWhen, since: START, list },
    windowAt: null,
    isAwaited: false,
    state: {
      status: "unknown",
      statusBefore: null,
      statusSince: null,
      troubleSince: null,
      suspicion: null,
      outage: null,
      lastGoodLatencyMs: null,
      nextCheckAt: locations.includes("here") ? START : null,
      openHour: null,
      memory: null,
      baseline: noLatency,
      baselineStart: baselineStart(START),
      heartbeat: silentHeartbeat,
      places: new Map(),
      ...state,
    },
  };
}

const certificate = {
  authorized: true,
  authorizationError: null,
  subject: "a",
  issuer: "b",
  names: ["a"],
  fingerprint: "00",
  protocol: "TLSv1.3",
  validFrom: new Date(START - 1000 * SECOND).toISOString(),
};

function certified(days: number): AddressEvidence["evidence"] {
  const validTo = new Date(START + days * 24 * 60 * 60 * SECOND).toISOString();
  return { outcome: "certified", latencyMs: 10, certificate: { ...certificate, validTo }, detail: {} };
}

/** By the status that the check sees. */
export const evidence = {
  up: { outcome: "reached", latencyMs: 10, detail: { statusCode: 200 } },
  degraded: { outcome: "reached", latencyMs: 900, slowBy: 400, detail: { statusCode: 200 } },
  down: { outcome: "failed", reason: "refused", detail: { message: "no" } },
  active: certified(90),
  expiring_soon: certified(5),
  expired: certified(-1 / 24 / 60),
  no_cert: { outcome: "failed", reason: "timeout", detail: {} },
} as const satisfies Record<string, Evidence>;

/** A check as a text: seconds after `START`, the location, and what it sees. */
export type Check = `${number} ${string} ${keyof typeof evidence}`;

export function check(text: Check, more: Partial<RecordedCheck> = {}): RecordedCheck & { monitorId: string } {
  const [seconds, name = "", seen] = text.split(" ");
  const [at, location] = [START + Number(seconds) * SECOND, NAMES.indexOf(name)];
  const known = evidence[seen as keyof typeof evidence];
  return { kind: "check", monitorId: "m", revision: 0, evidence: known, at, location, ...more };
}

/** The plan for a batch of checks. */
export interface Walked extends RecordingPlan {
  recorded: (Recorded | null)[];
  state: MonitorState;
  /** The monitor after the batch. */
  after: Placed;
}

export function walk(subject: Placed, checks: (Check | ReturnType<typeof check>)[]): Walked {
  const events = checks.map((one) => (typeof one === "string" ? check(one) : one));
  const plan = planRecording(new Map([[subject.id, subject]]), events);
  const state = plan.states.get(subject.id) ?? subject.state;
  return { ...plan, state, after: { ...subject, state } };
}

/** The status after each check, and since when in seconds after `START`, if the check changed it. */
export function statuses(subject: Placed, checks: Check[]): string[] {
  let current = subject;
  return checks.map((text) => {
    const { state, after } = walk(current, [text]);
    const isChanged = state.status !== current.state.status;
    current = after;
    return isChanged ? `${state.status} since ${((state.statusSince ?? 0) - START) / SECOND}` : state.status;
  });
}
