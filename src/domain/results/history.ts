import type { MonitorType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";
import type { Range } from "./range.ts";
import { type SeenStatuses, statusesIn } from "./status-counts.ts";

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/** How a range is cut into buckets; `length` in milliseconds. All begin at whole multiples of it, in UTC. */
const cuts: Record<Range, { count: number; length: number }> = {
  "1d": { count: 24, length: HOUR },
  "7d": { count: 28, length: 6 * HOUR },
  "30d": { count: 30, length: DAY },
  "90d": { count: 90, length: DAY },
};

/** A stretch of time in a history. @property start milliseconds since 1970; it ends where the next begins */
export interface Bucket {
  start: number;
  /** `Nov 21, 14:00` for hours, `Nov 21` for days. */
  label: string;
}

export interface HistoryItem {
  status: Status;
  label: string;
}

/** The buckets of a range, oldest first; the last holds now. They are the same for all monitors. */
export function bucketsOf(range: Range, now: number): Bucket[] {
  const { count, length } = cuts[range];
  const last = Math.floor(now / length) * length;
  return Array.from({ length: count }, (_, index) => {
    const start = last - (count - 1 - index) * length;
    return { start, label: labelOf(start, length) };
  });
}

/**
 * Which statuses each bucket saw, as the bits of `Seen`.
 *
 * @param seen by hour or, for buckets of a day, by day; what lies outside the buckets is left out
 * @param known what these buckets saw besides
 */
export function seenIn(buckets: Bucket[], seen: Iterable<SeenStatuses>, known?: Uint8Array): Uint8Array {
  const all = known?.slice() ?? new Uint8Array(buckets.length);
  const [first, second] = buckets;
  if (!first || !second) return all;
  const length = second.start - first.start;
  for (const { start, bits } of seen) {
    const index = Math.floor((start - first.start) / length);
    // What lies outside falls outside the array, and is lost there.
    all[index] = (all[index] ?? 0) | bits;
  }
  return all;
}

/** The worst status in each bucket, or `unknown` in one without results. @param seen of each bucket */
export function history(buckets: Bucket[], type: MonitorType, seen: Uint8Array): HistoryItem[] {
  const worst = worstByBits[type];
  return buckets.map(({ label }, index) => ({ status: worst[seen[index] ?? 0] ?? "unknown", label }));
}

/** Worst first (decisions 4). */
const severities = {
  HTTP: ["down", "degraded", "up"],
  TCP: ["down", "degraded", "up"],
  TLS: ["no_cert", "expired", "expiring_soon", "active"],
  DNS: ["missing", "changed", "present"],
  SCHEDULED: ["failed", "havent_heard", "ok"],
} satisfies Record<MonitorType, readonly Status[]>;

/** The worst of some statuses of a type, or `unknown` of none. */
export function worstOf(type: MonitorType, statuses: readonly Status[]): Status {
  return severities[type].find((status) => statuses.includes(status)) ?? "unknown";
}

/** The worst status for each way in which the statuses of a type can come together. */
const worstByBits: Record<MonitorType, Status[]> = {
  HTTP: worstOfAll("HTTP"),
  TCP: worstOfAll("TCP"),
  TLS: worstOfAll("TLS"),
  DNS: worstOfAll("DNS"),
  SCHEDULED: worstOfAll("SCHEDULED"),
};

function worstOfAll(type: MonitorType): Status[] {
  return Array.from({ length: 16 }, (_, bits) => worstOf(type, statusesIn(type, bits)));
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function labelOf(start: number, length: number): string {
  const time = new Date(start);
  const day = `${MONTHS[time.getUTCMonth()]} ${time.getUTCDate()}`;
  return length < DAY ? `${day}, ${String(time.getUTCHours()).padStart(2, "0")}:00` : day;
}
