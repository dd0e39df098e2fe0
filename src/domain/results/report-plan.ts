import { DAY, HOUR, MINUTE, SECOND } from "../duration.ts";
import { type Bucket, bucketLength, bucketsBetween, bucketsOf } from "./history.ts";
import { type ReportRange, rangeLength } from "./range.ts";
import type { Stretch } from "./rollup.ts";

/** The rows that a part of a report is made of. */
export type ReportSource = "results" | "hourly" | "daily";

/** A range up to now, or a stretch of time in milliseconds since 1970. */
export type ReportWish = { range: ReportRange } | { since: number; until: number };

/** How the history and the latencies of a report are made (behavior 16.231). Times are milliseconds since 1970. */
export interface ReportPlan {
  /** The time of the latencies. */
  stretch: Required<Stretch>;
  /** The buckets of the history. */
  buckets: Bucket[];
  history: ReportSource;
  latencies: ReportSource;
  /** Milliseconds from one point of the latencies to the next one. */
  step: number;
  /** Whether the points have the phases of their checks. */
  hasPhases: boolean;
}

/** The longest stretches of each resolution. A day may have 25 hours. Lengths and steps are milliseconds. */
const RESOLUTIONS: (Resolution & { upTo: number })[] = [
  { upTo: HOUR, step: 5 * SECOND, latencies: "results", hasPhases: true },
  { upTo: 6 * HOUR, step: 30 * SECOND, latencies: "results", hasPhases: true },
  { upTo: 25 * HOUR, step: 10 * MINUTE, latencies: "results" },
  { upTo: 31 * DAY, step: HOUR, latencies: "hourly" },
];
const DAYS: Resolution = { step: DAY, latencies: "daily" };

type Resolution = Pick<ReportPlan, "step" | "latencies"> & { hasPhases?: true };

/** Plans the report of a range or of a stretch of time. @param now milliseconds since 1970 */
export function planReport(wish: ReportWish, now: number): ReportPlan {
  const isRange = "range" in wish;
  const length = isRange ? rangeLength(wish.range) : wish.until - wish.since;
  const { hasPhases = false, step, latencies } = RESOLUTIONS.find(({ upTo }) => length <= upTo) ?? DAYS;
  return {
    stretch: isRange ? { since: now - length, until: now + 1 } : wish,
    buckets: isRange ? bucketsOf(wish.range, now) : bucketsBetween(wish.since, wish.until),
    history: sourceOf(bucketLength(length)),
    latencies,
    step,
    hasPhases,
  };
}

function sourceOf(bucket: number): ReportSource {
  if (bucket < HOUR) return "results";
  return bucket < DAY ? "hourly" : "daily";
}
