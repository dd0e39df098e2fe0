import { type LatencySums, noLatency } from "../checks/latency-baseline.ts";
import { joinRollups, type Rollup } from "./rollup.ts";

/**
 * The latest results of a monitor that only this server checks, if they count, are of the same hour and have the same status. They
 * are stored with the state of the monitor, so that a check that changes nothing writes one row. They are not in the rollups
 * before they are folded into them. Then the rollups may already have the same hour and status: readers add both.
 */
export type OpenHour = Rollup;

/** @property folded what is added to the rollups now, in this order */
export interface OpenHourStep {
  open: OpenHour | null;
  folded: readonly Rollup[];
}

const NOTHING: readonly Rollup[] = [];

/** Adds a result. Another hour or status, and a result that does not count, fold what was open. @param added its rollup */
export function addToOpenHour(open: OpenHour | null, added: Rollup): OpenHourStep {
  if (added.count === 0) return { open: null, folded: open ? [open, added] : [added] };
  if (!open) return { open: added, folded: NOTHING };
  if (open.hour !== added.hour || open.status !== added.status) return { open: added, folded: [open] };
  return { open: joinRollups(open, added), folded: NOTHING };
}

/**
 * The latencies of an open hour that are in the baseline of its monitor. They are not in the stored baseline, which is written
 * with the rollups. Only HTTP and TCP monitors have a baseline, and only they have these statuses.
 */
export function openLatencies(open: OpenHour | null): LatencySums {
  if (!open || (open.status !== "up" && open.status !== "degraded")) return noLatency;
  return { count: open.latencyCount, sum: open.latencySum, sumOfSquares: open.latencySquares };
}
