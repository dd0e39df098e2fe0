import { and, eq, gte } from "drizzle-orm";
import { bucketsOf, type HistoryItem, history } from "../domain/history.ts";
import type { Monitor, MonitorType } from "../domain/monitor.ts";
import { type Range, rangeStart } from "../domain/range.ts";
import type { Status } from "../domain/status.ts";
import { countsOf } from "../domain/tally.ts";
import { uptime } from "../domain/uptime.ts";
import { shown } from "./monitors.ts";
import { countNinetyDays } from "./ninety-days.ts";
import type { Database } from "./open.ts";
import { organizationPk } from "./organizations.ts";
import { checkResults, monitors } from "./schema.ts";
import { listSeenIn } from "./seen.ts";
import { statusOf } from "./series.ts";
import { unpackTimings } from "./timings.ts";

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
  const organization = organizationPk(db, organizationId);
  const buckets = bucketsOf(range, now);
  const seen = listSeenIn(db, organization, range, buckets, now);
  const counted = countNinetyDays(db, organization, now);
  return listRows(db, organization, type, rangeStart(range, now)).map(({ pk, latest, ...monitor }) => ({
    ...monitor,
    latestResult: latest && latestOf(latest, monitor.type),
    uptime: uptime(countsOf(monitor.type, counted(pk))),
    history: history(buckets, monitor.type, seen(pk)),
  }));
}

function listRows(db: Database, organization: number, type: MonitorType | undefined, since: number) {
  const { series, timings, createdAt } = checkResults;
  return db
    .select({ pk: monitors.pk, ...shown, latest: { series, timings, createdAt } })
    .from(monitors)
    .leftJoin(checkResults, and(eq(checkResults.pk, monitors.lastResultPk), gte(createdAt, since)))
    .where(and(eq(monitors.organizationPk, organization), type && eq(monitors.type, type)))
    .orderBy(monitors.pk)
    .all();
}

type LatestRow = Pick<typeof checkResults.$inferSelect, "series" | "timings" | "createdAt">;

/** A result as lists tell it. */
export function latestOf({ series, timings, createdAt }: LatestRow, type: MonitorType): LatestResult {
  return { status: statusOf(series, type), latencyMs: unpackTimings(timings).latencyMs, createdAt };
}
