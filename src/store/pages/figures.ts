import { and, gt, gte, inArray, lt, type SQLWrapper, sql } from "drizzle-orm";
import { DAY } from "../../domain/duration.ts";
import { dayOf, hourOf, type Stretch } from "../../domain/results/rollup.ts";
import type { StatusCount } from "../../domain/results/uptime.ts";
import { HOUR } from "../results/rollup-unit.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Tx } from "../tx.ts";

const TENTHS = 10;
const LATENCIES_OF = 24 * HOUR;

/**
 * The results of each day and status of some monitors, by the ID of the monitor. A few milliseconds for ten monitors and 90 days.
 *
 * @param stretch whole days
 */
export async function listSettledCounts(
  { db, tables: { dailyTotals, monitors } }: Tx,
  monitorIds: readonly string[],
  stretch: Required<Stretch>,
): Promise<Map<string, StatusCount[]>> {
  const { pk, id } = monitors;
  const named = await db
    .select({ pk, id })
    .from(monitors)
    .where(inArray(id, [...monitorIds]));
  const { monitorPk } = dailyTotals;
  const pks = named.map((monitor) => monitor.pk);
  const rows = await db
    .select({ monitorPk, counts: countsOf(dailyTotals) })
    .from(dailyTotals)
    .where(and(inArray(monitorPk, pks), isIn(dailyTotals, stretch)))
    .groupBy(monitorPk);
  const counts = new Map(rows.map((row) => [row.monitorPk, row.counts]));
  return new Map(
    named.flatMap((monitor) => {
      const text = counts.get(monitor.pk);
      return text === undefined ? [] : [[monitor.id, parseCounts(text)]];
    }),
  );
}

/** The results of yesterday and today, by the number of the monitor. */
export async function listLatestCounts(
  { db, tables: { dailyTotals } }: Tx,
  monitorPks: number[],
  now: number,
): Promise<Map<number, StatusCount[]>> {
  if (monitorPks.length === 0) return new Map();
  const { monitorPk } = dailyTotals;
  const rows = await db
    .select({ monitorPk, counts: countsOf(dailyTotals) })
    .from(dailyTotals)
    .where(and(inArray(monitorPk, monitorPks), isIn(dailyTotals, { since: dayOf(now) - DAY })))
    .groupBy(monitorPk);
  return new Map(rows.map((row) => [row.monitorPk, parseCounts(row.counts)]));
}

type Totals = Tx["tables"]["dailyTotals"];

function isIn({ start, count }: Totals, { since, until }: Stretch) {
  const ends = until === undefined ? undefined : lt(start, until / HOUR);
  return and(gte(start, since / HOUR), ends, gt(count, 0));
}

/** `start status count`, and a comma before the next: one text for each monitor, which is read five times as fast as a row for each day. */
function countsOf({ start, status, count }: Totals) {
  const text = (column: SQLWrapper) => sql`CAST(${column} AS text)`;
  return sql<string>`string_agg(${text(start)} || ' ' || ${text(status)} || ' ' || ${text(count)}, ',')`;
}

function parseCounts(text: string): StatusCount[] {
  return text.split(",").map((row) => {
    const [start, status, count] = row.split(" ").map(Number) as [number, number, number];
    return { start: start * HOUR, status: statusOfCode(status), count };
  });
}

/** Means of the last 24 hours in milliseconds. The first hour counts as a whole. */
export async function listLatenciesByMonitor(
  { db, tables: { hourlyTotals } }: Tx,
  monitorPks: number[],
  now: number,
): Promise<Map<number, number>> {
  if (monitorPks.length === 0) return new Map();
  const { monitorPk, start, latencyCount, latencySum } = hourlyTotals;
  const since = hourOf(now - LATENCIES_OF) / HOUR;
  const rows = await db
    .select({ monitorPk, count: total(latencyCount), tenths: total(latencySum) })
    .from(hourlyTotals)
    .where(and(inArray(monitorPk, monitorPks), gte(start, since), gt(latencyCount, 0)))
    .groupBy(monitorPk);
  return new Map(
    rows.map(({ monitorPk, count, tenths }) => [monitorPk, Math.round(tenths / count / TENTHS)]),
  );
}

/** PostgreSQL returns sums as texts. */
function total(column: SQLWrapper) {
  return sql<number>`sum(${column})`.mapWith(Number);
}
