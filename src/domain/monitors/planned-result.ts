import type { Transition } from "../alerts/delivery.ts";
import { CHANGED, isDegradedBy } from "../checks/observation.ts";
import { isInMaintenance } from "../maintenance/maintenance.ts";
import { worstOf } from "../results/history.ts";
import { addToOpenHour, type OpenHour, rollupOf, uncountedRollup } from "../results/rollup.ts";
import { type Confirmed, withSeen } from "./confirmation.ts";
import { type MonitorType, maskRequest } from "./monitor.ts";
import type { NewResult } from "./monitor-event.ts";
import type { MonitorState, RecordingPlan, RecordingSubject } from "./recording-plan.ts";
import { groupOf, type Status } from "./status.ts";

/**
 * The decision at the end of a check.
 *
 * @property isAgreed whether what was seen agrees with the status, so that an outage may open although it is not new
 * @property locations for the notifications: see `Transition`
 */
export interface Decision extends Confirmed {
  isAgreed: boolean;
  /** False if too few locations see a content that changed. */
  isNews?: boolean;
  locations?: Transition["locations"];
}

/** A result as the check saw it. */
export interface SeenResult {
  seen: NewResult;
  /** The number of the location that made the check. */
  location: number;
}

export function emptyPlan(): RecordingPlan {
  return {
    results: [],
    rollups: [],
    states: new Map(),
    outages: [],
    transitions: [],
    runs: [],
    evidence: [],
    recorded: [],
  };
}

/** A result with the status that it is recorded with (behavior 11.7). */
export function recordedAs(status: Status, seen: NewResult): NewResult {
  return status === seen.status ? seen : { ...seen, status, detail: withSeen(seen.status, seen.detail) };
}

/** @property previousStatus of the monitor, if the result changes its status */
type AddedResult = Pick<SeenResult, "location"> & {
  result: NewResult;
  isLate?: boolean;
  previousStatus?: Status | null;
};

/** Adds a result to a plan. @returns its position */
export function addResult(
  plan: RecordingPlan,
  monitorId: string,
  { result, location, isLate = false, previousStatus = null }: AddedResult,
): number {
  return plan.results.push({ ...result, monitorId, location, isLate, previousStatus }) - 1;
}

/** Adds a result to the rollups. @returns the open hour after it */
export function countResult(
  plan: RecordingPlan,
  { id: monitorId, places }: RecordingSubject,
  { openHour }: MonitorState,
  { result, seen, location }: SeenResult & { result: NewResult },
): OpenHour | null {
  const rollup = isInMaintenance(result) ? uncountedRollup(result) : rollupOf(result, seen.status);
  const { open, folded } = places ? { open: null, folded: [rollup] } : addToOpenHour(openHour, rollup);
  for (const one of folded) plan.rollups.push({ monitorId, location, ...one });
  return open;
}

/**
 * Adds a result to a plan, with the outage and the transition that follow from it.
 *
 * @returns the state of the monitor after it, except what only its next check needs
 */
export function planResult(
  plan: RecordingPlan,
  subject: RecordingSubject,
  present: MonitorState,
  given: SeenResult & { result: NewResult; decision: Decision },
): MonitorState {
  const { id: monitorId, enabled } = subject;
  const { result, seen, location, decision } = given;
  const isNews = enabled && isNewsInOutage(present, given);
  // Nobody knows of the change that acknowledged the outage, or was notified of it for another reason (behavior 26.122).
  const before = isNews ? { ...present, outage: null, troubleSince: null } : present;
  const openHour = countResult(plan, subject, before, given);
  const reason = textIn(result.detail, "reason") ?? undefined;
  const after = stateAfter(subject, before, { decision, seen, openHour, reason });
  const previousStatus = changedFrom(before, after);
  const resultAt = addResult(plan, monitorId, { result, location, previousStatus });
  if (isNews) plan.outages.push({ kind: "closed", endedAt: result.createdAt, monitorId, resultAt });
  for (const step of outageSteps({ before, after }, { detail: result.detail, since: decision.since }))
    plan.outages.push({ ...step, monitorId, resultAt });
  const isChange = after.status !== before.status && isNotable(previousOf(before), after.status);
  if (isNews || (enabled && isChange))
    plan.transitions.push({ ...transitionOf(subject, { before, after }, decision, seen), resultAt });
  return after;
}

