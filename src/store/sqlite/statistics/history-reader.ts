import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import {
  type Bucket,
  bucketsOf,
  type HistoryItem,
  history,
  seenIn,
} from "../../../domain/results/history.ts";
import type { Range } from "../../../domain/results/range.ts";
import { hourOf } from "../../../domain/results/rollup.ts";
import type { NinetyDays } from "../../results/ninety-days.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import type { Database } from "../open.ts";
import { type ByMonitor, ninetyDaysReader } from "./ninety-days.ts";
import { rollupCacheOf } from "./rollup-cache.ts";
import { listCounts, listCountsOf } from "./rollups.ts";

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

/** The history of one monitor, without the cache. */
export function findHistory(
  db: Database,
  { pk, type }: { pk: number; type: MonitorType },
  range: Range,
  now: number,
): HistoryItem[] {
  const buckets = bucketsOf(range, now);
  const counts = listCountsOf(db, unitOf(range), pk, { since: buckets[0]?.start ?? now });
  return history(buckets, type, seenIn(buckets, counts));
}

function unitOf(range: Range): RollupUnit {
  return range === "1d" || range === "7d" ? "hourly" : "daily";
}
