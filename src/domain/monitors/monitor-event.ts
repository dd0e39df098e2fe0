import {
  type Judgement,
  judgeCheck,
  judgeCheckin,
  type Memory,
  type Slowness,
  slownessOf,
} from "../checks/judge.ts";
import { addLatency, type Baseline, isDegraded } from "../checks/latency-baseline.ts";
import { type Detail, type Evidence, isDegradedBy } from "../checks/observation.ts";
import { rememberTarget } from "../checks/target-memory.ts";
import type { HeartbeatState, WindowEnd } from "../heartbeats/heartbeat.ts";
import { type EndedRun, type RunChange, type RunReport, runDetail } from "../heartbeats/job-runs.ts";
import { afterMiss, afterOutage, type MissedRuns } from "../heartbeats/missed-runs.ts";
import { afterLog, afterReport, afterStart, overrunsBefore } from "../heartbeats/reports.ts";
import { afterSetback } from "../heartbeats/run-steps.ts";
import type { KnownRegistration } from "../registration/registration.ts";
import type { MonitorConfig, MonitorType } from "./monitor.ts";
import { groupOf, type Status } from "./status.ts";

/** Something that concerns a monitor. @property at milliseconds since 1970 */
export type MonitorEvent =
  /** @property registration of the domain, as this server knows it; only if the config asks for it */
  | { kind: "check"; evidence: Evidence; at: number; registration?: KnownRegistration | undefined }
  /** @property report the run that the job reports; absent without a report */
  | { kind: "checkin"; status: string | undefined; at: number; report?: RunReport }
  /** A run of a job starts. */
  | { kind: "start"; at: number; report: RunReport }
  /** A job sends its output. */
  | { kind: "log"; at: number; report: RunReport }
  /** The deadline of a SCHEDULED monitor may have passed. */
  | { kind: "silence"; at: number }
  /** This service did not run until now. @property from when it last ran @property jump by how much the clock jumped ahead since */
  | { kind: "outage"; from: number; at: number; jump?: number }
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
  windowEnd?: WindowEnd | undefined;
}

/** A result that is not recorded yet. */
export interface NewResult extends Omit<Judgement, "memory"> {
  createdAt: number;
}

/** The results of an event, oldest first, and what the monitor remembers after it. */
export interface JudgedEvent {
  results: NewResult[];
  /** The changes of the runs of a job. */
  runs?: RunChange[];
  /** How long the run took that a check-in ended, in milliseconds. */
  runMs?: number;
  /** The status that a check-in reports that repeats the end of its run, and so has no result. */
  repeats?: Status;
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
    case "start":
      return judgeStart(subject, event);
    case "log": {
      const { state, changes } = afterLog(heartbeat, event);
      return { ...keep(subject), results: [], heartbeat: state, runs: changes };
    }
    case "silence":
      return judgeSilence(subject, afterMiss(heartbeat, rhythm, { now: event.at, ...windows }));
    case "outage":
      return judgeSilence(subject, afterOutage(heartbeat, rhythm, { ...event, to: event.at, ...windows }));
    case "setback": {
      const state = afterSetback(heartbeat, rhythm, { from: event.from, to: event.at });
      return { ...keep(subject), results: [], heartbeat: state };
    }
  }
}

function judgeCheckEvent(
  subject: Subject,
  { evidence, at, registration }: MonitorEvent & { kind: "check" },
): JudgedEvent {
  const learns = subject.windowEnd !== undefined && subject.windowEnd(at) !== null;
  const judged = judgeCheck({ ...subject, registration, learns }, evidence, at);
  const { latencyMs, detail, memory, isNews } = judged;
  const compared = compareWithBaseline(judged, slownessOf(evidence), subject);
  const { status, baseline } = compared;
  const isGood = groupOf[status] === "healthy";
  return {
    results: [{ status, latencyMs, detail, createdAt: at, ...(isNews && { isNews }) }],
    memory: isGood ? rememberTarget(memory, evidence, at) : memory,
    baseline,
    heartbeat: subject.heartbeat,
  };
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
  { status, at, report = {} }: MonitorEvent & { kind: "checkin" },
): JudgedEvent {
  const { heartbeat, enabled, windowEnd } = subject;
  const config = subject.config as MonitorConfig<"SCHEDULED">;
  const judged = judgeCheckin(status);
  const before = overrunsBefore(heartbeat, config, { at, windowEnd });
  const checkin = { at, report, isOk: judged === "ok", isPaused: !enabled };
  const { state, changes, ended } = afterReport(before.state, config, checkin);
  const results = before.overranAt.map((at) => failedRun("overrun", at));
  if (ended === "repeated") return { ...keep(subject), results, heartbeat: state, repeats: judged };
  results.push({ status: judged, latencyMs: null, detail: detailOfCheckin(report, ended), createdAt: at });
  const runs = changes.length > 0 && { runs: changes };
  return {
    ...{ ...keep(subject), results, heartbeat: state },
    ...runs,
    ...(ended && { runMs: ended.durationMs }),
  };
}

/** The detail of a check-in, about the run that it ended (behavior 18.7); null without one. */
function detailOfCheckin({ exitCode = 0 }: RunReport, ended: EndedRun | null): Detail | null {
  if (exitCode === 0 && !ended) return null;
  return {
    ...(exitCode !== 0 && { exitCode }),
    ...(ended && { run: runDetail(ended) }),
  };
}

/** Behavior 18.20: an overlap fails while the run that it is about goes on. */
function judgeStart(subject: Subject, { at, report }: MonitorEvent & { kind: "start" }): JudgedEvent {
  const { heartbeat, enabled, windowEnd } = subject;
  const config = subject.config as MonitorConfig<"SCHEDULED">;
  const before = overrunsBefore(heartbeat, config, { at, windowEnd });
  const { state, changes, isOverlapping } = afterStart(before.state, config, {
    at,
    report,
    isPaused: !enabled,
  });
  const results = before.overranAt.map((at) => failedRun("overrun", at));
  if (isOverlapping && enabled && config.overlap === "fail") results.push(failedRun("overlap", at));
  return { ...keep(subject), results, heartbeat: state, runs: changes };
}

/** In the order of time. A run that takes too long comes before a missed run of the same moment. */
function judgeSilence(subject: Subject, { state, missedAt, overranAt }: MissedRuns): JudgedEvent {
  const results = [...overranAt.map((at) => failedRun("overrun", at)), ...missedAt.map(missedRun)];
  results.sort((one, other) => one.createdAt - other.createdAt);
  return { ...keep(subject), results, heartbeat: state };
}

function failedRun(reason: "overrun" | "overlap", at: number): NewResult {
  return { status: "failed", latencyMs: null, detail: { reason }, createdAt: at };
}

/** The result of a missed run. @param deadline its time */
function missedRun(deadline: number): NewResult {
  return { status: "havent_heard", latencyMs: null, detail: null, createdAt: deadline };
}

function keep({ memory, baseline, heartbeat }: Subject) {
  return { memory, baseline, heartbeat };
}
