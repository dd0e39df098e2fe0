import { groupOf, isDown, type Status } from "../monitors/status.ts";
import type { LatestObservation, Place } from "./place.ts";
import { canVote } from "./votes.ts";

/** @property by how many locations see a monitor down @property of how many have a vote and have checked it */
export interface SeenDown {
  by: number;
  of: number;
}

/**
 * How many locations see a monitor down that is not down (behavior 13.29).
 *
 * @param latest what each location saw last, by its number
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
