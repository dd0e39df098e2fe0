import { bucketsOf, seenIn } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { type StatusCount, sumByStatus } from "../../../domain/results/status-counts.ts";
import type { StatusCounts } from "../../../domain/results/uptime.ts";
import type { Database } from "../open.ts";
import { rollupCacheOf } from "./rollup-cache.ts";
import { listCounts, listCountsOf } from "./rollups.ts";

const DAY = 24 * 60 * 60 * 1000;

/** By the monitor's inner number; valid until the next write. */
export type ByMonitor<Value> = (monitorPk: number) => Value;

export interface NinetyDays {
  /** Of all results. The 90 days begin within a day: its later hours are counted one by one. */
  counts: StatusCounts;
  /** The statuses of each day, oldest first and today last; see `seenIn`. */
  seen: Uint32Array;
}

/** Reads the trailing 90 days of some monitors at a time. What is older than yesterday is read once an hour. */
export function ninetyDaysReader(db: Database, now: number): (monitorPks: number[]) => ByMonitor<NinetyDays> {
  const buckets = bucketsOf("90d", now);
  const since = hourOf(rangeStart("90d", now));
  const nextDay = dayOf(since) + DAY;
  const yesterday = dayOf(now) - DAY;
  const stretch = { since, until: yesterday };

  function readSettled(monitorPks: number[]): Map<number, NinetyDays> {
    const hours = listCounts(db, "hourly", monitorPks, { since, until: nextDay });
    const days = listCounts(db, "daily", monitorPks, { since: nextDay, until: yesterday });
    return new Map(
      monitorPks.map((pk) => {
        const ofDays = days.get(pk) ?? [];
        const counts = sumByStatus(ofDays, sumByStatus(hours.get(pk) ?? []));
        return [pk, { counts, seen: seenIn(buckets, ofDays) }];
      }),
    );
  }

  return (monitorPks) => {
    const settled = rollupCacheOf(db).get({ subject: "90 days", stretch, monitorPks }, readSettled);
    const latest = listCounts(db, "daily", monitorPks, { since: yesterday });
    return (pk) => {
      const [known, added] = [settled.get(pk), latest.get(pk) ?? []];
      return { counts: sumByStatus(added, known?.counts), seen: seenIn(buckets, added, known?.seen) };
    };
  };
}

/** The counts of one monitor over a range, not cached: by the hour on the first day, then by the day. */
export function listCountsIn(db: Database, monitorPk: number, range: Range, now: number): StatusCount[] {
  const since = hourOf(rangeStart(range, now));
  const nextDay = dayOf(since) + DAY;
  return [
    ...listCountsOf(db, "hourly", monitorPk, { since, until: nextDay }),
    ...listCountsOf(db, "daily", monitorPk, { since: nextDay }),
  ];
}
