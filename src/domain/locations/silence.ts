import { emptyPlan } from "../monitors/planned-result.ts";
import type { MonitorState, RecordingPlan, RecordingSubject } from "../monitors/recording-plan.ts";
import { groupOf } from "../monitors/status.ts";
import { askPlaces } from "./recheck.ts";
import { canVote } from "./votes.ts";

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

/** @property asksHere whether this server is to check one of the monitors now */
export interface PlannedVotes {
  plan: RecordingPlan;
  asksHere: boolean;
}

/**
 * Plans what changes of monitors after one of their locations lost its vote, because it is silent or its network is at
 * fault: the locations that still have a vote check at once, because the lost vote may have decided the status. Without
 * any, the monitor turns `unknown` (behavior 13.23, 13.24).
 *
 * @param now milliseconds since 1970
 */
export function planLostVote(subjects: Iterable<RecordingSubject>, now: number): PlannedVotes {
  const placed = [...subjects].filter(({ places }) => places !== null);
  const plan = planSilence(
    placed.filter(({ places }) => !places?.list.some(canVote)),
    now,
  );
  let asksHere = false;
  for (const { id, enabled, places, state } of placed) {
    if (!places?.list.some(canVote)) continue;
    const asked = askPlaces({ enabled, places, state }, now);
    asksHere ||= asked.asksHere;
    plan.states.set(id, asked.state);
  }
  return { plan, asksHere };
}

/**
 * Plans what changes of monitors after one of their locations got its vote back. What it saw down until then does not
 * count, because it may have had no network. It checks these monitors at once, and those that are `unknown`: their next
 * slot may be a day later (behavior 13.70).
 *
 * @param location its number @param now milliseconds since 1970
 */
export function planReturnedVote(
  subjects: Iterable<RecordingSubject>,
  location: number,
  now: number,
): PlannedVotes {
  const plan = emptyPlan();
  let asksHere = false;
  for (const { id, enabled, places, state: before } of subjects) {
    const own = places?.list.filter((place) => place.location === location);
    const state = withoutFailure(before, location);
    if (!places || !own || (state === before && before.status !== "unknown")) continue;
    const asked = askPlaces({ enabled, places: { ...places, list: own }, state }, now);
    asksHere ||= asked.asksHere;
    plan.states.set(id, asked.state);
  }
  return { plan, asksHere };
}

/** The same state if the latest check of the location did not fail. */
function withoutFailure(state: MonitorState, location: number): MonitorState {
  const own = state.places?.get(location);
  if (!own?.latest || groupOf(own.latest.status) !== "down") return state;
  return { ...state, places: new Map(state.places).set(location, { ...own, latest: null }) };
}
