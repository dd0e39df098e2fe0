import { checkTimeout } from "../checks/check-slot.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import { groupOf, isDown, levelOf, type Status } from "../monitors/status.ts";
import { currentLatest, type LatestObservation, type Place, type PlaceState, type Places } from "./place.ts";

/** The vote of a location: its latest observation. @property level of its status: see `levelOf` */
export interface Vote {
  place: Place;
  latest: LatestObservation;
  level: number;
}

/** How long an observation counts, in milliseconds: two intervals and the timeout of a check (behavior 13.6). */
export function freshFor(config: MonitorConfig): number {
  return 2 * config.interval * 1000 + checkTimeout(config);
}

/**
 * The votes of the locations whose latest observation is fresh (behavior 13.6). A silent location does not vote, nor does one
 * whose network is at fault: see `canVote`.
 *
 * @property now when the observation that is to be judged was received
 * @property awaitsOthers whether the other locations may have had no time to send theirs: see `isAfterGap`
 * @returns null as long as nobody decides: there is no vote, or a location with a vote has made no check yet, or none since
 *   the gap
 */
export function collectVotes(
  places: Places,
  states: ReadonlyMap<number, PlaceState>,
  { config, now, awaitsOthers }: { config: MonitorConfig; now: number; awaitsOthers: boolean },
): Vote[] | null {
  const longest = freshFor(config);
  const votes: Vote[] = [];
  for (const place of places.list) {
    if (!canVote(place)) continue;
    const latest = currentLatest(states.get(place.location), places);
    if (!latest && now < places.since + longest) return null;
    if (!latest) continue;
    const isFresh = now - latest.at <= longest;
    if (!isFresh && awaitsOthers) return null;
    if (isFresh) votes.push({ place, latest, level: levelOf(latest.status) });
  }
  return votes.length > 0 ? votes : null;
}

export function canVote({ isLive, isAtFault }: Place): boolean {
  return isLive && !isAtFault;
}

/** @property by how many locations see a monitor down @property of how many have a vote and have checked it */
export interface SeenDown {
  by: number;
  of: number;
}

/**
 * How many locations see a monitor down that is not down (behavior 13.29).
 *
 * @param latest observation of each location, by its number
 * @returns null if none does, or if they agreed on it
 */
export function seenDown(
  status: Status,
  places: readonly Place[],
  latest: ReadonlyMap<number, LatestObservation>,
): SeenDown | null {
  if (isDown(status)) return null;
  const seen = places.filter(canVote).flatMap(({ location }) => latest.get(location) ?? []);
  const by = seen.filter((one) => groupOf(one.status) === "down").length;
  return by === 0 ? null : { by, of: seen.length };
}
