import { and, eq, gte } from "drizzle-orm";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { isBad } from "../../../domain/results/uptime.ts";
import type { Database } from "../open.ts";
import { firstResultSince } from "../results/first-result-since.ts";
import { everySeriesOf, statusOf } from "../results/series.ts";
import { unpackTimings } from "../results/timings.ts";
import { dailyRollups, hourlyRollups, type monitors } from "../schema.ts";

/** The latencies of a stretch of time; milliseconds. */
export interface LatencyPoint {
  start: number;
  mean: number;
  shortest: number;
  longest: number;
}

type Row = Pick<typeof monitors.$inferSelect, "pk" | "type">;

const TENTHS = 10;
const STEP = 10 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/** The latencies of successful checks: by ten minutes within a day, by the hour within 30 days, else by the day. */
export function listLatencies(db: Database, monitor: Row, range: Range, now: number): LatencyPoint[] {
  const since = rangeStart(range, now);
  if (range === "1d") return fromResults(db, monitor, since);
  const [table, start] =
    range === "90d" ? [dailyRollups, dayOf(since)] : ([hourlyRollups, hourOf(since)] as const);
  return db
    .select()
    .from(table)
    .where(and(eq(table.monitorPk, monitor.pk), gte(table.start, start / HOUR)))
    .orderBy(table.start)
    .all()
    .filter(({ latencyCount }) => latencyCount > 0)
    .map(({ start, latencySum, latencyCount, shortest, longest }) => ({
      start: start * HOUR,
      mean: latencySum / latencyCount / TENTHS,
      shortest: (shortest ?? 0) / TENTHS,
      longest: (longest ?? 0) / TENTHS,
    }));
}

/** Each series is a stretch of the index, so that only the results of the range are read. */
function fromResults(db: Database, { pk, type }: Row, since: number): LatencyPoint[] {
  const series = everySeriesOf(pk, type).filter((one) => !isBad(statusOf(one, type)));
  const rows = db.$client
    .query<{ timings: Uint8Array | null; createdAt: number }, [number, number]>(
      `SELECT timings, created_at AS createdAt FROM check_results
       WHERE series IN (${series}) AND pk >= ? AND created_at >= ?`,
    )
    .all(firstResultSince(db, since), since);
  const steps = Map.groupBy(rows, ({ createdAt }) => Math.floor(createdAt / STEP) * STEP);
  return [...steps]
    .flatMap(([start, group]) => pointOf(start, group))
    .sort((one, other) => one.start - other.start);
}

function pointOf(start: number, results: { timings: Uint8Array | null }[]): LatencyPoint[] {
  const latencies = results.flatMap(({ timings }) => unpackTimings(timings).latencyMs ?? []);
  if (latencies.length === 0) return [];
  const mean = latencies.reduce((sum, latency) => sum + latency) / latencies.length;
  return [{ start, mean, shortest: Math.min(...latencies), longest: Math.max(...latencies) }];
}
