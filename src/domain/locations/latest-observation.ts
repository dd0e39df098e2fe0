import { seenOf } from "../monitors/confirmation.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { levelOf, type Status } from "../monitors/status.ts";
import type { LatestObservation, PlaceState, Places, Run } from "./place.ts";

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
 * @param since that of the places. The clock of a probe may be some milliseconds behind, but it knew the present config
 */
export function latestAfter(
  before: LatestObservation | null,
  { status, latencyMs, detail, createdAt }: NewResult,
  since: number,
): LatestObservation {
  const at = Math.max(createdAt, since);
  const runAfter = (boundary: Boundary): Run => {
    const previous = before && runAt(before, boundary);
    const isContinued = before !== null && isBeyond(before.status, boundary) === isBeyond(status, boundary);
    return isContinued && previous
      ? { checks: previous.checks + 1, since: previous.since }
      : { checks: 1, since: at };
  };
  return { ...seenOf(status, detail), at, latencyMs, trouble: runAfter(1), down: runAfter(2) };
}

/** The boundary below a level (`levelOf`): 1 is between healthy and warning, 2 between warning and down. */
export type Boundary = 1 | 2;

/** The checks in a row on the present side of a boundary. */
export function runAt({ trouble, down }: LatestObservation, boundary: Boundary): Run {
  return boundary === 1 ? trouble : down;
}

function isBeyond(status: Status, boundary: Boundary): boolean {
  return levelOf(status) >= boundary;
}
