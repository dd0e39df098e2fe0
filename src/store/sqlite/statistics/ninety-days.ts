import { bucketsOf, seenIn } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { type RollupCounts, seenStatuses, sum } from "../../../domain/results/status-counts.ts";
import type { Database } from "../open.ts";
import { cachedByMonitor } from "./rollup-cache.ts";
import { listTallies, listTalliesOf } from "./rollups.ts";

const DAY = 24 * 60 * 60 * 1000;

/** By the monitor's inner number; good until the next write. */
export type OfMonitor<What> = (monitorPk: number) => What;

export interface NinetyDays {
  /** Of all results. The 90 days begin within a day, whose later hours are counted one by one. */
  tally: RollupCounts;
  /** Which statuses each day had, oldest first and today last; see `seenIn`. */
  seen: Uint8Array;
}

/** What reads the trailing 90 days of some monitors at a time. What lies before yesterday is read once an hour. */
export function ninetyDaysReader(db: Database, now: number): (monitorPks: number[]) => OfMonitor<NinetyDays> {
  const buckets = bucketsOf("90d", now);
  const since = hourOf(rangeStart("90d", now));
  const nextDay = dayOf(since) + DAY;
  const yesterday = dayOf(now) - DAY;
  const stretch = { since, until: yesterday };

  function add(tallies: RollupCounts[], days: RollupCounts[], known?: Uint8Array): NinetyDays {
    return { tally: sum([...tallies, ...days]), seen: seenIn(buckets, days.map(seenStatuses), known) };
  }

  function readSettled(monitorPks: number[]): Map<number, NinetyDays> {
    const hours = listTallies(db, "hourly", monitorPks, { since, until: nextDay });
    const days = listTallies(db, "daily", monitorPks, { since: nextDay, until: yesterday });
    return new Map(monitorPks.map((pk) => [pk, add(hours.get(pk) ?? [], days.get(pk) ?? [])]));
  }

  return (monitorPks) => {
    const before = cachedByMonitor(db, { subject: "90 days", stretch, monitorPks }, readSettled);
    const latest = listTallies(db, "daily", monitorPks, { since: yesterday });
    return (pk) => {
      const known = before.get(pk);
      return add(known ? [known.tally] : [], latest.get(pk) ?? [], known?.seen);
    };
  };
}

/** The tallies of one monitor over a range, not cached: by the hour on its first day, then by the day. */
export function listTalliesIn(db: Database, monitorPk: number, range: Range, now: number): RollupCounts[] {
  const since = hourOf(rangeStart(range, now));
  const nextDay = dayOf(since) + DAY;
  return [
    ...listTalliesOf(db, "hourly", monitorPk, { since, until: nextDay }),
    ...listTalliesOf(db, "daily", monitorPk, { since: nextDay }),
  ];
}
