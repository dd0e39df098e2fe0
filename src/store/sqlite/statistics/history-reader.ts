import { type Bucket, bucketsOf, seenIn } from "../../../domain/results/history.ts";
import type { Range } from "../../../domain/results/range.ts";
import { hourOf } from "../../../domain/results/rollup.ts";
import { type NinetyDays, planNinetyDays, settledDays, withLatestDays } from "../../results/ninety-days.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import { unitOf } from "../../statistics/counts.ts";
import type { Database } from "../open.ts";
import { rollupCacheOf } from "./rollup-cache.ts";
import { listCounts } from "./rollups.ts";

/** A reader of counts and history for batches of monitors. `seen` has one entry for each bucket of the range. */
export function statisticsReader(
  db: Database,
  range: Range,
  now: number,
): (monitorPks: number[]) => ByMonitor<NinetyDays> {
  const read = ninetyDaysReader(db, now);
  const buckets = bucketsOf(range, now);
  if (unitOf(range) === "hourly") {
    const readHours = hoursReader(db, { range, buckets }, now);
    return (monitorPks) => {
      const [daysOf, hoursOf] = [read(monitorPks), readHours(monitorPks)];
      return (pk) => ({ counts: daysOf(pk).counts, seen: hoursOf(pk) });
    };
  }
  return (monitorPks) => {
    const daysOf = read(monitorPks);
    return (pk) => {
      const { counts, seen } = daysOf(pk);
      return { counts, seen: seen.subarray(-buckets.length) };
    };
  };
}

/** Reads the hours before the previous one once an hour, and the later ones each time. */
function hoursReader(
  db: Database,
  { range, buckets }: { range: Range; buckets: Bucket[] },
  now: number,
): (monitorPks: number[]) => ByMonitor<Uint32Array> {
  const until = hourOf(now) - HOUR;
  const stretch = { since: buckets[0]?.start ?? until, until };

  function readSettled(monitorPks: number[]): Map<number, Uint32Array> {
    const hours = listCounts(db, "hourly", monitorPks, stretch);
    return new Map(monitorPks.map((pk) => [pk, seenIn(buckets, hours.get(pk) ?? [])]));
  }

  return (monitorPks) => {
    const settled = rollupCacheOf(db).get({ subject: `seen ${range}`, stretch, monitorPks }, readSettled);
    const latest = listCounts(db, "hourly", monitorPks, { since: until });
    return (pk) => seenIn(buckets, latest.get(pk) ?? [], settled.get(pk));
  };
}

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
