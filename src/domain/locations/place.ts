import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import type { Memory } from "../checks/judge.ts";
import type { Baseline } from "../checks/latency-baseline.ts";
import { fault } from "../faults/fault.ts";
import { seenOf } from "../monitors/confirmation.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { levelOf, type Status } from "../monitors/status.ts";
import { described } from "../schemas/schema.ts";
import { DownWhen, HERE_ID, LocationIds } from "./location.ts";

/** The locations of a monitor that is not checked only from this server. */
export interface Places {
  downWhen: DownWhen;
  /** Since when its present config is checked from its present locations, in milliseconds since 1970. */
  since: number;
  /** In the order of their slots. */
  list: readonly Place[];
}

/** A location as one of those that check a monitor: whether it has a vote. For the location itself, see `Location`. */
export interface Place {
  /** Its number; `HERE` is this server. */
  location: number;
  name: string;
  /** Whether it is connected. This server always is. */
  isLive: boolean;
  /** Whether it alone sees everything fail, so that the network of this location is at fault (behavior 13.17). */
  isAtFault: boolean;
}

/** The state that the checks of a monitor from one location leave for the next one. */
export interface PlaceState {
  memory: Memory | null;
  baseline: Baseline;
  /** The first hour of the baseline. */
  baselineStart: number;
  /** Null before the first check, and after the config or the locations of the monitor changed. */
  latest: LatestObservation | null;
  /**
   * When a check outside of the slots is due, in milliseconds since 1970; null if none is. Only for remote locations: this
   * server has `nextCheckAt`.
   */
  recheckAt: number | null;
}

/** The observation of the latest check from a location. */
export interface LatestObservation {
  status: Status;
  /** When the check ended, in milliseconds since 1970. */
  at: number;
  latencyMs: number | null;
  reason?: string;
  message?: string;
  /** When the first check after the latest gap ended (`isAfterGap`), in milliseconds since 1970; missing if there was none. */
  resumedAt?: number;
  /** The level (`levelOf`) that the latest late check of the location saw; missing if there was none. */
  late?: number;
  /** On the present side of the boundary between healthy and warning. */
  trouble: Run;
  /** On the present side of the boundary between warning and down. */
  down: Run;
}

/** How many checks in a row saw the same side of a boundary, and when the first of them ended. */
export interface Run {
  checks: number;
  since: number;
}

/**
 * The latest observation of a location, if it is of the present config and the present locations.
 *
 * @param state nothing before the first check
 */
export function currentLatest(
  state: PlaceState | undefined,
  { since }: Pick<Places, "since">,
): LatestObservation | null {
  const latest = state?.latest ?? null;
  return latest && latest.at >= since ? latest : null;
}

/**
 * The latest observation of a location after a check.
 *
 * @param before the current one
 * @property since of the `Places`. The clock of a probe may be some milliseconds behind, but it knew the present config
 * @property longest milliseconds between two checks without a gap: see `freshFor`
 */
export function latestAfter(
  before: LatestObservation | null,
  { status, latencyMs, detail, createdAt }: NewResult,
  { since, longest }: { since: number; longest: number },
): LatestObservation {
  const at = Math.max(createdAt, since);
  const resumedAt = before && at - before.at > longest ? at : before?.resumedAt;
  const runAfter = (boundary: Boundary): Run => {
    const previous = before && runAt(before, boundary);
    const isContinued = before !== null && isBeyond(before.status, boundary) === isBeyond(status, boundary);
    return isContinued && previous
      ? { checks: previous.checks + 1, since: previous.since }
      : { checks: 1, since: at };
  };
  const late = before?.late;
  const kept = { ...(resumedAt !== undefined && { resumedAt }), ...(late !== undefined && { late }) };
  const seen = { ...seenOf(status, detail), at, latencyMs, ...kept };
  return { ...seen, trouble: runAfter(1), down: runAfter(2) };
}

/**
 * Whether a location has checked again for a short time only. Before that, probably this server did not run: a probe may
 * take this long until it sends again.
 *
 * @param now when the latest check was received
 */
export function isAfterGap({ at, resumedAt }: LatestObservation, now: number): boolean {
  return resumedAt !== undefined && (resumedAt === at || now < resumedAt + SENT_AGAIN_AFTER);
}

/** The longest pause of a probe between two attempts, and a few seconds to answer; milliseconds. */
const SENT_AGAIN_AFTER = 40_000;

/** The boundary below a level (`levelOf`): 1 is between healthy and warning, 2 between warning and down. */
export type Boundary = 1 | 2;

/** The checks in a row on the present side of a boundary. */
export function runAt({ trouble, down }: LatestObservation, boundary: Boundary): Run {
  return boundary === 1 ? trouble : down;
}

function isBeyond(status: Status, boundary: Boundary): boolean {
  return levelOf[status] >= boundary;
}

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
    throw fault("overLocations", { field: "downWhen", count, got: downWhen });
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
