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
import { seenStatuses } from "../../../domain/results/status-counts.ts";
import type { Database } from "../open.ts";
import { type NinetyDays, ninetyDaysReader, type OfMonitor } from "./ninety-days.ts";
import { cachedByMonitor } from "./rollup-cache.ts";
import { listTallies, listTalliesOf } from "./rollups.ts";

const HOUR = 60 * 60 * 1000;

/** What reads the past of some monitors at a time; its `seen` is of the buckets of the range. */
export function statisticsReader(
  db: Database,
  range: Range,
  now: number,
): (monitorPks: number[]) => OfMonitor<NinetyDays> {
  const read = ninetyDaysReader(db, now);
  const buckets = bucketsOf(range, now);
  if (unitOf(range) === "hourly") {
    const readHours = hoursReader(db, { range, buckets }, now);
    return (monitorPks) => {
      const [daysOf, hoursOf] = [read(monitorPks), readHours(monitorPks)];
      return (pk) => ({ tally: daysOf(pk).tally, seen: hoursOf(pk) });
    };
  }
  return (monitorPks) => {
    const daysOf = read(monitorPks);
    return (pk) => {
      const { tally, seen } = daysOf(pk);
      return { tally, seen: seen.subarray(-buckets.length) };
    };
  };
}

/** What lies before the last hour is read once an hour. */
function hoursReader(
  db: Database,
  { range, buckets }: { range: Range; buckets: Bucket[] },
  now: number,
): (monitorPks: number[]) => OfMonitor<Uint8Array> {
  const until = hourOf(now) - HOUR;
  const stretch = { since: buckets[0]?.start ?? until, until };

  function readSettled(monitorPks: number[]): Map<number, Uint8Array> {
    const hours = listTallies(db, "hourly", monitorPks, stretch);
    return new Map(monitorPks.map((pk) => [pk, seenIn(buckets, (hours.get(pk) ?? []).map(seenStatuses))]));
  }

  return (monitorPks) => {
    const before = cachedByMonitor(db, { subject: `seen ${range}`, stretch, monitorPks }, readSettled);
    const latest = listTallies(db, "hourly", monitorPks, { since: until });
    return (pk) => seenIn(buckets, (latest.get(pk) ?? []).map(seenStatuses), before.get(pk));
  };
}

/** The history of one monitor, not cached. */
export function findHistory(
  db: Database,
  { pk, type }: { pk: number; type: MonitorType },
  range: Range,
  now: number,
): HistoryItem[] {
  const buckets = bucketsOf(range, now);
  const tallies = listTalliesOf(db, unitOf(range), pk, { since: buckets[0]?.start ?? now });
  return history(buckets, type, seenIn(buckets, tallies.map(seenStatuses)));
}

function unitOf(range: Range): "hourly" | "daily" {
  return range === "1d" || range === "7d" ? "hourly" : "daily";
}
