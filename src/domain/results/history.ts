import { DAY, HOUR } from "../duration.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { bySeverity, RESULT_STATUSES, type Status } from "../monitors/status.ts";
import { oneOf } from "../schemas/schema.ts";
import { RANGES, type Range } from "./range.ts";
import type { StatusCount } from "./uptime.ts";

/**
 * The buckets of each range (behavior 6.4); `length` in milliseconds. A bucket begins at a whole multiple of it, in
 * UTC.
 */
const cuts: Record<Range, { count: number; length: number }> = {
  "1d": { count: 24, length: HOUR },
  "7d": { count: 28, length: 6 * HOUR },
  "30d": { count: 30, length: DAY },
  "90d": { count: 90, length: DAY },
};

/** One part of a history. @property start milliseconds since 1970; a bucket ends when the next one begins */
export interface Bucket {
  start: number;
  /** `Nov 21, 14:00` for hours, `Nov 21` for days. */
  label: string;
}

export interface HistoryItem {
  status: Status;
  label: string;
}

/** The buckets of a range, oldest first; the last one contains `now`. All monitors share them. */
export function bucketsOf(range: Range, now: number): Bucket[] {
  const { count, length } = cuts[range];
  const last = Math.floor(now / length) * length;
  return Array.from({ length: count }, (_, index) => {
    const start = last - (count - 1 - index) * length;
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

/** The worst status of each bucket, `unknown` for a bucket without results (behavior 6.5). */
export function history(buckets: Bucket[], type: MonitorType, seen: StatusesByBucket): HistoryItem[] {
  return buckets.map(({ label }, index) => ({ status: worstInSet(type, seen[index] ?? 0), label }));
}

/** The worst of some statuses of a type; `unknown` if there is none. */
export function worstOf(type: MonitorType, statuses: readonly Status[]): Status {
  return bySeverity(type).find((status) => statuses.includes(status)) ?? "unknown";
}

/** The worst status of each set of bits that occurred, because a list of monitors needs it for each bucket. */
const worstBySet: Record<MonitorType, Map<number, Status>> = {
  HTTP: new Map(),
  TCP: new Map(),
  TLS: new Map(),
  DNS: new Map(),
  SCHEDULED: new Map(),
};

function worstInSet(type: MonitorType, set: number): Status {
  const known = worstBySet[type].get(set);
  if (known) return known;
  const statuses = RESULT_STATUSES.filter((_, position) => set & (1 << position));
  const worst = worstOf(type, statuses);
  worstBySet[type].set(set, worst);
  return worst;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function bucketLabel(start: number, length: number): string {
  const time = new Date(start);
  const day = `${MONTHS[time.getUTCMonth()]} ${time.getUTCDate()}`;
  return length < DAY ? `${day}, ${String(time.getUTCHours()).padStart(2, "0")}:00` : day;
}

/* Apart from range.ts, because TypeBox must stay out of the first script of the page. */

export const RangeSchema = oneOf(RANGES);
