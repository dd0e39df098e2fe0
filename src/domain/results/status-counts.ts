import type { Status } from "../monitors/status.ts";
import type { StatusCounts } from "./uptime.ts";

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
