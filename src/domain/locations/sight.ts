import type { MonitorConfig } from "../monitors/monitor.ts";
import { levelOf } from "../monitors/status.ts";
import type { LatestObservation, Places } from "./place.ts";
import type { Sight } from "./silence.ts";
import { canVote, freshFor } from "./votes.ts";

type Seen = Pick<LatestObservation, "status" | "at">;

/** What the locations of a monitor saw last. */
export interface SeenMonitor {
  config: MonitorConfig;
  places: Places;
  /** By the number of the location. */
  latest: ReadonlyMap<number, Seen>;
}

/**
 * How the monitors of a location look (behavior 13.17). Another location sees a monitor well if more than half of the others
 * that have a vote do not see it down.
 *
 * @param now milliseconds since 1970
 */
export function sightFrom(location: number, monitors: Iterable<SeenMonitor>, now: number): Sight {
  const sight = { fresh: 0, failing: 0, wellElsewhere: 0 };
  for (const monitor of monitors) {
    const own = monitor.places.list.find((place) => place.location === location && place.isLive);
    const latest = own && freshLatest(monitor, location, now);
    if (!latest) continue;
    sight.fresh++;
    if (levelOf(latest.status) < DOWN) continue;
    sight.failing++;
    if (isSeenWell(monitor, location, now)) sight.wellElsewhere++;
  }
  return sight;
}

const DOWN = 2;

function isSeenWell(monitor: SeenMonitor, location: number, now: number): boolean {
  const others = monitor.places.list
    .filter((place) => place.location !== location && canVote(place))
    .flatMap((place) => freshLatest(monitor, place.location, now) ?? []);
  const well = others.filter(({ status }) => levelOf(status) < DOWN);
  return well.length > others.length / 2;
}

function freshLatest(
  { config, places, latest: all }: SeenMonitor,
  location: number,
  now: number,
): Seen | null {
  const latest = all.get(location);
  if (!latest || latest.at < places.since) return null;
  return now - latest.at <= freshFor(config) ? latest : null;
}