/** Whether the content changes while a monitor is Degraded, in an outage that is acknowledged or began for another reason. */
function isNewsInOutage(
  { status, outage }: MonitorState,
  { seen, decision }: { seen: NewResult; decision: Decision },
): boolean {
  if (!seen.isNews || !outage || decision.isNews === false) return false;
  if (groupOf[status] !== "warning" || decision.status !== status) return false;
  return outage.acknowledged !== undefined || outage.reason !== CHANGED;
}

function stateAfter(
  { type, enabled }: RecordingSubject,
  before: MonitorState,
  {
    decision,
    seen,
    openHour,
    reason,
  }: { decision: Decision; seen: NewResult; openHour: OpenHour | null; reason: string | undefined },
): MonitorState {
  const { status, since, suspicion, isAgreed } = decision;
  const isChanged = status !== before.status;
  const isGood = groupOf[status] === "healthy" && groupOf[seen.status] === "healthy";
  // After a pause, a check that saw the end of the trouble opens no outage.
  const canOpen = isChanged || isAgreed;
  const outage = { type, before: before.outage, canOpen, from: previousOf(before), reason };
  return {
    ...before,
    status,
    statusBefore: status === "unknown" ? before.statusBefore : null,
    statusSince: isChanged ? since : before.statusSince,
    troubleSince:
      status === "unknown" ? before.troubleSince : troubleFrom(status, before.troubleSince, since),
    suspicion,
    outage: enabled ? outageAfter(outage, status, since) : before.outage,
    lastGoodLatencyMs: isGood ? toHundredths(seen.latencyMs) : before.lastGoodLatencyMs,
    openHour,
  };
}

/** The status before a change to one that a check gave; null without such a change. */
function changedFrom(before: MonitorState, { status }: MonitorState): Status | null {
  const previous = previousOf(before);
  return status === previous || status === "unknown" ? null : previous;
}

/** The status that the channels know. A monitor that no location could check turned `unknown` silently (behavior 13.15). */
function previousOf({ status, statusBefore }: MonitorState): Status {
  return statusBefore ?? status;
}

/** As precise as it is stored. */
function toHundredths(latencyMs: number | null): number | null {
  return latencyMs === null ? null : Math.round(latencyMs * 100) / 100;
}

function transitionOf(
  { organization, id, name, type, config }: RecordingSubject,
  { before, after }: { before: MonitorState; after: MonitorState },
  { since, locations }: Decision,
  { createdAt }: NewResult,
): Omit<Transition, "result"> {
  const { statusBefore, statusSince, lastGoodLatencyMs } = before;
  const troubleSince = after.troubleSince ?? before.troubleSince;
  const { acknowledged } = after.outage ?? before.outage ?? {};
  const reason = before.status === "degraded" ? before.outage?.reason : undefined;
  return {
    organization,
    monitor: { id, name, type, config: maskRequest(config) },
    previousStatus: previousOf(before),
    status: after.status,
    ...(since !== createdAt && { changedAt: since }),
    // The start of a status before `unknown` is no longer known.
    ...(statusSince !== null && statusBefore === null && { since: statusSince }),
    ...(troubleSince !== null && { troubleSince }),
    ...(lastGoodLatencyMs !== null && { lastGoodLatencyMs }),
    ...(isDegradedBy(reason) && { wasDegradedBy: reason }),
    ...(locations && { locations }),
    ...(acknowledged && { acknowledged }),
  };
}

/** An acknowledgement of an outage. @property at milliseconds since 1970 @property by the name of the key */
export interface Acknowledgement {
  at: number;
  by: string;
  note: string | null;
}

/** A stretch in which a monitor is in group warning or down, and which has not ended. */
export interface OpenOutage {
  /** When the first check saw it, in milliseconds since 1970. */
  startedAt: number;
  /** The worst so far. */
  status: Status;
  /** Why it began; absent if its first result has no reason. */
  reason?: string;
  /** Absent if it is not acknowledged. */
  acknowledged?: Acknowledgement;
}

