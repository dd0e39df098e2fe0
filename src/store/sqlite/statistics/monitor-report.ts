import { and, eq } from "drizzle-orm";
import { degradedAbove } from "../../../domain/checks/latency-baseline.ts";
import { learnedPeriod } from "../../../domain/heartbeats/learned-period.ts";
import { HERE } from "../../../domain/locations/location.ts";
import { progressOf } from "../../../domain/monitors/confirmation.ts";
import { RANGES, type Range, rangeStart } from "../../../domain/results/range.ts";
import { sumByStatus, uptime } from "../../../domain/results/uptime.ts";
import { notFound } from "../../../errors.ts";
import { placeReports } from "../../locations/latest.ts";
import { isCheckedHere } from "../../locations/monitor-locations.ts";
import type { MonitorReport } from "../../monitors/monitor-report.ts";
import { baselineOf } from "../../results/baselines.ts";
import { placesFor } from "../locations/known-places.ts";
import { findLatest } from "../locations/latest.ts";
import type { Database } from "../open.ts";
import { organizationPk } from "../organization-pk.ts";
import { locationStates, monitorStates, monitors } from "../schema.ts";
import { loadBaseline } from "./baselines.ts";
import { findHistory } from "./history-reader.ts";
import { listLatencies, listLatenciesByLocation } from "./latency-series.ts";
import { listCountsIn } from "./ninety-days.ts";
import { listOutages } from "./outages.ts";

const MOST_OUTAGES = 20;

export async function findReport(
  db: Database,
  organizationId: string,
  { id, range }: { id: string; range: Range },
  now: number,
): Promise<MonitorReport> {
  const row = db
    .select()
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(and(eq(monitors.id, id), eq(monitors.organizationPk, organizationPk(db, organizationId))))
    .get();
  if (!row) throw notFound();
  const { monitors: monitor, monitor_states: state } = row;
  const { pk, type } = monitor;
  const known = placesFor(db, organizationId, [monitor]);
  return {
    type,
    since: state.statusSince,
    suspicion: progressOf(state, monitor),
    uptime: uptimes(db, pk, now),
    history: findHistory(db, monitor, range, now),
    latencies: listLatencies(db, monitor, range, now),
    latencyByLocation: known ? listLatenciesByLocation(db, monitor, { range, known }, now) : [],
    places: placeReports(monitor, known, findLatest(db, [monitor])),
    degradedAbove: isCheckedHere(monitor) ? threshold(db, pk, now) : null,
    outages: listOutages(db, pk, { since: rangeStart("90d", now), limit: MOST_OUTAGES }),
    lastCheckinAt: state.rhythm?.lastCheckinAt ?? null,
    learnedPeriod: state.rhythm && learnedPeriod(state.rhythm.gaps),
    deadline: state.deadline,
  };
}

function threshold(db: Database, pk: number, now: number): number | null {
  const fromHere = and(eq(locationStates.monitorPk, pk), eq(locationStates.location, HERE));
  const row = db.select().from(locationStates).where(fromHere).get();
  return row ? degradedAbove(loadBaseline(db, { pk, location: HERE, stored: baselineOf(row) }, now)) : null;
}

function uptimes(db: Database, pk: number, now: number): Record<Range, string | null> {
  const entries = RANGES.map((range) => [range, uptime(sumByStatus(listCountsIn(db, pk, range, now)))]);
  return Object.fromEntries(entries);
}
