import type { Baseline, LatencySums } from "../../../domain/checks/latency-baseline.ts";
import type { Stretch } from "../../../domain/results/rollup.ts";
import { currentBaseline, neededHours, type StoredBaseline } from "../../results/baselines.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import { type Database, prepared } from "../open.ts";

/** The baseline of a location of a monitor at a moment, in milliseconds since 1970: see `currentBaseline`. */
export function loadBaseline(
  db: Database,
  { pk, location, stored }: { pk: number; location: number; stored: StoredBaseline },
  now: number,
): Baseline {
  const needed = neededHours(stored, now);
  return currentBaseline(stored, now, needed ? listLatencies(db, { pk, location }, needed) : []);
}

const LIST_LATENCIES = `SELECT sum(latency_count) AS count, sum(latency_sum) AS sum, sum(latency_squares) AS sumOfSquares
  FROM hourly_rollups WHERE monitor_pk = ? AND location = ? AND start >= ? AND start < ? GROUP BY start`;

/** The latency sums of each hour of a stretch. */
function listLatencies(
  db: Database,
  { pk, location }: { pk: number; location: number },
  { since, until }: Required<Stretch>,
): LatencySums[] {
  const list = prepared<LatencySums, [number, number, number, number]>(db, LIST_LATENCIES);
  return list.all(pk, location, since / HOUR, until / HOUR);
}
