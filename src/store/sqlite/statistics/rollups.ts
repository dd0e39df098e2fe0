import { and, eq, gte, lt } from "drizzle-orm";
import {
  addHourToBaseline,
  type Baseline,
  baselineStart,
  dropFromBaseline,
  emptyBaseline,
  type Restart,
} from "../../../domain/checks/latency-baseline.ts";
import { type LatencySums, toTenths } from "../../../domain/checks/latency-sums.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { dayOf, hourOf, type Stretch } from "../../../domain/results/rollup.ts";
import type { RollupCounts } from "../../../domain/results/status-counts.ts";
import { isBad } from "../../../domain/results/uptime.ts";
import type { Database, Queries } from "../open.ts";
import { placeOf } from "../results/series.ts";
import { hourlyRollups, type StoredBaseline } from "../schema.ts";
import { evictFromCache } from "./rollup-cache.ts";

const HOUR = 60 * 60 * 1000;

/** A result as it counts. */
interface Counted {
  monitorPk: number;
  type: MonitorType;
  status: Status;
  latencyMs: number | null;
  createdAt: number;
}

/** Adds a result to its hour and its day, within the transaction of the result. */
export function addToRollups(db: Database, { monitorPk, type, status, latencyMs, createdAt }: Counted): void {
  evictFromCache(db, monitorPk, createdAt);
  const hour = hourOf(createdAt) / HOUR;
  const day = dayOf(createdAt) / HOUR;
  const tenths = latencyMs === null || isBad(status) ? null : toTenths(latencyMs);
  const count = placeOf(type, status);
  add(db, "hourly", { monitorPk, start: hour, count, tenths });
  add(db, "daily", { monitorPk, start: day, count, tenths });
}

interface Addition {
  monitorPk: number;
  /** Hours since 1970. */
  start: number;
  /** The place of the status among those of its type. */
  count: number;
  tenths: number | null;
}

function add(db: Database, unit: Unit, { monitorPk, start, count, tenths }: Addition): void {
  // Without a latency there is mostly just one number to change.
  if (tenths === null && db.$client.query(COUNT[unit][count] ?? "").run(monitorPk, start).changes > 0) return;
  const counts = [0, 1, 2, 3].map((at) => +(at === count));
  const sums = tenths === null ? [0, 0, 0] : [1, tenths, tenths ** 2];
  db.$client.query(ADD[unit]).run(monitorPk, start, ...counts, ...sums, tenths, tenths);
}

const ADD = { hourly: addTo("hourly_rollups"), daily: addTo("daily_rollups") };
const COUNT = { hourly: countIn("hourly_rollups"), daily: countIn("daily_rollups") };

/** For each status. */
function countIn(table: string): string[] {
  return [0, 1, 2, 3].map(
    (at) => `UPDATE ${table} SET count_${at} = count_${at} + 1 WHERE monitor_pk = ? AND start = ?`,
  );
}

/** Raw, for it runs twice for each result. */
function addTo(table: string): string {
  const sums = [
    "count_0",
    "count_1",
    "count_2",
    "count_3",
    "latency_count",
    "latency_sum",
    "latency_squares",
  ];
  const extreme = (choose: string, column: string) =>
    `${column} = ${choose}(coalesce(${column}, excluded.${column}), coalesce(excluded.${column}, ${column}))`;
  return `INSERT INTO ${table} (monitor_pk, start, ${sums}, shortest, longest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (monitor_pk, start) DO UPDATE SET ${sums.map((sum) => `${sum} = ${sum} + excluded.${sum}`)},
    ${extreme("min", "shortest")}, ${extreme("max", "longest")}`;
}

/**
 * The baseline of a monitor without the hours that have left its window. It always holds every hour from the first one
 * in it on, also those that are yet to come, as after the clock was put back.
 */
export function currentBaseline(
  tx: Queries,
  { pk, stored: { since, restart, ...baseline } }: { pk: number; stored: StoredBaseline },
  now: number,
): Baseline {
  const start = baselineStart(now);
  if (since === start) return baseline;
  const isNear = since < start && since >= baselineStart(start);
  const list = (stretch: Stretch) => listLatenciesAfter(tx, pk, restart, stretch);
  if (isNear) return list({ since, until: start }).reduce(dropFromBaseline, baseline);
  // After a pause, not all hours may still be there to be dropped; and the clock may have been put back over some that were.
  return list({ since: start }).reduce(addHourToBaseline, emptyBaseline);
}

/** An empty baseline for a monitor that has another target from now on, whatever its rollups hold of the former one. */
export function restartedBaseline(tx: Queries, pk: number, now: number): StoredBaseline {
  const hour = hourOf(now);
  const [before = emptyBaseline] = listLatencies(tx, pk, { since: hour, until: hour + HOUR });
  return { ...emptyBaseline, since: baselineStart(now), restart: { hour, before } };
}

/** The latencies of a stretch by the hour, without those of a former target. */
function listLatenciesAfter(
  tx: Queries,
  pk: number,
  restart: Restart | undefined,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): LatencySums[] {
  if (!restart || restart.hour < since) return listLatencies(tx, pk, { since, until });
  if (until <= restart.hour) return [];
  const latencies = listLatencies(tx, pk, { since: restart.hour, until });
  return [...latencies, dropFromBaseline(emptyBaseline, restart.before)];
}

/** The latencies of a monitor by the hour. */
function listLatencies(
  tx: Queries,
  pk: number,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): LatencySums[] {
  const { monitorPk, start } = hourlyRollups;
  return tx
    .select({
      count: hourlyRollups.latencyCount,
      sum: hourlyRollups.latencySum,
      sumOfSquares: hourlyRollups.latencySquares,
    })
    .from(hourlyRollups)
    .where(and(eq(monitorPk, pk), gte(start, since / HOUR), lt(start, until / HOUR)))
    .all();
}

const COUNTS = [0, 1, 2, 3].map((at) => `count_${at} AS count${at}`);

type Unit = "hourly" | "daily";

/** A rollup as it lies, for there may be thousands in one list. @property start hours since 1970 */
type Row = [monitorPk: number, start: number, count0: number, count1: number, count2: number, count3: number];

/** How many results of each status some monitors have, by monitor, without an order. */
export function listTallies(
  db: Database,
  unit: Unit,
  monitorPks: number[],
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): Map<number, RollupCounts[]> {
  const rows = db.$client
    .query<unknown, [string, number, number]>(
      `SELECT monitor_pk, start, ${COUNTS} FROM ${unit}_rollups
       WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND start >= ? AND start < ?`,
    )
    .values(JSON.stringify(monitorPks), since / HOUR, until / HOUR) as Row[];
  const found = new Map<number, RollupCounts[]>(monitorPks.map((pk) => [pk, []]));
  for (const [monitorPk, start, count0, count1, count2, count3] of rows)
    found.get(monitorPk)?.push({ start: start * HOUR, count0, count1, count2, count3 });
  return found;
}

/** How many results of each status one monitor has. */
export function listTalliesOf(
  db: Database,
  unit: Unit,
  monitorPk: number,
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): RollupCounts[] {
  return db.$client
    .query<RollupCounts, [number, number, number]>(
      `SELECT start * ${HOUR} AS start, ${COUNTS} FROM ${unit}_rollups
       WHERE monitor_pk = ? AND start >= ? AND start < ?`,
    )
    .all(monitorPk, since / HOUR, until / HOUR);
}
