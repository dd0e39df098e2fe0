import type { MonitorConfig } from "../monitors/monitor.ts";
import { levelOf } from "../monitors/status.ts";
import type { LatestObservation, PlaceState, Places } from "./place.ts";
import type { Sight } from "./silence.ts";
import { canVote, freshFor } from "./votes.ts";

/** What the locations of a monitor saw last. */
export interface SeenMonitor {
  config: MonitorConfig;
  places: Places;
  states: ReadonlyMap<number, Pick<PlaceState, "latest">>;
}

/**
 * How the monitors of a location look (behavior 13.25). Another location sees a monitor well if more than half of the others
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
  { config, places, states }: SeenMonitor,
  location: number,
  now: number,
): LatestObservation | null {
  const latest = states.get(location)?.latest ?? null;
  if (!latest || latest.at < places.since) return null;
  return now - latest.at <= freshFor(config) ? latest : null;
}
