import { type Judgement, judgeCheck, judgeCheckin, type Memory } from "../checks/judge.ts";
import { addToBaseline, type Baseline, isDegraded } from "../checks/latency-baseline.ts";
import type { Evidence } from "../checks/observation.ts";
import { afterCheckin, afterMiss, afterPausedCheckin, type HeartbeatState } from "../heartbeats/heartbeat.ts";
import type { MonitorConfig, MonitorType } from "./monitor.ts";
import type { Status } from "./status.ts";

/** Something that happened to a monitor. @property at milliseconds since 1970 */
export type MonitorEvent =
  | { kind: "check"; evidence: Evidence; at: number }
  | { kind: "checkin"; status: string | undefined; at: number }
  /** The deadline of a SCHEDULED monitor may have passed. */
  | { kind: "silence"; at: number };

/** A monitor with all that its past left for judging what comes. */
export interface Subject {
  type: MonitorType;
  /** As it was judged last; null before. */
  status: Status | null;
  config: MonitorConfig;
  enabled: boolean;
  memory: Memory | null;
  baseline: Baseline;
  heartbeat: HeartbeatState;
}

/** A result to be recorded. */
export interface NewResult extends Omit<Judgement, "memory"> {
  createdAt: number;
}

/** What follows from a happening: results, oldest first, and what is left for the next time. */
export interface JudgedEvent {
  outcomes: NewResult[];
  memory: Memory | null;
  baseline: Baseline;
  heartbeat: HeartbeatState;
}

/** Decides what a happening comes to (interface 3.2, decisions 3). */
export function judgeEvent(subject: Subject, happening: MonitorEvent): JudgedEvent {
  switch (happening.kind) {
    case "check":
      return decideCheck(subject, happening);
    case "checkin":
      return decideCheckin(subject, happening);
    case "silence":
      return decideSilence(subject, happening.at);
  }
}

function decideCheck(subject: Subject, { evidence, at }: MonitorEvent & { kind: "check" }): JudgedEvent {
  const { memory, ...judged } = judgeCheck(subject, evidence, at);
  const isBlurred = evidence.outcome === "reached" && evidence.isBlurred === true;
  const { status, baseline } = againstBaseline(judged, isBlurred, subject);
  return { ...keep(subject), outcomes: [{ ...judged, status, createdAt: at }], memory, baseline };
}

/**
 * Only HTTP and TCP can be `up`; a degraded check counts into the baseline too. A latency that is not known, or is long
 * and may be so by a fault of ours, neither makes a monitor degraded nor ends it.
 */
function againstBaseline(
  { status, latencyMs }: { status: Status; latencyMs: number | null },
  isBlurred: boolean,
  { status: before, baseline }: Subject,
): { status: Status; baseline: Baseline } {
  if (status !== "up") return { status, baseline };
  const asBefore = before === "degraded" ? before : "up";
  if (latencyMs === null) return { status: asBefore, baseline };
  const isLong = isDegraded(baseline, latencyMs);
  return {
    status: isLong ? (isBlurred ? asBefore : "degraded") : "up",
    baseline: addToBaseline(baseline, latencyMs),
  };
}

function decideCheckin(subject: Subject, { status, at }: MonitorEvent & { kind: "checkin" }): JudgedEvent {
  const rhythm = subject.config as MonitorConfig<"SCHEDULED">;
  const hear = subject.enabled ? afterCheckin : afterPausedCheckin;
  const outcome = { status: judgeCheckin(status), latencyMs: null, detail: null, createdAt: at };
  return { ...keep(subject), outcomes: [outcome], heartbeat: hear(subject.heartbeat, rhythm, at) };
}

function decideSilence(subject: Subject, at: number): JudgedEvent {
  const { state, missedAt } = afterMiss(subject.heartbeat, subject.config as MonitorConfig<"SCHEDULED">, at);
  return { ...keep(subject), outcomes: missedAt.map(missedRun), heartbeat: state };
}

/** The result of a run that did not come. @param at its deadline */
export function missedRun(at: number): NewResult {
  return { status: "havent_heard", latencyMs: null, detail: null, createdAt: at };
}

function keep({ memory, baseline, heartbeat }: Subject) {
  return { memory, baseline, heartbeat };
}
