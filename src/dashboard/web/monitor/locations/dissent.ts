import { levelOf, type Status } from "../../../../domain/monitors/status.ts";
import type { Place } from "../../data/api.ts";
import { locationLabel } from "../../location/location-label.ts";

/**
 * @property sees what some locations see, and others or the status do not
 * @property by the names of these locations
 * @property of how many locations have a vote
 */
export interface Dissent {
  sees: "Down" | "Trouble";
  by: string[];
  of: number;
}

const WARNING = 1;
const DOWN = 2;

/** What the locations of a monitor see, unless all of them agree with its status. Null if they do, or if it is paused. */
export function findDissent(
  { status, enabled }: { status: Status; enabled: boolean },
  places: Place[],
): Dissent | null {
  const voters = places.filter((one) => one.state === "connected" && !one.isAtFault && one.latest);
  const level = status === "unknown" ? 0 : levelOf(status);
  const dissentAt = (least: number, sees: Dissent["sees"]) => {
    const by = voters.filter(({ latest }) => latest && levelOf(latest.status) >= least);
    const agreeing = level >= least ? voters.length : 0;
    return by.length === agreeing
      ? null
      : { sees, by: by.map(({ name }) => locationLabel(name)), of: voters.length };
  };
  return enabled ? (dissentAt(DOWN, "Down") ?? dissentAt(WARNING, "Trouble")) : null;
}
