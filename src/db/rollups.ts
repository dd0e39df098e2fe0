import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { type Baseline, baselineStart, dropFromBaseline } from "../domain/degraded.ts";
import { toTenths } from "../domain/latency-sums.ts";
import type { MonitorType } from "../domain/monitor.ts";
import { dayOf, hourOf } from "../domain/rollup.ts";
import { type Status, statusesOf } from "../domain/status.ts";
import { isBad, type StatusCounts } from "../domain/uptime.ts";
import type { Database, Queries } from "./open.ts";
import { dailyRollups, hourlyRollups } from "./schema.ts";

/** A result as it counts. */
interface Counted {
  monitorPk: number;
  type: MonitorType;
  status: Status;
  latencyMs: number | null;
  createdAt: number;
}

/** Adds a result to its hour and its day, within the transaction of the result. */
export function addToRollups(tx: Queries, { monitorPk, type, status, latencyMs, createdAt }: Counted): void {
  const tenths = latencyMs === null || isBad(status) ? null : toTenths(latencyMs);
  const row = {
    monitorPk,
    ...oneOf(type, status),
    latencyCount: tenths === null ? 0 : 1,
    latencySum: tenths ?? 0,
    latencySquares: (tenths ?? 0) ** 2,
    shortest: tenths,
    longest: tenths,
  };
  addRow(tx, hourlyRollups, { ...row, start: hourOf(createdAt) });
  addRow(tx, dailyRollups, { ...row, start: dayOf(createdAt) });
}

/** The baseline of a monitor without the hours that have left its window. @param since the first hour in it */
export function currentBaseline(
  tx: Queries,
  { pk, baseline, since }: { pk: number; baseline: Baseline; since: number },
  now: number,
): Baseline {
  const start = baselineStart(now);
  if (since >= start) return baseline;
  const { monitorPk, start: hour } = hourlyRollups;
  return tx
    .select({
      count: hourlyRollups.latencyCount,
      sum: hourlyRollups.latencySum,
      sumOfSquares: hourlyRollups.latencySquares,
    })
    .from(hourlyRollups)
    .where(and(eq(monitorPk, pk), gte(hour, since), lt(hour, start)))
    .all()
    .reduce(dropFromBaseline, baseline);
}

/** Counts by status over a stretch of time. @property start milliseconds since 1970 */
export interface CountsAt {
  start: number;
  counts: StatusCounts;
}

type Counter = Pick<typeof hourlyRollups.$inferSelect, "count0" | "count1" | "count2" | "count3">;

/** The rollups of some monitors over a stretch of time, by monitor. */
export function listCounts(
  db: Database,
  monitorsOf: Map<number, MonitorType>,
  { by, since, until = Number.MAX_SAFE_INTEGER }: { by: "hour" | "day"; since: number; until?: number },
): Map<number, CountsAt[]> {
  const table = by === "hour" ? hourlyRollups : dailyRollups;
  const { monitorPk, start, count0, count1, count2, count3 } = table;
  const rows = db
    .select({ monitorPk, start, count0, count1, count2, count3 })
    .from(table)
    .where(and(inArray(monitorPk, [...monitorsOf.keys()]), gte(start, since), lt(start, until)))
    .all();
  const found = new Map<number, CountsAt[]>();
  for (const row of rows) {
    const type = monitorsOf.get(row.monitorPk);
    if (!type) continue;
    const counts = countsOf(type, row);
    const list = found.get(row.monitorPk);
    if (list) list.push({ start: row.start, counts });
    else found.set(row.monitorPk, [{ start: row.start, counts }]);
  }
  return found;
}

function countsOf(type: MonitorType, { count0, count1, count2, count3 }: Counter): StatusCounts {
  const numbers = [count0, count1, count2, count3];
  return Object.fromEntries(statusesOf[type].map((status, at) => [status, numbers[at] ?? 0]));
}

/** The counter of a status, set to one. */
function oneOf(type: MonitorType, status: Status): Counter {
  const at = (statusesOf[type] as readonly Status[]).indexOf(status);
  if (at < 0) throw new Error(`a ${type} monitor can't be ${status}`);
  return { count0: +(at === 0), count1: +(at === 1), count2: +(at === 2), count3: +(at === 3) };
}

function addRow(
  tx: Queries,
  table: typeof hourlyRollups | typeof dailyRollups,
  row: typeof hourlyRollups.$inferInsert,
): void {
  const sum = (column: keyof Counter | "latencyCount" | "latencySum" | "latencySquares") =>
    sql`${table[column]} + ${row[column]}`;
  tx.insert(table)
    .values(row)
    .onConflictDoUpdate({
      target: [table.monitorPk, table.start],
      set: {
        count0: sum("count0"),
        count1: sum("count1"),
        count2: sum("count2"),
        count3: sum("count3"),
        latencyCount: sum("latencyCount"),
        latencySum: sum("latencySum"),
        latencySquares: sum("latencySquares"),
        shortest: sql`min(coalesce(${table.shortest}, ${row.shortest}), coalesce(${row.shortest}, ${table.shortest}))`,
        longest: sql`max(coalesce(${table.longest}, ${row.longest}), coalesce(${row.longest}, ${table.longest}))`,
      },
    })
    .run();
}
