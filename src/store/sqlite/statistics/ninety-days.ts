import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import type { StatusCount } from "../../../domain/results/uptime.ts";
import { type NinetyDays, planNinetyDays, settledDays, withLatestDays } from "../../results/ninety-days.ts";
import type { Database } from "../open.ts";
import { rollupCacheOf } from "./rollup-cache.ts";
import { listCounts, listCountsOf } from "./rollups.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Returns the value of a monitor by its internal number. Values are valid until the next write. */
export type ByMonitor<Value> = (monitorPk: number) => Value;

/** A reader of the trailing 90 days for batches of monitors. The days before yesterday are read once an hour. */
export function ninetyDaysReader(db: Database, now: number): (monitorPks: number[]) => ByMonitor<NinetyDays> {
  const plan = planNinetyDays(now);
  const stretch = { since: plan.hours.since, until: plan.days.until };

  function readSettled(monitorPks: number[]): Map<number, NinetyDays> {
    const hours = listCounts(db, "hourly", monitorPks, plan.hours);
    const days = listCounts(db, "daily", monitorPks, plan.days);
    return new Map(
      monitorPks.map((pk) => [
        pk,
        settledDays(plan, { hours: hours.get(pk) ?? [], days: days.get(pk) ?? [] }),
      ]),
    );
  }

  return (monitorPks) => {
    const settled = rollupCacheOf(db).get({ subject: "90 days", stretch, monitorPks }, readSettled);
    const latest = listCounts(db, "daily", monitorPks, { since: plan.days.until });
    return (pk) => withLatestDays(plan, settled.get(pk), latest.get(pk) ?? []);
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
