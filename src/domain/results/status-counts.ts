import type { MonitorType } from "../monitors/monitor.ts";
import { type Status, statusesOf } from "../monitors/status.ts";
import type { StatusCounts } from "./uptime.ts";

/** How many results of a stretch of time have each status: the first counts those with the first of `statusesOf`. */
export interface RollupCounts {
  /** Milliseconds since 1970. */
  start: number;
  count0: number;
  count1: number;
  count2: number;
  count3: number;
}

/** The sum of some tallies, by status. */
export function countsOf(type: MonitorType, tallies: Iterable<RollupCounts>): StatusCounts {
  const sums = [0, 0, 0, 0];
  for (const tally of tallies) {
    sums[0] = (sums[0] ?? 0) + tally.count0;
    sums[1] = (sums[1] ?? 0) + tally.count1;
    sums[2] = (sums[2] ?? 0) + tally.count2;
    sums[3] = (sums[3] ?? 0) + tally.count3;
  }
  return Object.fromEntries(statusesOf[type].map((status, at) => [status, sums[at] ?? 0]));
}

/** What some tallies come to; it has the start of the first, or 0. */
export function sum(tallies: readonly RollupCounts[]): RollupCounts {
  const all = { start: tallies[0]?.start ?? 0, count0: 0, count1: 0, count2: 0, count3: 0 };
  for (const { count0, count1, count2, count3 } of tallies) {
    all.count0 += count0;
    all.count1 += count1;
    all.count2 += count2;
    all.count3 += count3;
  }
  return all;
}

/** Which statuses occurred in a stretch of time. */
export interface SeenStatuses {
  /** Milliseconds since 1970. */
  start: number;
  /** One for each: the lowest for the first of `statusesOf`. */
  bits: number;
}

export function seenStatuses({ start, count0, count1, count2, count3 }: RollupCounts): SeenStatuses {
  const bits = +(count0 > 0) | (+(count1 > 0) << 1) | (+(count2 > 0) << 2) | (+(count3 > 0) << 3);
  return { start, bits };
}

/** The statuses behind such bits. */
export function statusesIn(type: MonitorType, bits: number): Status[] {
  return statusesOf[type].filter((_, at) => bits & (1 << at));
}