/** @property resultAt the position of the result in the plan */
export type OutageChange = { monitorId: string; resultAt: number } & OutageStep;

/** @property maintenanceId of the maintenance in whose window it begins */
type OutageStep =
  | {
      kind: "opened";
      startedAt: number;
      status: Status;
      reason: string | null;
      maintenanceId: string | null;
    }
  | { kind: "worsened"; status: Status }
  | { kind: "unacknowledged" }
  | { kind: "downBegan"; at: number }
  | { kind: "downEnded"; at: number }
  | { kind: "closed"; endedAt: number };

/** The inputs that decide about an outage. @property from the status before, as the channels know it */
interface OutageContext {
  type: MonitorType;
  before: OpenOutage | null;
  canOpen: boolean;
  from: Status;
  reason?: string | undefined;
}

/** The outage of an enabled monitor after a result. @param since when a check first saw the status */
export function outageAfter(
  { type, before, canOpen, from, reason }: OutageContext,
  status: Status,
  since: number,
): OpenOutage | null {
  if (groupOf[status] === "healthy") return null;
  if (!before) return canOpen ? { startedAt: since, status, ...(reason !== undefined && { reason }) } : null;
  const worst = worstOf(type, [before.status, status]);
  const isEscalated = groupOf[from] === "warning" && groupOf[status] === "down";
  // Behavior 14.54.
  if (isEscalated && before.acknowledged) {
    const { acknowledged: _, ...others } = before;
    return { ...others, status: worst };
  }
  return worst === before.status ? before : { ...before, status: worst };
}

const NOTHING: OutageStep[] = [];

/** The outage of a monitor and its status, before or after a result. */
interface OutageState {
  outage: OpenOutage | null;
  status: Status;
}

/** Changes of the stored outages by a result. @param since as of `outageAfter` */
export function outageSteps(
  { before, after }: { before: OutageState; after: OutageState },
  result: Pick<NewResult, "detail"> & { since: number },
): OutageStep[] {
  if (before.outage === after.outage && before.status === after.status) return NOTHING;
  return [...changeSteps(before.outage, after.outage, result), ...downSteps(before, after, result.since)];
}

/** The end of an outage also ends the stretch in which its monitor is down. */
function downSteps(before: OutageState, after: OutageState, at: number): OutageStep[] {
  if (!after.outage || isDown(before) === isDown(after)) return NOTHING;
  return [{ kind: isDown(after) ? "downBegan" : "downEnded", at }];
}

function isDown({ outage, status }: OutageState): boolean {
  return outage !== null && groupOf[status] === "down";
}

function changeSteps(
  before: OpenOutage | null,
  after: OpenOutage | null,
  { detail, since }: Pick<NewResult, "detail"> & { since: number },
): OutageStep[] {
  if (before === after) return NOTHING;
  if (!after) return [{ kind: "closed", endedAt: since }];
  const { startedAt, status, acknowledged } = after;
  if (!before) {
    const [reason, maintenanceId] = [textIn(detail, "reason"), textIn(detail, "maintenance")];
    return [{ kind: "opened", startedAt, status, reason, maintenanceId }];
  }
  const steps: OutageStep[] = [];
  if (before.status !== status) steps.push({ kind: "worsened", status });
  if (before.acknowledged && !acknowledged) steps.push({ kind: "unacknowledged" });
  return steps;
}

function textIn(detail: NewResult["detail"], field: string): string | null {
  const value = detail?.[field];
  return typeof value === "string" ? value : null;
}

/** Whether channels are notified of a change from one status to another (behavior 5.1, 5.2). */
export function isNotable(from: Status, to: Status): boolean {
  if (from === to) return false;
  return from !== "unknown" || groupOf[to] !== "healthy";
}

/**
 * When the current trouble of a monitor began. A change from one unhealthy status to another continues the trouble.
 *
 * @param since when the trouble before this result began; null without any
 * @returns milliseconds since 1970; null if the monitor is healthy or unknown
 */
export function troubleFrom(status: Status, since: number | null, now: number): number | null {
  return status === "unknown" || groupOf[status] === "healthy" ? null : (since ?? now);
}
