import { and, eq, gte, inArray, lt } from "drizzle-orm";
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
export function addToRollups(db: Database, { monitorPk, type, status, latencyMs, createdAt }: Counted): void {
  const tenths = latencyMs === null || isBad(status) ? null : toTenths(latencyMs);
  const sums = tenths === null ? [0, 0, 0] : [1, tenths, tenths ** 2];
  const row = [...oneOf(type, status), ...sums, tenths, tenths];
  db.$client.query(ADD_TO_HOUR).run(monitorPk, hourOf(createdAt), ...row);
  db.$client.query(ADD_TO_DAY).run(monitorPk, dayOf(createdAt), ...row);
}

const ADD_TO_HOUR = addTo("hourly_rollups");
const ADD_TO_DAY = addTo("daily_rollups");

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

/** The counters, with that of a status set to one. */
function oneOf(type: MonitorType, status: Status): number[] {
  const statuses: readonly Status[] = statusesOf[type];
  if (!statuses.includes(status)) throw new Error(`a ${type} monitor can't be ${status}`);
  return [0, 1, 2, 3].map((at) => +(statuses[at] === status));
}
