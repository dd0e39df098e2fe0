import { displayStateOfStatus } from "../../../../domain/monitors/display-state.ts";
import type { Status } from "../../../../domain/monitors/status.ts";
import type { Place } from "../../data/api.ts";
import { locationLabel } from "../../location/conditions.ts";

/** @property by the names of the locations that see trouble @property of how many locations have a vote */
export interface Dissent {
  by: string[];
  of: number;
}

/** What the locations of a monitor see, unless all of them agree with its status. Null if they do, or if it is paused. */
export function findDissent(
  { status, enabled }: { status: Status; enabled: boolean },
  places: Place[],
): Dissent | null {
  const voters = places.filter((one) => one.state === "connected" && !one.isAtFault && one.latest);
  const by = voters.filter(({ latest }) => latest && isTrouble(latest.status));
  const agreeing = isTrouble(status) ? voters.length : 0;
  if (!enabled || by.length === agreeing) return null;
  return { by: by.map(({ name }) => locationLabel(name)), of: voters.length };
}

function isTrouble(status: Status): boolean {
  const state = displayStateOfStatus(status);
  return state === "down" || state === "warning";
}
