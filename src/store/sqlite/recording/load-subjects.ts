import type { Memory } from "../../../domain/checks/judge.ts";
import type { Baseline, LatencySums } from "../../../domain/checks/latency-baseline.ts";
import type { Suspicion } from "../../../domain/monitors/confirmation.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import type { Wanted } from "../../recording/event-batches.ts";
import { subjectsOf } from "../../recording/load-subjects.ts";
import { baselineKey, type WantedBaseline } from "../../recording/recording-engine.ts";
import {
  IS_AWAITED,
  type StoredSubject,
  SUBJECT_COLUMNS,
  type SubjectRow,
  type SubjectValues,
} from "../../recording/stored-subject.ts";
import { currentBaseline, LIST_LATENCIES, neededHours } from "../../results/baselines.ts";
import { HOUR, OPEN_COLUMNS } from "../../results/open-hours.ts";
import type { Tx } from "../../tx.ts";
import { type Database, databaseOf, prepared, rowsOf } from "../open.ts";

const LOAD = `SELECT ${SUBJECT_COLUMNS},
    organizations.pk AS organizationPk, organizations.id AS organizationId, organizations.name AS organizationName,
    organizations.maintenance_revision AS maintenanceRevision,
    CASE WHEN organizations.maintenance_revision <> 0 THEN monitors.tags END AS tags,
    monitor_states.status, monitor_states.status_since AS statusSince,
    monitor_states.trouble_since AS troubleSince, monitor_states.outage_pk AS outagePk,
    monitor_states.next_check_at AS nextCheckAt, monitor_states.last_result_pk AS lastResultPk,
    monitor_states.last_good_latency AS lastGoodLatency, monitor_states.deadline, monitor_states.rhythm,
    monitor_states.suspicion, monitor_states.places_since AS placesSince, monitor_states.status_before AS statusBefore,
    ${IS_AWAITED},
    ${OPEN_COLUMNS},
    outages.id AS outageId, outages.started_at AS outageStartedAt, outages.status AS outageStatus,
    outages.reason AS outageReason,
    outages.acknowledged_at AS acknowledgedAt, outages.acknowledged_by AS acknowledgedBy, outages.note,
    location_states.memory, location_states.baseline_count AS baselineCount,
    location_states.baseline_sum AS baselineSum, location_states.baseline_squares AS baselineSquares,
    location_states.baseline_start AS baselineStart, location_states.restart_hour AS restartHour,
    location_states.restart_count AS restartCount, location_states.restart_sum AS restartSum,
    location_states.restart_squares AS restartSquares
  FROM json_each(?1) AS wanted
  CROSS JOIN monitors ON monitors.id = wanted.value
  CROSS JOIN organizations ON organizations.pk = monitors.organization_pk
  CROSS JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  LEFT JOIN outages ON outages.pk = monitor_states.outage_pk
  LEFT JOIN location_states ON location_states.monitor_pk = monitors.pk AND location_states.location = 0`;

type LoadedRow = SubjectRow & {
  config: string;
  enabled: number;
  memory: string | null;
  rhythm: string | null;
  suspicion: string | null;
  isAwaited: number;
  locations: string | null;
  downWhen: string | null;
  tags: string | null;
};

/** Loads some monitors, by ID. */
export async function loadSubjects(
  tx: Tx,
  wanted: ReadonlyMap<string, Wanted>,
): Promise<Map<string, StoredSubject>> {
  const db = databaseOf(tx);
  const rows = prepared<LoadedRow, [string]>(db, LOAD)
    .all(JSON.stringify([...wanted.keys()]))
    .map(parsedRow);
  return subjectsOf(tx, rows, { wanted, loadBaselines });
}

function parsedRow(row: LoadedRow): SubjectRow & SubjectValues & StoredPlacement {
  return Object.assign(row, {
    config: JSON.parse(row.config),
    enabled: row.enabled !== 0,
    memory: parsed<Memory>(row.memory),
    rhythm: parsed<SubjectValues["rhythm"]>(row.rhythm),
    suspicion: parsed<Suspicion>(row.suspicion),
    isAwaited: row.isAwaited !== 0,
    tags: parsed<string[]>(row.tags),
    locations: parsed<number[]>(row.locations),
    downWhen: parsed<StoredPlacement["downWhen"]>(row.downWhen),
  });
}

function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : JSON.parse(text);
}

/** Most monitors need no hours: their baseline is of the present. */
export async function loadBaselines(
  tx: Tx,
  wanted: readonly WantedBaseline[],
): Promise<Map<string, Baseline>> {
  return new Map(wanted.map((one) => [baselineKey(one), loadBaseline(databaseOf(tx), one)]));
}

function loadBaseline(db: Database, { pk, location, stored, now }: WantedBaseline): Baseline {
  const needed = neededHours(stored, now);
  if (!needed) return currentBaseline(stored, now, []);
  const hours = [needed.since / HOUR, needed.until / HOUR];
  return currentBaseline(stored, now, rowsOf<LatencySums>(db, LIST_LATENCIES, [pk, location, ...hours]));
}
