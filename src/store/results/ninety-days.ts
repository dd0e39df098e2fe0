import { type Bucket, bucketsOf, seenIn } from "../../domain/results/history.ts";
import { rangeStart } from "../../domain/results/range.ts";
import { dayOf, hourOf, type Stretch } from "../../domain/results/rollup.ts";
import { type StatusCount, type StatusCounts, sumByStatus } from "../../domain/results/uptime.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The results of a monitor in the trailing 90 days. */
export interface NinetyDays {
  /** The results of each status. The 90 days begin within a day, whose remaining hours come from hourly rollups. */
  counts: StatusCounts;
  /** The statuses of each day, oldest first and today last; see `seenIn`. */
  seen: Uint32Array;
}

/** The rollups from which the trailing 90 days are computed. */
export interface NinetyDaysPlan {
  buckets: Bucket[];
  /** The hourly rollups of the first day. */
  hours: Required<Stretch>;
  /** The daily rollups before yesterday, which rarely change. */
  days: Required<Stretch>;
}

/** @param now milliseconds since 1970 */
export function planNinetyDays(now: number): NinetyDaysPlan {
  const since = hourOf(rangeStart("90d", now));
  const nextDay = dayOf(since) + DAY;
  return {
    buckets: bucketsOf("90d", now),
    hours: { since, until: nextDay },
    days: { since: nextDay, until: dayOf(now) - DAY },
  };
}

/** The days before yesterday. */
export function settledDays(
  { buckets }: NinetyDaysPlan,
  { hours, days }: { hours: StatusCount[]; days: StatusCount[] },
): NinetyDays {
  return { counts: sumByStatus(days, sumByStatus(hours)), seen: seenIn(buckets, days) };
}

/** @param latest the rollups of yesterday and today */
export function withLatestDays(
  { buckets }: NinetyDaysPlan,
  settled: NinetyDays | undefined,
  latest: StatusCount[],
): NinetyDays {
  return { counts: sumByStatus(latest, settled?.counts), seen: seenIn(buckets, latest, settled?.seen) };
}
