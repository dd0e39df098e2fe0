import { and, eq } from "drizzle-orm";
import { degradedAbove } from "../../../domain/checks/latency-baseline.ts";
import { learnedPeriod } from "../../../domain/heartbeats/learned-period.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { HistoryItem } from "../../../domain/results/history.ts";
import { RANGES, type Range, rangeStart } from "../../../domain/results/range.ts";
import { countsOf } from "../../../domain/results/status-counts.ts";
import { uptime } from "../../../domain/results/uptime.ts";
import { notFound } from "../../../errors.ts";
import { organizationPk } from "../../accounts/organizations.ts";
import type { Database } from "../open.ts";
import { monitors } from "../schema.ts";
import { findHistory } from "./history-reader.ts";
import { type LatencyPoint, listLatencies } from "./latency-series.ts";
import { listTalliesIn } from "./ninety-days.ts";
import { listOutages, type Outage } from "./outages.ts";
import { currentBaseline } from "./rollups.ts";

/** What is known of one monitor besides its fields and results. */
export interface MonitorReport {
  type: MonitorType;
  /** When it got its status; null before the first. Times are milliseconds since 1970. */
  since: number | null;
  uptime: Record<Range, string | null>;
  history: HistoryItem[];
  latencies: LatencyPoint[];
  /** The latency above which a check is degraded, in milliseconds; null where nothing is normal yet. */
  degradedAbove: number | null;
  /** The latest first. */
  outages: Outage[];
  lastCheckinAt: number | null;
  /** The time between two checkins as it was learned, in milliseconds; null before it is. */
  learnedPeriod: number | null;
  /** When a SCHEDULED monitor is late if nothing is heard. */
  deadline: number | null;
}

const MOST_OUTAGES = 20;

/** @throws AppError `not_found` */
export async function findReport(
  db: Database,
  organizationId: string,
  { id, range }: { id: string; range: Range },
  now: number,
): Promise<MonitorReport> {
  const its = and(eq(monitors.id, id), eq(monitors.organizationPk, organizationPk(db, organizationId)));
  const monitor = db.select().from(monitors).where(its).get();
  if (!monitor) throw notFound();
  const { type, statusSince, deadline, heartbeat } = monitor;
  return {
    type,
    since: statusSince,
    uptime: uptimes(db, monitor, now),
    history: findHistory(db, monitor, range, now),
    latencies: listLatencies(db, monitor, range, now),
    degradedAbove: threshold(db, monitor, now),
    outages: listOutages(db, monitor, { since: rangeStart("90d", now), limit: MOST_OUTAGES }),
    lastCheckinAt: heartbeat?.lastCheckinAt ?? null,
    learnedPeriod: heartbeat && learnedPeriod(heartbeat.gaps),
    deadline,
  };
}

type Row = typeof monitors.$inferSelect;

function threshold(db: Database, { pk, baseline }: Row, now: number): number | null {
  if (!baseline) return null;
  return degradedAbove(currentBaseline(db, { pk, stored: baseline }, now));
}

function uptimes(db: Database, { pk, type }: Row, now: number): Record<Range, string | null> {
  const entries = RANGES.map((range) => [range, uptime(countsOf(type, listTalliesIn(db, pk, range, now)))]);
  return Object.fromEntries(entries);
}
