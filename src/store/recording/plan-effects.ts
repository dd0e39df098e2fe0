import type { OutageChange } from "../../domain/monitors/outage.ts";
import type { PlannedTransition, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import { isDown } from "../../domain/monitors/status.ts";
import { findSubject, type StoredSubjects } from "./stored-subject.ts";

/** The number and the ID of an outage. */
export interface OutageKey {
  pk: number;
  id: string;
}

/** The outages that a plan opened. */
export type OpenedOutages = ReadonlyMap<OutageChange, OutageKey>;

export type OutageOf = (transition: PlannedTransition) => (OutageKey & { startedAt: number }) | null;

/**
 * Finds the outage that a transition begins, continues or ends. There is none if a pause ended it.
 *
 * @param opened the outages that the plan opened
 */
export function outageFinder(
  { outages }: Pick<RecordingPlan, "outages">,
  { subjects, opened }: { subjects: StoredSubjects; opened: OpenedOutages },
): OutageOf {
  const changes = Map.groupBy(outages, ({ monitorId }) => monitorId);
  return ({ monitor: { id }, resultAt }) => {
    const own = changes.get(id)?.findLast((one) => one.kind === "opened" && one.resultAt <= resultAt);
    const key = own && opened.get(own);
    if (own?.kind === "opened" && key) return { ...key, startedAt: own.startedAt };
    const { outagePk: pk, outageId, state } = findSubject(subjects, id);
    if (pk === null || outageId === null || !state.outage) return null;
    return { pk, id: outageId, startedAt: state.outage.startedAt };
  };
}

/** A monitor of which something changed. @property at when, in milliseconds since 1970 */
export interface ChangedMonitor {
  monitorPk: number;
  at: number;
}

/** The monitors whose held notifications are decided again (behavior 14.52): by a transition, or a check that they wait for. */
export function decidedMonitors(
  subjects: StoredSubjects,
  { results, transitions }: RecordingPlan,
): ChangedMonitor[] {
  const changed = new Set(transitions.map(({ resultAt }) => resultAt));
  return results.flatMap(({ monitorId, isLate, createdAt: at }, resultAt) => {
    const { pk: monitorPk, isAwaited } = findSubject(subjects, monitorId);
    return changed.has(resultAt) || (isAwaited && !isLate) ? [{ monitorPk, at }] : [];
  });
}

/** The monitors that a plan takes out of group down, and since when. */
export function recoveredMonitors(
  subjects: StoredSubjects,
  { outages, transitions, states }: RecordingPlan,
): ChangedMonitor[] {
  // Almost always: such a change ends an outage or is a transition.
  if (outages.length === 0 && transitions.length === 0) return [];
  return [...states].flatMap(([monitorId, { status, statusSince }]) => {
    const { pk: monitorPk, state } = findSubject(subjects, monitorId);
    return isDown(state.status) && !isDown(status) ? [{ monitorPk, at: statusSince ?? 0 }] : [];
  });
}
