import { emptyPlan } from "../monitors/planned-result.ts";
import type { MonitorState, RecordingPlan, RecordingSubject } from "../monitors/recording-plan.ts";

/**
 * Plans what changes of monitors that no location can check any more: they turn `unknown` and notify nobody (behavior
 * 13.15). Their outages end.
 *
 * @param at milliseconds since 1970
 */
export function planSilence(subjects: Iterable<RecordingSubject>, at: number): RecordingPlan {
  const plan = emptyPlan();
  for (const { id, state } of subjects) {
    if (state.status === "unknown") continue;
    plan.states.set(id, silenced(state, at));
    if (state.outage) plan.outages.push({ kind: "closed", endedAt: at, monitorId: id, resultAt: NO_RESULT });
  }
  return plan;
}

/** The position of a result that does not exist. */
const NO_RESULT = -1;

/** The time of the trouble stays for the notification of its end. */
function silenced(state: MonitorState, at: number): MonitorState {
  return {
    ...state,
    status: "unknown",
    statusBefore: state.status,
    statusSince: at,
    suspicion: null,
    outage: null,
  };
}
