import type { PlannedRollup } from "../../../domain/monitors/recording-plan.ts";
import type { Stretch } from "../../../domain/results/rollup.ts";
import type { StatusCount } from "../../../domain/results/uptime.ts";
import { INSERT_INTO, ON_CONFLICT, ROLLUP_FIELDS, rollupRows } from "../../results/rollup-rows.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import { statusOfCode } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";

const ADD: Record<RollupUnit, string> = {
  hourly: `${INSERT_INTO.hourly} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${ON_CONFLICT}`,
  daily: `${INSERT_INTO.daily} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${ON_CONFLICT}`,
};

/** Adds to the rollups of hours and days, within the transaction of the results. */
export function addToRollups(
  db: Database,
  rollups: readonly PlannedRollup[],
  pkOf: (monitorId: string) => number,
): void {
  for (const unit of ["hourly", "daily"] as const)
    for (const row of rollupRows(unit, rollups, pkOf))
      prepared(db, ADD[unit]).run(...ROLLUP_FIELDS.map((field) => row[field]));
}

const COUNTS: Record<RollupUnit, string> = {
  hourly: `SELECT monitor_pk, start, status, count FROM hourly_totals
    WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND start >= ? AND start < ?`,
  daily: `SELECT monitor_pk, start, status, count FROM daily_totals
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
