import type { Transition } from "../alerts/delivery.ts";
import type { Memory } from "../checks/judge.ts";
import { type Baseline, baselineStart } from "../checks/latency-baseline.ts";
import type { EvidenceLook } from "../evidence/asked-look.ts";
import {
  evidenceOfCheck,
  isTurn,
  makesEvidence,
  type PlannedEvidence,
} from "../evidence/planned-evidence.ts";
import type { HeartbeatState } from "../heartbeats/heartbeat.ts";
import type { RunChange } from "../heartbeats/job-runs.ts";
import { HERE } from "../locations/location.ts";
import type { PlaceState, Places } from "../locations/place.ts";
import { planObservation } from "../locations/plan-observation.ts";
import type { PlacedSubject } from "../locations/silence.ts";
import { type WindowAt, windowEndOf, withMaintenance } from "../maintenance/maintenance.ts";
import type { OpenHour, Rollup } from "../results/rollup.ts";
import { type Confirmation, confirm, dueAfter, type Suspicion, UNCONFIRMED } from "./confirmation.ts";
import type { MonitorConfig, MonitorType } from "./monitor.ts";
import { judgeEvent, type MonitorEvent, type NewResult, statusByLatency } from "./monitor-event.ts";
import { emptyPlan, type OpenOutage, type OutageChange, planResult, recordedAs } from "./planned-result.ts";
import { countsAsDown, type Status } from "./status.ts";

/**
 * An event of one monitor, to be recorded.
 *
 * @property claim the fencing number under which a node works on the event; without it, nothing was claimed
 */
export type Recording = { monitorId: string; claim?: number } & (
  | RecordedCheck
  | (MonitorEvent & { kind: JobReport | "silence" })
);

/** The reports of a job. They are acknowledged after they are on the disk. */
export type JobReport = "checkin" | "start" | "log";

export function isJobReport(event: { kind: MonitorEvent["kind"] }): event is { kind: JobReport } {
  return event.kind === "checkin" || event.kind === "start" || event.kind === "log";
}

/**
 * The end of a check.
 *
 * @property revision of the monitor when the check began
 * @property dueAt when the check was due, for measurements
 * @property startAt when the check was to begin: the next one is due in the following slot
 * @property location the number of the location that made the check; default: this server
 * @property receivedAt when this server got to know what the check saw; default: when the check ended
 * @property statusThen the status of the outage that was open when the check ended; null if there was none. Only a late
 *   check needs it (behavior 13.8)
 */
export type RecordedCheck = MonitorEvent & {
  kind: "check";
  revision: number;
  dueAt?: number;
  startAt?: number;
  location?: number;
  receivedAt?: number;
  statusThen?: Status | null;
};

/** An event of this service, as it concerns one SCHEDULED monitor. */
export type ServiceEvent = { monitorId: string } & MonitorEvent & { kind: "outage" | "setback" };

/** A monitor with everything that recording an event depends on. */
export interface RecordingSubject extends Confirmation {
  id: string;
  organization: { id: string; name: string };
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  enabled: boolean;
  revision: number;
  /** Null if only this server checks it (behavior 13.1). */
  places: Places | null;
  /** The maintenance window that it is in at a moment; null if its organization has no maintenances. */
  windowAt: WindowAt | null;
  /** Whether a notification that is held waits for the result of its next check (behavior 14.52). */
  isAwaited: boolean;
  state: MonitorState;
}

/** The state of a monitor that recordings change. Times are milliseconds since 1970. */
export interface MonitorState {
  status: Status;
  /** While no location can decide: the status before it; otherwise null (behavior 13.15). */
  statusBefore: Status | null;
  /** When the status last changed; null before its first change. */
  statusSince: number | null;
  /** When the present trouble began; null while there is none. A pause does not end it. */
  troubleSince: number | null;
  /** Null if the latest check agrees with the status, and for a monitor with other locations. */
  suspicion: Suspicion | null;
  outage: OpenOutage | null;
  /** Latency of the latest healthy result; null if it had no latency, or there was none. */
  lastGoodLatencyMs: number | null;
  /** Null if nothing is to be probed. */
  nextCheckAt: number | null;
  /** Null also if there are `places`: their results are added to the rollups immediately. */
  openHour: OpenHour | null;
  /** This one and the baseline are unused if there are `places`: each of them has its own. */
  memory: Memory | null;
  baseline: Baseline;
  /** The first hour of the baseline. */
  baselineStart: number;
  heartbeat: HeartbeatState;
  /** By the number of the location; null if the monitor has no `places`. A location without a check may be missing. */
  places: ReadonlyMap<number, PlaceState> | null;
}

/** Everything to save after a batch of events, in one transaction. */
export interface RecordingPlan {
  /** In the order of the events; for one event, oldest first. */
  results: PlannedResult[];
  /** In the order in which they are added. */
  rollups: PlannedRollup[];
  /** The changed states, by the ID of the monitor. */
  states: Map<string, MonitorState>;
  outages: OutageChange[];
  transitions: PlannedTransition[];
  /** In the order in which they happened. */
  runs: PlannedRun[];
  /** In the order of the events. */
  evidence: PlannedEvidence[];
  /**
   * For each event; null if its monitor was deleted, was changed since the check began, is not checked from that location,
   * or takes no check-ins.
   */
  recorded: (Recorded | null)[];
}

/**
 * @property location the number of the location that made the check
 * @property isLate whether it enters the history only, so that the latest result of the monitor is another one
 * @property previousStatus of the monitor, if the result changes its status; otherwise null
 */
export interface PlannedResult extends NewResult {
  monitorId: string;
  location: number;
  isLate: boolean;
  previousStatus: Status | null;
}

/** A change of the runs of a job. */
export type PlannedRun = RunChange & { monitorId: string };

