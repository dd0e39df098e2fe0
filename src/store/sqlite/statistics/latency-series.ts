import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { isBad } from "../../../domain/results/uptime.ts";
import type { LatencyPoint } from "../../monitors/monitor-report.ts";
import { pointsOfResults, pointsOfRollups } from "../../results/latency-points.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Database } from "../open.ts";
import { firstResultSince } from "../results/first-result-since.ts";

type Monitor = { pk: number; type: MonitorType };

/** The latencies of successful checks: by ten minutes for a day, by the hour for 7 and 30 days, by the day for 90 days. */
export function listLatencies(db: Database, monitor: Monitor, range: Range, now: number): LatencyPoint[] {
  const since = rangeStart(range, now);
  if (range === "1d") return fromResults(db, monitor, since);
  return range === "90d"
    ? fromRollups(db, "daily", monitor.pk, dayOf(since))
    : fromRollups(db, "hourly", monitor.pk, hourOf(since));
}

const LATENCIES: Record<RollupUnit, string> = {
  hourly: `SELECT start, sum(latency_sum) / cast(sum(latency_count) AS real) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM hourly_rollups WHERE monitor_pk = ? AND start >= ? AND latency_count > 0 GROUP BY start ORDER BY start`,
  daily: `SELECT start, sum(latency_sum) / cast(sum(latency_count) AS real) AS mean,
      min(shortest) AS shortest, max(longest) AS longest
    FROM daily_rollups WHERE monitor_pk = ? AND start >= ? AND latency_count > 0 GROUP BY start ORDER BY start`,
};

function fromRollups(db: Database, unit: RollupUnit, monitorPk: number, since: number): LatencyPoint[] {
  const rollups = db.$client.query<LatencyPoint, [number, number]>(LATENCIES[unit]);
  return pointsOfRollups(rollups.all(monitorPk, since / HOUR));
}

/** The results of one status are consecutive in the index, so that only those of the range are read. */
const RESULTS = `SELECT timings, created_at AS createdAt FROM check_results
  WHERE monitor_pk = ? AND status IN (SELECT value FROM json_each(?)) AND pk >= ? AND created_at >= ?`;

function fromResults(db: Database, { pk, type }: Monitor, since: number): LatencyPoint[] {
  const successful = statusesOf[type].filter((status) => !isBad(status)).map((status) => statusCodes[status]);
  const rows = db.$client
    .query<{ timings: Uint8Array | null; createdAt: number }, [number, string, number, number]>(RESULTS)
    .all(pk, JSON.stringify(successful), firstResultSince(db, since), since);
  return pointsOfResults(rows);
}
