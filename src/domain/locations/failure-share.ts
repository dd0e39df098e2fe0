import type { MonitorConfig } from "../monitors/monitor.ts";
import { groupOf } from "../monitors/status.ts";
import type { LatestObservation, Places } from "./place.ts";
import { canVote, freshFor } from "./votes.ts";

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
    if (groupOf(latest.status) !== "down") continue;
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
  const well = others.filter(({ status }) => groupOf(status) !== "down");
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
