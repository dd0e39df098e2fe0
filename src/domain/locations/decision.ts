import type { Decision } from "../monitors/planned-result.ts";
import { levelOf, type Status } from "../monitors/status.ts";
import { decide } from "./agreement.ts";
import { isAfterGap } from "./latest-observation.ts";
import { type ObservedCheck, receivedAt } from "./observed-check.ts";
import type { PlaceState } from "./place.ts";
import { collectVotes, freshFor, type Vote } from "./votes.ts";

/** @property wanted see `Agreement`; null as long as nobody decides */
export interface PlacedDecision extends Decision {
  wanted: number | null;
}

/**
 * What the locations decide after a check. As long as nobody decides, the status stays.
 *
 * @param states of the locations, with the latest observation after the check
 */
export function decisionAfter(
  { subject, event, place, before }: ObservedCheck,
  states: ReadonlyMap<number, PlaceState>,
): PlacedDecision {
  const { type, config, confirmations, recoveries, places } = subject;
  const { at } = event;
  const now = receivedAt(event);
  const latest = states.get(place.location)?.latest ?? null;
  const awaitsOthers = latest !== null && isAfterGap(latest, now);
  const votes = collectVotes(places, states, { config, now, awaitsOthers });
  if (!votes) return { status: before.status, since: at, suspicion: null, isAgreed: false, wanted: null };
  const { status, since, wanted } = decide(votes, {
    ...{ type, confirmations, recoveries, at },
    present: before.status,
    presentSince: before.statusSince,
    downWhen: places.downWhen,
    longest: freshFor(config),
  });
  const isAgreed = levelOf(status) === wanted;
  return { status, since, suspicion: null, isAgreed, wanted, locations: seenFrom(status, votes) };
}

/** Behavior 13.14. */
function seenFrom(status: Status, votes: readonly Vote[]): NonNullable<Decision["locations"]> {
  const level = levelOf(status);
  const seeing = votes.filter((vote) => (level === 0 ? vote.level === 0 : vote.level >= level));
  return { seeing: seeing.map(({ place }) => place.name), of: votes.length };
}
