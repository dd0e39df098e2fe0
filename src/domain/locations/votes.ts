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
    if (isFresh) votes.push({ place, latest, level: levelOf[latest.status] });
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
  if (isDown[status]) return null;
  const seen = places.filter(canVote).flatMap(({ location }) => latest.get(location) ?? []);
  const by = seen.filter((one) => groupOf[one.status] === "down").length;
  return by === 0 ? null : { by, of: seen.length };
}

/**
 * How many monitors of a location are down, and how many of these are healthy elsewhere.
 *
 * @property fresh how many of them have a fresh observation of it
 * @property failing how many of these are down
 * @property healthyElsewhere how many of the failing ones other locations see healthy
 */
export interface FailureShare {
  fresh: number;
  failing: number;
  healthyElsewhere: number;
}

/** With fewer monitors, nothing shows whether the targets or the network of the location fail. */
export const MIN_MONITORS = 3;

/** Whether a location alone sees everything fail, so that the network of this location is at fault (behavior 13.17). */
export function isAtFault({ fresh, failing, healthyElsewhere }: FailureShare): boolean {
  return fresh >= MIN_MONITORS && failing === fresh && healthyElsewhere > fresh / 2;
}

type Seen = Pick<LatestObservation, "status" | "at">;

/** The latest observations of a monitor from its locations. */
export interface ObservedMonitor {
  config: MonitorConfig;
  places: Places;
  /** By the number of the location. */
  latest: ReadonlyMap<number, Seen>;
}

/**
 * The failure share of a location, compared with the other locations that have a vote (behavior 13.17).
 *
 * @param now milliseconds since 1970
 */
export function failureShareOf(
  location: number,
  monitors: Iterable<ObservedMonitor>,
  now: number,
): FailureShare {
  const share = { fresh: 0, failing: 0, healthyElsewhere: 0 };
  for (const monitor of monitors) {
    const own = monitor.places.list.find((place) => place.location === location && place.isLive);
    const latest = own && freshLatest(monitor, location, now);
    if (!latest) continue;
    share.fresh++;
    if (groupOf[latest.status] !== "down") continue;
    share.failing++;
    if (isHealthyElsewhere(monitor, location, now)) share.healthyElsewhere++;
  }
  return share;
}

/** Whether more than half of the other locations with a vote do not see a monitor down. */
function isHealthyElsewhere(monitor: ObservedMonitor, location: number, now: number): boolean {
  const others = monitor.places.list
    .filter((place) => place.location !== location && canVote(place))
    .flatMap((place) => freshLatest(monitor, place.location, now) ?? []);
  const well = others.filter(({ status }) => groupOf[status] !== "down");
  return well.length > others.length / 2;
}

function freshLatest(
  { config, places, latest: all }: ObservedMonitor,
  location: number,
  now: number,
): Seen | null {
  const latest = all.get(location);
  if (!latest || latest.at < places.since) return null;
  return now - latest.at <= freshFor(config) ? latest : null;
}
