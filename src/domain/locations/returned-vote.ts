import { emptyPlan } from "../monitors/planned-result.ts";
import type { MonitorState, RecordingSubject } from "../monitors/recording-plan.ts";
import { groupOf } from "../monitors/status.ts";
import type { PlannedVotes } from "./lost-vote.ts";
import { askPlaces } from "./recheck.ts";

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
