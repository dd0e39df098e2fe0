import type { RecordingPlan, RecordingSubject } from "../monitors/recording-plan.ts";
import { askPlaces } from "./recheck.ts";
import { planSilence } from "./silence.ts";
import { canVote } from "./votes.ts";

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
