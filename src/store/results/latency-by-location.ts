import { HERE_ID } from "../../domain/locations/location.ts";
import type { KnownPlaces } from "../locations/known-places.ts";
import type { LatencyPoint, LocationLatencies } from "../monitors/monitor-report.ts";
import { pointsOfResults, pointsOfRollups } from "./latency-points.ts";

/** The latencies of one rollup of a location, as in `pointsOfRollups`. */
export type RollupPoint = LatencyPoint & { location: number };

/** Those of deleted locations have no name any more and are left out. */
export function latenciesOfRollups(rollups: readonly RollupPoint[], known: KnownPlaces): LocationLatencies[] {
  const byLocation = Map.groupBy(rollups, ({ location }) => location);
  return [...byLocation].flatMap(([location, points]) => {
    const name = known.get(location)?.name;
    return name === undefined ? [] : [{ location: name, points: pointsOfRollups(points) }];
  });
}

/** @property text the detail in JSON */
export interface LocatedTimings {
  timings: Uint8Array | null;
  createdAt: number;
  text: string | null;
}

/** By the name that the location had at the time. */
export function latenciesOfResults(results: readonly LocatedTimings[]): LocationLatencies[] {
  const names = new Map<string | null, string>();
  const nameOf = ({ text }: LocatedTimings) => {
    const name = names.get(text) ?? locationIn(text);
    names.set(text, name);
    return name;
  };
  return [...Map.groupBy(results, nameOf)]
    .map(([location, some]) => ({ location, points: pointsOfResults(some) }))
    .filter(({ points }) => points.length > 0);
}

/** Results of before the monitor had other locations have none. */
function locationIn(text: string | null): string {
  const location = text === null ? undefined : JSON.parse(text).location;
  return typeof location === "string" ? location : HERE_ID;
}
