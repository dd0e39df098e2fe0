import { degradedAbove, type LatencySums } from "../../../domain/checks/latency-baseline.ts";
import type { HeartbeatState } from "../../../domain/heartbeats/heartbeat.ts";
import { learnedPeriod } from "../../../domain/heartbeats/learned-period.ts";
import { HERE } from "../../../domain/locations/location.ts";
import { progressOf, type Suspicion } from "../../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { bucketsOf, type HistoryItem, history, seenIn } from "../../../domain/results/history.ts";
import { RANGES, type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { type StatusCount, sumByStatus, uptime } from "../../../domain/results/uptime.ts";
import { notFound } from "../../../errors.ts";
import { placeReports } from "../../locations/latest.ts";
import { isCheckedHere } from "../../locations/monitor-locations.ts";
import type { MonitorReport } from "../../monitors/monitor-report.ts";
import { type BaselineColumns, baselineOf, currentBaseline, neededHours } from "../../results/baselines.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";
import { placesFor } from "../locations/known-places.ts";
import { findLatest } from "../locations/latest.ts";
import { organizationPk } from "../organization-pk.ts";
import { listCounts, NEVER } from "./counts.ts";
import { listLatencies, listLatenciesByLocation } from "./latency-series.ts";
import { listOutages } from "./outages.ts";
import { unitOf } from "./past-reader.ts";

const DAY = 24 * HOUR;

const MOST_OUTAGES = 20;

const FIND = `SELECT pk, type, confirmations, recoveries, status, status_since AS "statusSince", suspicion, rhythm, deadline,
    locations
  FROM monitors JOIN monitor_states ON monitor_pk = pk WHERE id = $1 AND monitors.organization_pk = $2`;

interface Row {
  pk: number;
  type: MonitorType;
  confirmations: number;
  recoveries: number;
  status: number;
  statusSince: number | null;
  suspicion: Suspicion | null;
  rhythm: Omit<HeartbeatState, "deadline"> | null;
  deadline: number | null;
  locations: number[] | null;
}

export async function findReport(
  sql: Sql,
  organizationId: string,
  { id, range }: { id: string; range: Range },
  now: number,
): Promise<MonitorReport> {
  const [row] = await sql.query<Row>(FIND, [id, await organizationPk(sql, organizationId)]);
  if (!row) throw notFound();
  const known = await placesFor(sql, organizationId, [row]);
  const counts = {
    hourly: await listCounts(sql, "hourly", row.pk, { since: hourOf(rangeStart("90d", now)) }),
    daily: await listCounts(sql, "daily", row.pk, { since: dayOf(rangeStart("90d", now)) }),
  };
  return {
    type: row.type,
    since: row.statusSince,
    suspicion: progressOf({ ...row, status: statusOfCode(row.status) }, row),
    uptime: uptimes(counts, now),
    history: historyOf(counts[unitOf(range)], row.type, { range, now }),
    latencies: await listLatencies(sql, row, range, now),
    latencyByLocation: known ? await listLatenciesByLocation(sql, row, { range, known }, now) : [],
    places: placeReports(row, known, await findLatest(sql, [row])),
    degradedAbove: isCheckedHere(row) ? await threshold(sql, row.pk, now) : null,
    outages: await listOutages(sql, row.pk, { since: rangeStart("90d", now), limit: MOST_OUTAGES }),
    lastCheckinAt: row.rhythm?.lastCheckinAt ?? null,
    learnedPeriod: row.rhythm && learnedPeriod(row.rhythm.gaps),
    deadline: row.deadline,
  };
}

/** The rollups of the trailing 90 days. */
interface Counts {
  hourly: StatusCount[];
  daily: StatusCount[];
}

/** The uptime over each range: by the hour on its first day, then by the day. */
function uptimes({ hourly, daily }: Counts, now: number): Record<Range, string | null> {
  const entries = RANGES.map((range) => {
    const since = hourOf(rangeStart(range, now));
    const nextDay = dayOf(since) + DAY;
    const hours = hourly.filter(({ start }) => start >= since && start < nextDay);
    const days = daily.filter(({ start }) => start >= nextDay);
    return [range, uptime(sumByStatus(days, sumByStatus(hours)))];
  });
  return Object.fromEntries(entries);
}

function historyOf(
  counts: StatusCount[],
  type: MonitorType,
  { range, now }: { range: Range; now: number },
): HistoryItem[] {
  const buckets = bucketsOf(range, now);
  return history(buckets, type, seenIn(buckets, counts));
}

const FIND_BASELINE = `SELECT baseline_count AS "baselineCount", baseline_sum AS "baselineSum",
    baseline_squares AS "baselineSquares", baseline_start AS "baselineStart", restart_hour AS "restartHour",
    restart_count AS "restartCount", restart_sum AS "restartSum", restart_squares AS "restartSquares"
  FROM location_states WHERE monitor_pk = $1 AND location = ${HERE}`;

const LIST_LATENCIES = `SELECT sum(latency_count) AS count, sum(latency_sum) AS sum, sum(latency_squares) AS "sumOfSquares"
  FROM hourly_rollups WHERE monitor_pk = $1 AND location = ${HERE} AND start >= $2 AND start < $3 GROUP BY start`;

async function threshold({ query }: Sql, pk: number, now: number): Promise<number | null> {
  const [row] = await query<BaselineColumns>(FIND_BASELINE, [pk]);
  if (!row) return null;
  const stored = baselineOf(row);
  const needed = neededHours(stored, now);
  const hours = needed
    ? await query<LatencySums>(LIST_LATENCIES, [
        pk,
        needed.since / HOUR,
        Math.min(needed.until / HOUR, NEVER),
      ])
    : [];
  return degradedAbove(currentBaseline(stored, now, hours));
}
