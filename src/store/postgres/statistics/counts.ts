import type { Stretch } from "../../../domain/results/rollup.ts";
import type { StatusCount } from "../../../domain/results/uptime.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";

/*
 * The rollups of a monitor are one text, because a list has thousands: `start,status,count;…` with starts in hours since
 * 1970.
 */

/** An aggregate over rollups, for `readCounts`. */
export const COUNTS = "string_agg(start || ',' || status || ',' || count, ';') FILTER (WHERE count > 0)";

/** @param text null if there are no rollups */
export function readCounts(text: string | null): StatusCount[] {
  if (text === null) return [];
  return text.split(";").map((rollup) => {
    const [start, status, count] = rollup.split(",");
    return { start: Number(start) * HOUR, status: statusOfCode(Number(status)), count: Number(count) };
  });
}

/** Larger than the start of every rollup. */
export const NEVER = 2 ** 31 - 1;

const LIST: Record<RollupUnit, string> = {
  hourly: `SELECT ${COUNTS} AS counts FROM hourly_rollups WHERE monitor_pk = $1 AND start >= $2 AND start < $3`,
  daily: `SELECT ${COUNTS} AS counts FROM daily_rollups WHERE monitor_pk = $1 AND start >= $2 AND start < $3`,
};

/** How many results of each status one monitor has, in any order. */
export async function listCounts(
  { query }: Sql,
  unit: RollupUnit,
  monitorPk: number,
  { since, until }: Stretch,
): Promise<StatusCount[]> {
  const end = until === undefined ? NEVER : until / HOUR;
  const [row] = await query<{ counts: string | null }>(LIST[unit], [monitorPk, since / HOUR, end]);
  return readCounts(row?.counts ?? null);
}
