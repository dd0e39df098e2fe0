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
 * @property since that of the places. The clock of a probe may be some milliseconds behind, but it knew the present config
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
  const seen = { ...seenOf(status, detail), at, latencyMs, ...(resumedAt !== undefined && { resumedAt }) };
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
  return levelOf(status) >= boundary;
}
