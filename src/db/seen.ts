import { type Bucket, bucketsOf, type HistoryItem, history, seenIn } from "../domain/history.ts";
import type { MonitorType } from "../domain/monitor.ts";
import type { Range } from "../domain/range.ts";
import { dayOf, hourOf } from "../domain/rollup.ts";
import { seenOf } from "../domain/tally.ts";
import type { Database } from "./open.ts";
import { listSeen, listTalliesOf } from "./rollups.ts";
import { settled } from "./settled.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/**
 * Which statuses the monitors of an organization had in each bucket of a range.
 *
 * @param buckets of the range, at `now`
 * @returns those of a monitor, by its inner number
 */
export function listSeenIn(
  db: Database,
  organizationPk: number,
  range: Range,
  buckets: Bucket[],
  now: number,
): (monitorPk: number) => Uint8Array {
  const unit = unitOf(range);
  const until = unit === "hourly" ? hourOf(now) - HOUR : dayOf(now) - DAY;
  const since = buckets[0]?.start ?? until;
  const before = settled(db, `seen ${organizationPk} ${range}`, { since, until }, (stretch) => {
    const seen = listSeen(db, unit, organizationPk, stretch);
    return new Map(Array.from(seen, ([pk, rows]) => [pk, seenIn(buckets, rows)]));
  });
  const latest = listSeen(db, unit, organizationPk, { since: until });
  return (pk) => seenIn(buckets, latest.get(pk) ?? [], before.get(pk));
}

/** The history of one monitor, read anew. */
export function findHistory(
  db: Database,
  { pk, type }: { pk: number; type: MonitorType },
  range: Range,
  now: number,
): HistoryItem[] {
  const buckets = bucketsOf(range, now);
  const tallies = listTalliesOf(db, unitOf(range), pk, { since: buckets[0]?.start ?? now });
  return history(buckets, type, seenIn(buckets, tallies.map(seenOf)));
}

function unitOf(range: Range): "hourly" | "daily" {
  return range === "1d" || range === "7d" ? "hourly" : "daily";
}
