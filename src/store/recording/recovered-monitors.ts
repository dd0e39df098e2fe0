import type { RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import { isDown } from "../../domain/monitors/status.ts";
import { findSubject, type StoredSubjects } from "./stored-subject.ts";

/** A monitor that is not down any more. @property at when that began, in milliseconds since 1970 */
export interface RecoveredMonitor {
  monitorPk: number;
  at: number;
}

/** The monitors that a plan takes out of group down. */
export function recoveredMonitors(
  subjects: StoredSubjects,
  { outages, transitions, states }: RecordingPlan,
): RecoveredMonitor[] {
  // Almost always: such a change ends an outage or is a transition.
  if (outages.length === 0 && transitions.length === 0) return [];
  return [...states].flatMap(([monitorId, { status, statusSince }]) => {
    const { pk: monitorPk, state } = findSubject(subjects, monitorId);
    return isDown(state.status) && !isDown(status) ? [{ monitorPk, at: statusSince ?? 0 }] : [];
  });
}
