import { and, eq, gte, sql } from "drizzle-orm";
import type { Monitor, MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { bucketsOf, type HistoryItem, history } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { countsOf } from "../../../domain/results/status-counts.ts";
import { uptime } from "../../../domain/results/uptime.ts";
import { shown } from "../../monitors/monitors.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { statusOf } from "../results/series.ts";
import { unpackTimings } from "../results/timings.ts";
import { checkResults, monitors } from "../schema.ts";
import { monitorSlices } from "../slices.ts";
import { statisticsReader } from "./history-reader.ts";

export interface LatestResult {
  status: Status;
  latencyMs: number | null;
  createdAt: number;
}

export interface UptimeAndHistory {
  /** Over the trailing 90 days, whatever the range. */
  uptime: string | null;
  history: HistoryItem[];
}

/** A monitor with what the list tells besides (interface 2.2). */
export interface EnrichedMonitor extends Monitor, UptimeAndHistory {
  /** Within the range. */
  latestResult: LatestResult | null;
}

/**
 * The monitors of an organization, oldest first, in slices: each that was there at the start and still is, once. The
 * event loop turns before each slice.
 *
 * @param now milliseconds since 1970
 */
export async function* listMonitors(
  db: Database,
  organizationId: string,
  { type, range }: { type: MonitorType | undefined; range: Range },
  now: number,
): AsyncGenerator<EnrichedMonitor[]> {
  const since = rangeStart(range, now);
  const listPasts = uptimeAndHistoryReader(db, range, now);
  for await (const pks of monitorSlices(db, organizationId)) {
    const rows = listRows(db)
      .all({ pks: JSON.stringify(pks), since })
      .filter((row) => type === undefined || row.type === type);
    const pastOf = listPasts(rows);
    yield rows.map((row) => {
      const { pk, latest, ...monitor } = row;
      return { ...monitor, latestResult: latest && latestOf(latest, monitor.type), ...pastOf(row) };
    });
  }
}

/** What lists the past of some monitors at a time. */
export function uptimeAndHistoryReader(
  db: Database,
  range: Range,
  now: number,
): (some: { pk: number }[]) => (monitor: { pk: number; type: MonitorType }) => UptimeAndHistory {
  const buckets = bucketsOf(range, now);
  const read = statisticsReader(db, range, now);
  return (some) => {
    const pastOf = read(some.map(({ pk }) => pk));
    return ({ pk, type }) => {
      const { tally, seen } = pastOf(pk);
      return { uptime: uptime(countsOf(type, [tally])), history: history(buckets, type, seen) };
    };
  };
}

const listRows = oncePerDatabase((db) => {
  const { series, timings, createdAt } = checkResults;
  const inRange = gte(createdAt, sql.placeholder("since"));
  return db
    .select({ pk: monitors.pk, ...shown, latest: { series, timings, createdAt } })
    .from(monitors)
    .leftJoin(checkResults, and(eq(checkResults.pk, monitors.lastResultPk), inRange))
    .where(sql`${monitors.pk} IN (SELECT value FROM json_each(${sql.placeholder("pks")}))`)
    .orderBy(monitors.pk)
    .prepare();
});

type LatestRow = Pick<typeof checkResults.$inferSelect, "series" | "timings" | "createdAt">;

/** A result as lists tell it. */
export function latestOf({ series, timings, createdAt }: LatestRow, type: MonitorType): LatestResult {
  return { status: statusOf(series, type), latencyMs: unpackTimings(timings).latencyMs, createdAt };
}
