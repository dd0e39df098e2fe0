import { and, eq, gte } from "drizzle-orm";
import { bucketsOf, type HistoryItem, history, type Range, rangeStart } from "../domain/history.ts";
import type { Monitor, MonitorType } from "../domain/monitor.ts";
import { dayOf, hourOf, mergeCounts } from "../domain/rollup.ts";
import type { Status } from "../domain/status.ts";
import { type StatusCounts, uptime } from "../domain/uptime.ts";
import { withLatencyMs } from "./latency.ts";
import { shown } from "./monitors.ts";
import type { Database } from "./open.ts";
import { organizationPk } from "./organizations.ts";
import { type CountsAt, listCounts } from "./rollups.ts";
import { checkResults, monitors } from "./schema.ts";

export interface LatestResult {
  status: Status;
  latencyMs: number | null;
  createdAt: number;
}

/** A monitor with what the list tells besides (interface 2.2). */
export interface EnrichedMonitor extends Monitor {
  /** Within the range. */
  latestResult: LatestResult | null;
  /** Over the trailing 90 days, whatever the range. */
  uptime: string | null;
  history: HistoryItem[];
}

/** The monitors of an organization, oldest first. @param now milliseconds since 1970 */
export async function listMonitors(
  db: Database,
  organizationId: string,
  { type, range }: { type: MonitorType | undefined; range: Range },
  now: number,
): Promise<EnrichedMonitor[]> {
  const rows = listRows(db, organizationId, { type, since: rangeStart(range, now) });
  const past = pastOf(db, new Map(rows.map(({ pk, type }) => [pk, type])), range, now);
  const buckets = bucketsOf(range, now);
  return rows.map(({ pk, latestResult, ...monitor }) => ({
    ...monitor,
    latestResult: latestResult && withLatencyMs(latestResult),
    uptime: uptime(past.counts(pk)),
    history: history(buckets, monitor.type, past.rollups(pk)),
  }));
}

function listRows(
  db: Database,
  organizationId: string,
  { type, since }: { type: MonitorType | undefined; since: number },
) {
  const { status, latency, createdAt } = checkResults;
  return db
    .select({ pk: monitors.pk, ...shown, latestResult: { status, latency, createdAt } })
    .from(monitors)
    .leftJoin(checkResults, and(eq(checkResults.pk, monitors.lastResultPk), gte(createdAt, since)))
    .where(
      and(eq(monitors.organizationPk, organizationPk(db, organizationId)), type && eq(monitors.type, type)),
    )
    .orderBy(monitors.pk)
    .all();
}

/** The trailing 90 days begin within a day, whose later hours are counted one by one (decisions 4). */
function pastOf(db: Database, types: Map<number, MonitorType>, range: Range, now: number) {
  const start = hourOf(rangeStart("90d", now));
  const days = listCounts(db, types, { by: "day", since: dayOf(start) });
  const firstHours = listCounts(db, types, { by: "hour", since: start, until: dayOf(start) + DAY });
  const fine = range === "1d" || range === "7d";
  const hours = fine ? listCounts(db, types, { by: "hour", since: rangeStart("7d", now) }) : days;
  return {
    counts: (pk: number) =>
      total([...(firstHours.get(pk) ?? []), ...(days.get(pk) ?? []).filter(isAfter(start))]),
    rollups: (pk: number) => hours.get(pk) ?? [],
  };
}

const DAY = 24 * 60 * 60 * 1000;

function isAfter(start: number) {
  return (one: CountsAt) => one.start > start;
}

function total(all: CountsAt[]): StatusCounts {
  return all.map(({ counts }) => counts).reduce(mergeCounts, {});
}
