import type { Status } from "../monitors/status.ts";

/** How many results there are of each status; none counts as 0. */
export type StatusCounts = Partial<Record<Status, number>>;

/** What takes away from the uptime (decisions 4). */
const bad: ReadonlySet<string> = new Set(["down", "failed", "havent_heard", "expired", "no_cert", "missing"]);

export function isBad(status: Status): boolean {
  return bad.has(status);
}

/**
 * The share of good results, as `99.97%`: two decimals, rounded down, so that `100.00%` means no bad result. Null where
 * there is no result.
 */
export function uptime(counts: StatusCounts): string | null {
  const { good, all } = tally(counts);
  if (all === 0) return null;
  // In whole hundredths of a percent: 0.29 * 100 is less than 29.
  const share = good * 10_000;
  const hundredths = (share - (share % all)) / all;
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}%`;
}

function tally(counts: StatusCounts): { good: number; all: number } {
  const sums = { good: 0, all: 0 };
  for (const [status, count] of Object.entries(counts)) {
    sums.all += count;
    if (!bad.has(status)) sums.good += count;
  }
  return sums;
}
