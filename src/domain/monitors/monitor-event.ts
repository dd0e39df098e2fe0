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

/** A monitor with the state that judging the next event needs. */
export interface Subject {
  type: MonitorType;
  /** The status of its latest result; null before the first. */
  status: Status | null;
  config: MonitorConfig;
  enabled: boolean;
  memory: Memory | null;
  baseline: Baseline;
  heartbeat: HeartbeatState;
}

/** A result that is not recorded yet. */
export interface NewResult extends Omit<Judgement, "memory"> {
  createdAt: number;
}

/** The results of an event, oldest first, and the state for the next event. */
export interface JudgedEvent {
  outcomes: NewResult[];
  memory: Memory | null;
  baseline: Baseline;
  heartbeat: HeartbeatState;
}

/** Judges an event (behavior 1 to 4). */
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
 * Compares a latency with the baseline. Only HTTP and TCP can be `up`, and a degraded check enters the baseline too.
 * A latency that is unknown neither starts nor ends `degraded`; one that may be too long by an own fault does not
 * start it (behavior 1.48, 1.49, 2.5).
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

/** The result of a missed run (behavior 3.17). @param at its deadline */
export function missedRun(at: number): NewResult {
  return { status: "havent_heard", latencyMs: null, detail: null, createdAt: at };
}

function keep({ memory, baseline, heartbeat }: Subject) {
  return { memory, baseline, heartbeat };
}
