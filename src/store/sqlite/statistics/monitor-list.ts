import { eq, sql } from "drizzle-orm";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { bucketsOf, history } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { uptime } from "../../../domain/results/uptime.ts";
import { withPlacement } from "../../locations/known-places.ts";
import type { EnrichedMonitor, LatestResult, UptimeAndHistory } from "../../monitors/monitor-lists.ts";
import { unpackTimings } from "../../results/timings.ts";
import { placesFor } from "../locations/known-places.ts";
import { monitorColumns } from "../monitors/monitor-columns.ts";
import { type Database, oncePerDatabase } from "../open.ts";
import { monitorStates, monitors } from "../schema.ts";
import { monitorSlices } from "../slices.ts";
import { statisticsReader } from "./history-reader.ts";

export async function* listMonitors(
  db: Database,
  organizationId: string,
  { type, tag, range }: { type: MonitorType | undefined; tag?: string | undefined; range: Range },
  now: number,
): AsyncGenerator<EnrichedMonitor[]> {
  const since = rangeStart(range, now);
  const readPasts = uptimeAndHistoryReader(db, range, now);
  for await (const pks of monitorSlices(db, organizationId)) {
    const rows = listRows(db)
      .all({ pks: JSON.stringify(pks) })
      .filter((row) => type === undefined || row.type === type)
      .filter(({ tags }) => tag === undefined || tags.includes(tag));
    const pastOf = readPasts(rows);
    const places = placesFor(db, organizationId, rows);
    yield rows.map((row) => {
      const { pk, latest, ...monitor } = row;
      const latestResult = latestOf(latest, since);
      return { ...withPlacement(monitor, places), latestResult, ...pastOf(row) };
    });
  }
}

/** A reader of uptime and history for batches of monitors. */
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
      const { counts, seen } = pastOf(pk);
      return { uptime: uptime(counts), history: history(buckets, type, seen) };
    };
  };
}

const listRows = oncePerDatabase((db) =>
  db
    .select({ pk: monitors.pk, ...monitorColumns, latest: latestColumns })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(sql`${monitors.pk} IN (SELECT value FROM json_each(${sql.placeholder("pks")}))`)
    .orderBy(monitors.pk)
    .prepare(),
);

/** The latest result of a monitor. @property status null if there is none, or if it was deleted */
export const latestColumns = {
  status: monitorStates.lastStatus,
  timings: monitorStates.lastTimings,
  createdAt: monitorStates.lastResultAt,
};

type LatestRow = { [Name in keyof typeof latestColumns]: (typeof latestColumns)[Name]["_"]["data"] | null };

/** A result as lists show it; null if it is older than `since`, in milliseconds since 1970. */
export function latestOf({ status, timings, createdAt }: LatestRow, since = 0): LatestResult | null {
  if (status === null || createdAt === null || createdAt < since) return null;
  return { status, latencyMs: unpackTimings(timings).latencyMs, createdAt };
}
