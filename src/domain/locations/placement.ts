import { AppError } from "../../errors.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { type DownWhen, HERE_ID } from "./location.ts";

/** Which locations check a monitor, by their IDs, and how many of them must see trouble. */
export interface Placement {
  locations: string[];
  downWhen: DownWhen;
}

/** The default. */
export const ONLY_HERE: Placement = { locations: [HERE_ID], downWhen: "majority" };

/**
 * The locations of a monitor after a request that creates or updates it (behavior 13.2, 13.3).
 *
 * @param before of a new monitor: `ONLY_HERE`
 * @throws AppError `invalid` for locations of a SCHEDULED monitor, or for more votes than there are locations
 */
export function placementAfter(
  before: Placement & { type: MonitorType },
  changes: { locations?: string[] | undefined; downWhen?: DownWhen | undefined },
): Placement {
  if (before.type === "SCHEDULED") assertNone(changes);
  const { locations = before.locations, downWhen = before.downWhen } = changes;
  const count = locations.length;
  if (typeof downWhen === "number" && downWhen > count) {
    const must = `must be at most ${count}, the number of locations`;
    throw new AppError("invalid", `downWhen ${must}, got ${downWhen}`);
  }
  return { locations, downWhen };
}

/** The order counts too, because the slots follow from it. */
export function isSamePlacement(one: Placement, other: Placement): boolean {
  return (
    one.downWhen === other.downWhen &&
    one.locations.length === other.locations.length &&
    one.locations.every((id, at) => id === other.locations[at])
  );
}

/** Jobs report by themselves. */
function assertNone(changes: { locations?: unknown; downWhen?: unknown }): void {
  for (const field of ["locations", "downWhen"] as const) {
    if (changes[field] === undefined) continue;
    throw new AppError("invalid", `${field} must be left out for SCHEDULED monitors`);
  }
}
