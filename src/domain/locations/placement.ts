import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { described } from "../schemas/schema.ts";
import { DownWhen, HERE_ID, LocationIds } from "./location.ts";

/** Which locations check a monitor, by their IDs, and how many of them must see trouble. */
export const Placement = Type.Object({ locations: LocationIds, downWhen: DownWhen });
export type Placement = Static<typeof Placement>;

/** The fields in a response, which a job does not have. */
export const shownPlacement = {
  locations: Type.Optional(
    Type.Array(Type.String(), {
      description: "The locations that check the monitor; `here` is this server. Not for SCHEDULED.",
    }),
  ),
  downWhen: Type.Optional(described(DownWhen, "How many locations must see trouble. Not for SCHEDULED.")),
} satisfies Record<keyof Placement, TSchema>;

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
  changes: { [Field in keyof Placement]?: Placement[Field] | undefined },
): Placement {
  if (before.type === "SCHEDULED") assertNone(changes);
  const { locations = before.locations, downWhen = before.downWhen } = changes;
  const count = locations.length;
  if (typeof downWhen === "number" && downWhen > count) {
    const must = `must be at most ${count}, the number of locations`;
    throw invalid(`downWhen ${must}, got ${downWhen}`);
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
    throw invalid(`${field} must be left out for SCHEDULED monitors`);
  }
}
