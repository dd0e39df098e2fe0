import { countsAsDown, type Status } from "../monitors/status.ts";

/** The number of results with each status; a missing status counts as 0. */
export type StatusCounts = Partial<Record<Status, number>>;

/**
 * The share of good results, as `99.97%`: two decimals, rounded down, so that `100.00%` means no bad result
 * (behavior 6.2). Null without results.
 */
export function uptime(counts: StatusCounts): string | null {
  const { good, all } = sumUp(counts);
  return all === 0 ? null : percentage(good, all);
}

/** A share as `99.97%`, rounded down (behavior 6.2). Both are whole numbers. */
export function percentage(part: number, all: number): string {
  if (part === all) return "100.00%";
  // In whole hundredths of a percent, because floating point is not exact: 0.29 * 100 is less than 29.
  const hundredths = Number((BigInt(part) * 10_000n) / BigInt(all));
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}%`;
}

function sumUp(counts: StatusCounts): { good: number; all: number } {
  const sums = { good: 0, all: 0 };
  for (const [status, count] of Object.entries(counts) as [Status, number][]) {
    sums.all += count;
    if (!countsAsDown[status]) sums.good += count;
  }
  return sums;
}

/** How many results of a stretch of time have one status. */
export interface StatusCount {
  /** Milliseconds since 1970. */
  start: number;
  status: Status;
  count: number;
}

/** Adds up the results by status. @param before the counts of other stretches, to which these are added */
export function sumByStatus(counts: Iterable<StatusCount>, before: StatusCounts = {}): StatusCounts {
  const sums = { ...before };
  for (const { status, count } of counts) sums[status] = (sums[status] ?? 0) + count;
  return sums;
}
