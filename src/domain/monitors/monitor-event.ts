import { isDegradedBy } from "../checks/degraded-by.ts";
import {
  type Judgement,
  judgeCheck,
  judgeCheckin,
  type Memory,
  type Slowness,
  slownessOf,
} from "../checks/judge.ts";
import { addLatency, type Baseline, isDegraded } from "../checks/latency-baseline.ts";
import type { Evidence } from "../checks/observation.ts";
import {
  afterCheckin,
  afterMiss,
  afterOutage,
  afterPausedCheckin,
  afterSetback,
  type HeartbeatState,
  type MissedRuns,
  type WindowEnd,
} from "../heartbeats/heartbeat.ts";
import type { MonitorConfig, MonitorType } from "./monitor.ts";
import type { Status } from "./status.ts";

/** Something that concerns a monitor. @property at milliseconds since 1970 */
export type MonitorEvent =
  | { kind: "check"; evidence: Evidence; at: number }
  | { kind: "checkin"; status: string | undefined; at: number }
  /** The deadline of a SCHEDULED monitor may have passed. */
  | { kind: "silence"; at: number }
  /** This service did not run until now. @property from when it last ran */
  | { kind: "outage"; from: number; at: number }
  /** The clock was set back. @property from the time that it would show otherwise */
  | { kind: "setback"; from: number; at: number };

/** A monitor with everything that judging an event depends on. */
export interface Subject {
  type: MonitorType;
  /** As `statusByLatency` gives it. */
  status: Status;
  config: MonitorConfig;
  enabled: boolean;
  memory: Memory | null;
  baseline: Baseline;
  heartbeat: HeartbeatState;
  /** Only if there is a maintenance. */
  windowEnd?: WindowEnd;
}

/** A result that is not recorded yet. */
export interface NewResult extends Omit<Judgement, "memory"> {
  createdAt: number;
}

/** The results of an event, oldest first, and what the monitor remembers after it. */
export interface JudgedEvent {
  results: NewResult[];
  memory: Memory | null;
  baseline: Baseline;
  heartbeat: HeartbeatState;
}

/** A certificate that ends soon, and addresses that fail, say nothing about the latency. @param reason of the status */
export function statusByLatency(status: Status, reason: string | undefined): Status {
  return status === "degraded" && isDegradedBy(reason) ? "up" : status;
}

/** Judges an event (behavior 1 to 4). @throws Error if the rhythm of the monitor cannot be computed */
export function judgeEvent(subject: Subject, event: MonitorEvent): JudgedEvent {
  const { heartbeat, windowEnd } = subject;
  const windows = windowEnd && { windowEnd };
  const rhythm = subject.config as MonitorConfig<"SCHEDULED">;
  switch (event.kind) {
    case "check":
      return judgeCheckEvent(subject, event);
    case "checkin":
      return judgeCheckinEvent(subject, event);
    case "silence":
      return judgeSilence(subject, afterMiss(heartbeat, rhythm, { now: event.at, ...windows }));
    case "outage":
      return judgeSilence(
        subject,
        afterOutage(heartbeat, rhythm, { from: event.from, to: event.at, ...windows }),
      );
    case "setback": {
      const state = afterSetback(heartbeat, rhythm, { from: event.from, to: event.at });
      return judgeSilence(subject, { state, missedAt: [] });
    }
  }
}

function judgeCheckEvent(subject: Subject, { evidence, at }: MonitorEvent & { kind: "check" }): JudgedEvent {
  const judged = judgeCheck(subject, evidence, at);
  const { latencyMs, detail, memory } = judged;
  const compared = compareWithBaseline(judged, slownessOf(evidence), subject);
  const result = { status: compared.status, latencyMs, detail, createdAt: at };
  return { results: [result], memory, baseline: compared.baseline, heartbeat: subject.heartbeat };
}

/**
 * Only HTTP and TCP monitors can be `up`, or `degraded` because of a date or an address. Degraded checks count in the baseline too. A
 * latency that is unknown neither makes a monitor degraded nor lets it recover, nor does one that is too long only with what this
 * service may have added.
 */
function compareWithBaseline(
  { status, latencyMs }: { status: Status; latencyMs: number | null },
  { lateBy, isSlow, mayBeSlow }: Slowness,
  { status: previous, baseline }: Subject,
): { status: Status; baseline: Baseline } {
  if (status !== "up" && status !== "degraded") return { status, baseline };
  const unchanged = previous === "degraded" ? previous : status;
  if (latencyMs === null) return { status: unchanged, baseline };
  const isLong = isSlow || isDegraded(baseline, latencyMs - lateBy, previous);
  const mayBeLong = mayBeSlow || isDegraded(baseline, latencyMs, previous);
  return {
    status: isLong ? "degraded" : mayBeLong ? unchanged : status,
    baseline: addLatency(baseline, latencyMs),
  };
}

function judgeCheckinEvent(
  subject: Subject,
  { status, at }: MonitorEvent & { kind: "checkin" },
): JudgedEvent {
  const rhythm = subject.config as MonitorConfig<"SCHEDULED">;
  const learn = subject.enabled ? afterCheckin : afterPausedCheckin;
  const result = { status: judgeCheckin(status), latencyMs: null, detail: null, createdAt: at };
  return { ...keep(subject), results: [result], heartbeat: learn(subject.heartbeat, rhythm, at) };
}

function judgeSilence(subject: Subject, { state, missedAt }: MissedRuns): JudgedEvent {
  return { ...keep(subject), results: missedAt.map(missedRun), heartbeat: state };
}

/** The result of a missed run. @param deadline its time */
function missedRun(deadline: number): NewResult {
  return { status: "havent_heard", latencyMs: null, detail: null, createdAt: deadline };
}

function keep({ memory, baseline, heartbeat }: Subject) {
  return { memory, baseline, heartbeat };
}
