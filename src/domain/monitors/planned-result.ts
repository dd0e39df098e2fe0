import type { Transition } from "../alerts/delivery.ts";
import { isDegradedBy } from "../checks/degraded-by.ts";
import { isInMaintenance } from "../maintenance/maintenance.ts";
import { addToOpenHour, type OpenHour } from "../results/open-hour.ts";
import { rollupOf, uncountedRollup } from "../results/rollup.ts";
import { type Confirmed, seenOf, withSeen } from "./confirmation.ts";
import { maskRequest } from "./monitor.ts";
import type { NewResult } from "./monitor-event.ts";
import { outageAfter, outageSteps } from "./outage.ts";
import type { MonitorState, RecordingPlan, RecordingSubject } from "./recording-plan.ts";
import { groupOf, isNotable, type Status, troubleFrom } from "./status.ts";

/**
 * The decision at the end of a check.
 *
 * @property isAgreed whether what was seen agrees with the status, so that an outage may open although it is not new
 * @property locations for the notifications: see `Transition`
 */
export interface Decision extends Confirmed {
  isAgreed: boolean;
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
  before: MonitorState,
  given: SeenResult & { result: NewResult; decision: Decision },
): MonitorState {
  const { id: monitorId, enabled } = subject;
  const { result, seen, location, decision } = given;
  const openHour = countResult(plan, subject, before, given);
  const { reason } = seenOf(result.status, result.detail);
  const after = stateAfter(subject, before, { decision, seen, openHour, reason });
  const previousStatus = changedFrom(before, after);
  const resultAt = addResult(plan, monitorId, { result, location, previousStatus });
  for (const step of outageSteps({ before, after }, { detail: result.detail, since: decision.since }))
    plan.outages.push({ ...step, monitorId, resultAt });
  if (enabled && after.status !== before.status && isNotable(previousOf(before), after.status))
    plan.transitions.push({ ...transitionOf(subject, { before, after }, decision, seen), resultAt });
  return after;
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
  const isGood = groupOf(status) === "healthy" && groupOf(seen.status) === "healthy";
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
