import { and, gt, gte, inArray, type SQL, sql } from "drizzle-orm";
import { hourOf } from "../../domain/results/rollup.ts";
import type { StatusCount } from "../../domain/results/status-counts.ts";
import { HOUR } from "../results/rollup-unit.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Tx } from "../tx.ts";

const TENTHS = 10;
const LATENCIES_OF = 24 * HOUR;

/** The results of each day and status of some monitors from a day on. @param since the start of a day, in milliseconds since 1970 */
export async function listCountsByMonitor(
  { db, tables: { dailyRollups } }: Tx,
  monitorPks: number[],
  since: number,
): Promise<Map<number, StatusCount[]>> {
  if (monitorPks.length === 0) return new Map();
  const { monitorPk, start, count } = dailyRollups;
  // One text for each monitor is read five times as fast as a row for each day.
  const rows = await db
    .select({ monitorPk, counts: listed(sql`${start}`, sql`${dailyRollups.status}`, sql`${count}`) })
    .from(dailyRollups)
    .where(and(inArray(monitorPk, monitorPks), gte(start, since / HOUR), gt(count, 0)))
    .groupBy(monitorPk);
  return new Map(rows.map((row) => [row.monitorPk, parseCounts(row.counts)]));
}

/** `a b c,a b c`, one for each row of a group. */
function listed(...[first, second, third]: [SQL, SQL, SQL]) {
  const text = (column: SQL) => sql`CAST(${column} AS text)`;
  return sql<string>`string_agg(${text(first)} || ' ' || ${text(second)} || ' ' || ${text(third)}, ',')`;
}

function parseCounts(text: string): StatusCount[] {
  return text.split(",").map((row) => {
    const [start, status, count] = row.split(" ").map(Number) as [number, number, number];
    return { start: start * HOUR, status: statusOfCode(status), count };
  });
}

/** Means of the last 24 hours in milliseconds. The first hour counts as a whole. */
export async function listLatenciesByMonitor(
  { db, tables: { hourlyRollups } }: Tx,
  monitorPks: number[],
  now: number,
): Promise<Map<number, number>> {
  if (monitorPks.length === 0) return new Map();
  const { monitorPk, start, latencyCount, latencySum } = hourlyRollups;
  const since = hourOf(now - LATENCIES_OF) / HOUR;
  const rows = await db
    .select({ monitorPk, count: total(latencyCount), tenths: total(latencySum) })
    .from(hourlyRollups)
    .where(and(inArray(monitorPk, monitorPks), gte(start, since), gt(latencyCount, 0)))
    .groupBy(monitorPk);
  return new Map(
    rows.map(({ monitorPk, count, tenths }) => [monitorPk, Math.round(tenths / count / TENTHS)]),
  );
}

/** PostgreSQL returns sums as texts. */
function total(
  column: Tx["tables"]["hourlyRollups"]["latencySum"] | Tx["tables"]["hourlyRollups"]["latencyCount"],
) {
  return sql<number>`sum(${column})`.mapWith(Number);
}
