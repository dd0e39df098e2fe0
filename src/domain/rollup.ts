import { addLatency, type LatencySums, mergeLatencies, noLatency, toTenths } from "./latency-sums.ts";
import type { Status } from "./status.ts";
import { isBad, type StatusCounts } from "./uptime.ts";

/** What the results of one monitor in an hour or a day come to. Latencies are of successful checks only. */
export interface Rollup {
  counts: StatusCounts;
  latency: LatencySums;
  /** Whole tenths of a millisecond, like the sums; null where there is no latency. */
  shortest: number | null;
  longest: number | null;
}

export const emptyRollup: Rollup = { counts: {}, latency: noLatency, shortest: null, longest: null };

const HOUR = 60 * 60 * 1000;

/** The beginning of the hour of a moment; both in milliseconds since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR;
}

/** The beginning of the day (UTC) of a moment; both in milliseconds since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / (24 * HOUR)) * 24 * HOUR;
}

/** Adds one result. @param latencyMs milliseconds, or null where none was measured */
export function addToRollup(rollup: Rollup, status: Status, latencyMs: number | null): Rollup {
  return mergeRollups(rollup, rollupOf(status, isBad(status) ? null : latencyMs));
}

export function mergeRollups(one: Rollup, other: Rollup): Rollup {
  return {
    counts: mergeCounts(one.counts, other.counts),
    latency: mergeLatencies(one.latency, other.latency),
    shortest: extreme(Math.min, one.shortest, other.shortest),
    longest: extreme(Math.max, one.longest, other.longest),
  };
}

export function mergeCounts(one: StatusCounts, other: StatusCounts): StatusCounts {
  const merged = { ...one };
  for (const status of Object.keys(other) as Status[]) {
    merged[status] = (merged[status] ?? 0) + (other[status] ?? 0);
  }
  return merged;
}

function rollupOf(status: Status, latencyMs: number | null): Rollup {
  const counts = { [status]: 1 };
  if (latencyMs === null) return { ...emptyRollup, counts };
  const tenths = toTenths(latencyMs);
  return { counts, latency: addLatency(noLatency, latencyMs), shortest: tenths, longest: tenths };
}

function extreme(
  choose: (one: number, other: number) => number,
  one: number | null,
  other: number | null,
): number | null {
  if (one === null || other === null) return one ?? other;
  return choose(one, other);
}
