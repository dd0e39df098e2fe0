import { bucketsOf, seenIn } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { type StatusCount, sumByStatus } from "../../../domain/results/status-counts.ts";
import type { StatusCounts } from "../../../domain/results/uptime.ts";
import type { Database } from "../open.ts";
import { rollupCacheOf } from "./rollup-cache.ts";
import { listCounts, listCountsOf } from "./rollups.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Returns the value of a monitor by its internal number. Values are valid until the next write. */
export type ByMonitor<Value> = (monitorPk: number) => Value;

export interface NinetyDays {
  /** The results of each status. The 90 days begin within a day, whose remaining hours come from hourly rollups. */
  counts: StatusCounts;
  /** The statuses of each day, oldest first and today last; see `seenIn`. */
  seen: Uint32Array;
}

/** A reader of the trailing 90 days for batches of monitors. The days before yesterday are read once an hour. */
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
      const [older, added] = [settled.get(pk), latest.get(pk) ?? []];
      return { counts: sumByStatus(added, older?.counts), seen: seenIn(buckets, added, older?.seen) };
    };
  };
}

/** The counts of one monitor over a range, without the cache: by the hour on the first day, then by the day. */
export function listCountsIn(db: Database, monitorPk: number, range: Range, now: number): StatusCount[] {
  const since = hourOf(rangeStart(range, now));
  const nextDay = dayOf(since) + DAY;
  return [
    ...listCountsOf(db, "hourly", monitorPk, { since, until: nextDay }),
    ...listCountsOf(db, "daily", monitorPk, { since: nextDay }),
  ];
}
