import { type Bucket, seenIn } from "../domain/history.ts";
import type { Range } from "../domain/range.ts";
import { dayOf, hourOf } from "../domain/rollup.ts";
import type { Database } from "./open.ts";
import { listSeen } from "./rollups.ts";
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
  const [unit, until] =
    range === "1d" || range === "7d"
      ? (["hourly", hourOf(now) - HOUR] as const)
      : (["daily", dayOf(now) - DAY] as const);
  const since = buckets[0]?.start ?? until;
  const before = settled(db, `seen ${organizationPk} ${range}`, { since, until }, (stretch) => {
    const seen = listSeen(db, unit, organizationPk, stretch);
    return new Map(Array.from(seen, ([pk, rows]) => [pk, seenIn(buckets, rows)]));
  });
  const latest = listSeen(db, unit, organizationPk, { since: until });
  return (pk) => seenIn(buckets, latest.get(pk) ?? [], before.get(pk));
}
