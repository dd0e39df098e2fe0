import type { RollupAddition, Stretch } from "../../../domain/results/rollup.ts";
import type { StatusCount } from "../../../domain/results/uptime.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import { statusCodes, statusOfCode } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";

const ADD: Record<RollupUnit, string> = {
  hourly: `INSERT INTO hourly_rollups (monitor_pk, start, location, status, count,
      latency_count, latency_sum, latency_squares, shortest, longest)
    VALUES (?1, ?2, ?3, ?4, 1, 1, ?5, ?5 * ?5, ?5, ?5)
    ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET
      count = count + 1, latency_count = latency_count + 1, latency_sum = latency_sum + ?5,
      latency_squares = latency_squares + ?5 * ?5,
      shortest = min(coalesce(shortest, ?5), ?5), longest = max(coalesce(longest, ?5), ?5)`,
  daily: `INSERT INTO daily_rollups (monitor_pk, start, location, status, count,
      latency_count, latency_sum, latency_squares, shortest, longest)
    VALUES (?1, ?2, ?3, ?4, 1, 1, ?5, ?5 * ?5, ?5, ?5)
    ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET
      count = count + 1, latency_count = latency_count + 1, latency_sum = latency_sum + ?5,
      latency_squares = latency_squares + ?5 * ?5,
      shortest = min(coalesce(shortest, ?5), ?5), longest = max(coalesce(longest, ?5), ?5)`,
};

const ADD_WITHOUT_LATENCY: Record<RollupUnit, string> = {
  hourly: `INSERT INTO hourly_rollups (monitor_pk, start, location, status, count,
      latency_count, latency_sum, latency_squares)
    VALUES (?1, ?2, ?3, ?4, 1, 0, 0, 0)
    ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET count = count + 1`,
  daily: `INSERT INTO daily_rollups (monitor_pk, start, location, status, count,
      latency_count, latency_sum, latency_squares)
    VALUES (?1, ?2, ?3, ?4, 1, 0, 0, 0)
    ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET count = count + 1`,
};

/** A row without a count says that the day has results, which do not count. */
const MARK_DAY = `INSERT INTO daily_rollups (monitor_pk, start, location, status, count,
    latency_count, latency_sum, latency_squares)
  VALUES (?, ?, ?, ?, 0, 0, 0, 0) ON CONFLICT (monitor_pk, start, location, status) DO NOTHING`;

/** Adds a result to its hour and its day, within the transaction of the result. */
export function addToRollups(
  db: Database,
  of: { monitorPk: number; location: number },
  { status, tenths, hour, day, isCounted }: RollupAddition,
): void {
  if (!isCounted) {
    prepared(db, MARK_DAY).run(of.monitorPk, day / HOUR, of.location, statusCodes[status]);
    return;
  }
  add(db, "hourly", of, { start: hour / HOUR, status, tenths });
  add(db, "daily", of, { start: day / HOUR, status, tenths });
}

/** @property start hours since 1970 */
type Addition = Pick<RollupAddition, "status" | "tenths"> & { start: number };

function add(
  db: Database,
  unit: RollupUnit,
  { monitorPk, location }: { monitorPk: number; location: number },
  { start, status, tenths }: Addition,
): void {
  const key = [monitorPk, start, location, statusCodes[status]] as const;
  if (tenths === null) prepared(db, ADD_WITHOUT_LATENCY[unit]).run(...key);
  else prepared(db, ADD[unit]).run(...key, tenths);
}

const COUNTS: Record<RollupUnit, string> = {
  hourly: `SELECT monitor_pk, start, status, count FROM hourly_rollups
    WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND start >= ? AND start < ?`,
  daily: `SELECT monitor_pk, start, status, count FROM daily_rollups
    WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND start >= ? AND start < ? AND count > 0`,
};

/** A row as an array, because a list may have thousands. `start` is in hours since 1970. */
type CountRow = [monitorPk: number, start: number, status: number, count: number];

/** How many results of each status some monitors have, by monitor, in any order. */
export function listCounts(
  db: Database,
  unit: RollupUnit,
  monitorPks: number[],
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): Map<number, StatusCount[]> {
  const rows = db.$client
    .query<unknown, [string, number, number]>(COUNTS[unit])
    .values(JSON.stringify(monitorPks), since / HOUR, until / HOUR) as CountRow[];
  const found = new Map<number, StatusCount[]>(monitorPks.map((pk) => [pk, []]));
  for (const [monitorPk, start, status, count] of rows)
    found.get(monitorPk)?.push({ start: start * HOUR, status: statusOfCode(status), count });
  return found;
}
