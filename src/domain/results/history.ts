import type { MonitorType } from "../monitors/monitor.ts";
import { bySeverity, type Status, statusesOf } from "../monitors/status.ts";
import type { Range } from "./range.ts";
import { type SeenStatuses, statusesIn } from "./status-counts.ts";

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

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

/**
 * The statuses of each bucket: bit N is set if a result had the status at position N of `statusesOf`. One byte has room
 * for eight statuses per type.
 */
export type StatusesByBucket = Uint8Array;

/**
 * Sorts the statuses of rollups into buckets.
 *
 * @param seen hourly rollups, or daily ones if the buckets are days; rollups outside of the buckets are ignored
 * @param known statuses that these buckets are known to have already
 */
export function seenIn(
  buckets: Bucket[],
  seen: Iterable<SeenStatuses>,
  known?: StatusesByBucket,
): StatusesByBucket {
  const all = known?.slice() ?? new Uint8Array(buckets.length);
  const [first, second] = buckets;
  if (!first || !second) return all;
  const length = second.start - first.start;
  for (const { start, bits } of seen) {
    const index = Math.floor((start - first.start) / length);
    // A typed array ignores a write outside of its bounds.
    all[index] = (all[index] ?? 0) | bits;
  }
  return all;
}

/** The worst status of each bucket, `unknown` for a bucket without results (behavior 6.5). */
export function history(buckets: Bucket[], type: MonitorType, seen: StatusesByBucket): HistoryItem[] {
  const worst = worstByBits[type];
  return buckets.map(({ label }, index) => ({ status: worst[seen[index] ?? 0] ?? "unknown", label }));
}

/** The worst of some statuses of a type; `unknown` if there is none. */
export function worstOf(type: MonitorType, statuses: readonly Status[]): Status {
  return bySeverity(type).find((status) => statuses.includes(status)) ?? "unknown";
}

/** The worst status for each set of bits, precomputed because a list of monitors needs it for each bucket. */
const worstByBits: Record<MonitorType, Status[]> = {
  HTTP: worstOfEachSet("HTTP"),
  TCP: worstOfEachSet("TCP"),
  TLS: worstOfEachSet("TLS"),
  DNS: worstOfEachSet("DNS"),
  SCHEDULED: worstOfEachSet("SCHEDULED"),
};

function worstOfEachSet(type: MonitorType): Status[] {
  return Array.from({ length: 2 ** statusesOf[type].length }, (_, bits) =>
    worstOf(type, statusesIn(type, bits)),
  );
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function bucketLabel(start: number, length: number): string {
  const time = new Date(start);
  const day = `${MONTHS[time.getUTCMonth()]} ${time.getUTCDate()}`;
  return length < DAY ? `${day}, ${String(time.getUTCHours()).padStart(2, "0")}:00` : day;
}
