import type { AlertOutcome } from "../alerts/delivery.ts";
import type { Detail } from "../checks/observation.ts";
import { DAY, HOUR, MINUTE } from "../duration.ts";
import { MONITOR_TYPES } from "../monitors/kinds/kinds.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { bySeverity, RESULT_STATUSES, type Status } from "../monitors/status.ts";
import { oneOf } from "../schemas/schema.ts";
import { RANGES, type ReportRange, rangeLength } from "./range.ts";
import type { StatusCount } from "./uptime.ts";

/** The lengths of buckets, in milliseconds. A bucket begins at a whole multiple of its length, in UTC (behavior 6.4). */
const LENGTHS = [MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY];

/** A history has the shortest buckets with which it has at most so many. */
const MAX_BUCKETS = 90;

/** The length of the buckets of a stretch of time. Both are milliseconds. */
export function bucketLength(stretch: number): number {
  return LENGTHS.find((length) => stretch / length <= MAX_BUCKETS) ?? DAY;
}

/** One part of a history. @property start milliseconds since 1970; a bucket ends when the next one begins */
export interface Bucket {
  start: number;
  /** `Nov 21, 14:00` if it is shorter than a day, otherwise `Nov 21`. */
  label: string;
}

export interface HistoryItem {
  status: Status;
  label: string;
}

/** The buckets of a range, oldest first; the last one contains `now`. All monitors share them. */
export function bucketsOf(range: ReportRange, now: number): Bucket[] {
  const length = bucketLength(rangeLength(range));
  const end = Math.floor(now / length) * length + length;
  return bucketsBetween(end - rangeLength(range), end);
}

/** The buckets of a stretch of time, oldest first. Both times are milliseconds since 1970, and `until` is exclusive. */
export function bucketsBetween(since: number, until: number): Bucket[] {
  const length = bucketLength(until - since);
  const first = Math.floor(since / length) * length;
  return Array.from({ length: Math.ceil((until - first) / length) }, (_, index) => {
    const start = first + index * length;
    return { start, label: bucketLabel(start, length) };
  });
}

/** The statuses of each bucket: bit N is set if a result had the status at position N of `RESULT_STATUSES`. */
type StatusesByBucket = Uint32Array;

const bits = new Map<Status, number>(RESULT_STATUSES.map((status, position) => [status, 1 << position]));

/**
 * Sorts the statuses of rollups into buckets.
 *
 * @param counts hourly rollups, or daily ones if the buckets are days; rollups outside of the buckets are ignored
 * @param known statuses that these buckets are known to have already
 */
export function seenIn(
  buckets: Bucket[],
  counts: Iterable<Pick<StatusCount, "start" | "status">>,
  known?: StatusesByBucket,
): StatusesByBucket {
  const all = known?.slice() ?? new Uint32Array(buckets.length);
  const [first, second] = buckets;
  if (!first || !second) return all;
  const length = second.start - first.start;
  for (const { start, status } of counts) {
    const index = Math.floor((start - first.start) / length);
    // A typed array ignores a write outside of its bounds.
    all[index] = (all[index] ?? 0) | (bits.get(status) ?? 0);
  }
  return all;
}

/**
 * The statuses of the results of each bucket. A bucket without a result has the status of the latest result before it, if that is not
 * too old: a monitor keeps its status until the next check (behavior 16.232).
 *
 * @param results in the order of their times, some of them before the first bucket @param keptFor milliseconds
 */
export function seenInResults(
  buckets: Bucket[],
  results: readonly { createdAt: number; status: Status }[],
  keptFor: number,
): StatusesByBucket {
  let next = 0;
  return Uint32Array.from(buckets, ({ start }, index) => {
    const end = buckets[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    let seen = 0;
    for (; next < results.length && (results[next]?.createdAt ?? 0) < end; next++) {
      const { createdAt = 0, status = "unknown" } = results[next] ?? {};
      if (createdAt >= start) seen |= bits.get(status) ?? 0;
    }
    if (seen !== 0) return seen;
    const latest = results[next - 1];
    return latest && start - latest.createdAt <= keptFor ? (bits.get(latest.status) ?? 0) : 0;
  });
}

/** The worst status of each bucket, `unknown` for a bucket without results (behavior 6.5). */
export function history(buckets: Bucket[], type: MonitorType, seen: StatusesByBucket): HistoryItem[] {
  return buckets.map(({ label }, index) => ({ status: worstInSet(type, seen[index] ?? 0), label }));
}

/** The worst of some statuses of a type; `unknown` if there is none. */
export function worstOf(type: MonitorType, statuses: readonly Status[]): Status {
  return bySeverity[type].find((status) => statuses.includes(status)) ?? "unknown";
}

/** The worst status of each set of bits that occurred, because a list of monitors needs it for each bucket. */
const worstBySet = new Map(MONITOR_TYPES.map((type) => [type, new Map<number, Status>()]));

function worstInSet(type: MonitorType, set: number): Status {
  const known = worstBySet.get(type);
  const found = known?.get(set);
  if (found) return found;
  const statuses = RESULT_STATUSES.filter((_, position) => set & (1 << position));
  const worst = worstOf(type, statuses);
  known?.set(set, worst);
  return worst;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function bucketLabel(start: number, length: number): string {
  const time = new Date(start);
  const day = `${MONTHS[time.getUTCMonth()]} ${time.getUTCDate()}`;
  return length < DAY ? `${day}, ${time.toISOString().slice(11, 16)}` : day;
}

/* Apart from range.ts, because TypeBox must stay out of the first script of the page. */

export const RangeSchema = oneOf(RANGES);

/** A recorded check, check-in or missed run (behavior 7.44). */
export interface CheckResult {
  id: string;
  monitorId: string;
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  alertOutcome: AlertOutcome | null;
  createdAt: number;
}

/** A result with a summary of its monitor (behavior 7.47). */
export interface ResultEvent extends CheckResult {
  monitor: { id: string; name: string; type: MonitorType };
  /** Only in a list of changes of the status. */
  previousStatus?: Status;
}