/** An addition to the rollups of an hour and of its day. @property location the number of the location of the checks */
export interface PlannedRollup extends Rollup {
  monitorId: string;
  location: number;
}

/** A change of status that channels may be notified of. Its result has no ID before it is saved. */
export interface PlannedTransition extends Omit<Transition, "result"> {
  /** The position of the result in the plan. */
  resultAt: number;
}

export interface Recorded {
  organizationId: string;
  type: MonitorType;
  status: Status;
  /** The status that the last check or check-in of the event saw. It differs from the status until it is confirmed. */
  seen: Status;
  /** How many runs of a job were missed. */
  missed: number;
  /** How long the run took that a check-in ended, in milliseconds. */
  runMs?: number;
  /** Whether channels may have something to deliver now, or a notification that is held may be decided. */
  notable: boolean;
  /** Milliseconds since 1970; null if nothing is to be probed. */
  nextCheckAt: number | null;
  /** Whether this server is to check earlier than it was, because another location sees trouble (behavior 13.12). */
  asksHere: boolean;
  /** The look that completes the evidence of the check, if its location is to look once more (behavior 22.7). */
  look?: EvidenceLook;
}

/**
 * Plans what a batch of events changes. Several events of one monitor follow one another in the order given.
 *
 * @param subjects the monitors of the events, by ID, as they were before the batch
 * @throws Error if the rhythm of a monitor cannot be computed
 */
export function planRecording(
  subjects: ReadonlyMap<string, RecordingSubject>,
  events: readonly (Recording | ServiceEvent)[],
): RecordingPlan {
  const plan = emptyPlan();
  for (const event of events) {
    const subject = subjects.get(event.monitorId);
    plan.recorded.push(subject && concerns(subject, event) ? planEvent(plan, subject, event) : null);
  }
  return plan;
}

/** The result of a check that began before an edit is discarded (behavior 1.14). Only SCHEDULED monitors check in. */
function concerns({ type, revision, places }: RecordingSubject, event: Recording | ServiceEvent): boolean {
  if (event.kind !== "check") return type === "SCHEDULED";
  return event.revision === revision && (places !== null || (event.location ?? HERE) === HERE);
}

function isPlaced(subject: RecordingSubject): subject is PlacedSubject {
  return subject.places !== null;
}

function planEvent(
  plan: RecordingPlan,
  subject: RecordingSubject,
  event: Recording | ServiceEvent,
): Recorded | null {
  if (isPlaced(subject) && event.kind === "check") return planObservation(plan, subject, event);
  const { type, config, enabled, windowAt } = subject;
  const before = plan.states.get(subject.id) ?? subject.state;
  const current = {
    type,
    config,
    enabled,
    status: statusByLatency(before.status, before.outage?.reason),
    memory: before.memory,
    baseline: before.baseline,
    heartbeat: before.heartbeat,
  };
  const judged = judgeEvent({ ...current, windowEnd: windowEndOf(windowAt) }, event);
  const { results, memory, baseline, heartbeat, runs = [], runMs } = judged;
  const transitionsBefore = plan.transitions.length;
  for (const run of runs) plan.runs.push({ ...run, monitorId: subject.id });
  let state = before;
  for (const result of results) state = planSeen(plan, subject, state, result);
  const [seen] = results;
  if (event.kind === "check" && seen) planEvidence(plan, subject, { event, seen, before, after: state });
  const isChecked = enabled && type !== "SCHEDULED";
  const nextCheckAt = isChecked ? dueAfter(subject, event, { before, after: state }) : null;
  const isUnconfirmed = state.suspicion !== null;
  plan.states.set(subject.id, {
    ...state,
    // Behavior 11.12: the next check must see the change too.
    memory: isUnconfirmed && type === "DNS" ? before.memory : memory,
    // Like the rollups, from which the baseline is computed again.
    baseline:
      (isUnconfirmed && countsAsDown[state.status]) || windowAt?.(event.at) ? before.baseline : baseline,
    heartbeat,
    baselineStart: baselineStart(event.at),
    nextCheckAt,
  });
  return {
    organizationId: subject.organization.id,
    type,
    status: state.status,
    seen: judged.repeats ?? results.at(-1)?.status ?? state.status,
    missed: results.filter(({ status }) => status === "havent_heard").length,
    ...(runMs !== undefined && { runMs }),
    notable: subject.isAwaited || plan.transitions.length > transitionsBefore,
    nextCheckAt,
    asksHere: false,
  };
}

/**
 * Plans what a judged check, or report of a job, changes of a monitor that only this server checks.
 *
 * @returns the state of the monitor after it, except what only its next check needs
 */
export function planSeen(
  plan: RecordingPlan,
  subject: RecordingSubject,
  before: MonitorState,
  seen: NewResult,
): MonitorState {
  // Check-ins of a paused monitor decide immediately (behavior 11.11).
  const numbers = subject.enabled ? subject : UNCONFIRMED;
  const { status, since, suspicion } = confirm({ ...before, reason: before.outage?.reason }, numbers, seen);
  const decision = { status, since, suspicion, isAgreed: suspicion === null };
  const result = withMaintenance(recordedAs(status, seen), subject);
  return planResult(plan, subject, before, { seen, result, location: HERE, decision });
}

function planEvidence(
  plan: RecordingPlan,
  subject: RecordingSubject,
  {
    event,
    seen,
    before,
    after,
  }: { event: RecordedCheck; seen: NewResult; before: MonitorState; after: MonitorState },
): void {
  const { type } = subject;
  if (!makesEvidence({ type, seen: seen.status, at: seen.createdAt }, before, after)) return;
  const place = { location: HERE, memory: before.memory, isExempt: isTurn(before, after) };
  plan.evidence.push(evidenceOfCheck(subject, { event, seen }, place));
}
