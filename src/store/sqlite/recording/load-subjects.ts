import type { Memory } from "../../../domain/checks/judge.ts";
import { noLatency } from "../../../domain/checks/latency-baseline.ts";
import { HERE } from "../../../domain/locations/location.ts";
import type { Suspicion } from "../../../domain/monitors/confirmation.ts";
import {
  type CalendarKey,
  type Calendars,
  calendarsOf,
  LIST_DEFINITIONS,
  unknownCalendars,
} from "../../maintenance/calendars.ts";
import type { Wanted } from "../../recording/event-batches.ts";
import {
  IS_AWAITED,
  type LoadedPlaces,
  type StoredSubject,
  SUBJECT_COLUMNS,
  type SubjectRow,
  type SubjectValues,
  storedBaseline,
  subjectOf,
} from "../../recording/stored-subject.ts";
import { OPEN_COLUMNS } from "../../results/open-hours.ts";
import { type Database, prepared, rowsOf } from "../open.ts";
import { loadBaseline, loadPlaces, type PlacedMonitor } from "./load-places.ts";

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
export function loadSubjects(db: Database, wanted: ReadonlyMap<string, Wanted>): Map<string, StoredSubject> {
  const rows = prepared<LoadedRow, [string]>(db, LOAD).all(JSON.stringify([...wanted.keys()]));
  const placed = loadPlaces(
    db,
    rows.filter(({ locations }) => locations !== null).map(placedMonitor),
    wanted,
  );
  const calendars = findCalendars(db, rows);
  return new Map(
    rows.map((row) => {
      const now = wanted.get(row.id)?.at ?? 0;
      return [row.id, loadSubject(db, row, { now, placed: placed.get(row.pk) ?? null, calendars })];
    }),
  );
}

function placedMonitor({
  pk,
  id,
  organizationId,
  placesSince,
  locations,
  downWhen,
}: LoadedRow): PlacedMonitor {
  return { pk, id, organizationId, placesSince, locations: parsed(locations), downWhen: parsed(downWhen) };
}

function loadSubject(
  db: Database,
  row: LoadedRow,
  { now, placed, calendars }: { now: number; placed: LoadedPlaces | null; calendars: Calendars },
): StoredSubject {
  const values = {
    config: JSON.parse(row.config),
    enabled: row.enabled !== 0,
    memory: parsed<Memory>(row.memory),
    rhythm: parsed<SubjectValues["rhythm"]>(row.rhythm),
    suspicion: parsed<Suspicion>(row.suspicion),
    isAwaited: row.isAwaited !== 0,
    tags: parsed<string[]>(row.tags),
  };
  const stored = placed ? null : storedBaseline(row);
  const baseline = stored ? loadBaseline(db, { pk: row.pk, location: HERE, stored }, now) : noLatency;
  return subjectOf(row, values, { baseline, now, placed, calendars });
}

function findCalendars(db: Database, keys: readonly CalendarKey[]): Calendars {
  const unknown = unknownCalendars(keys);
  return calendarsOf(keys, unknown.length > 0 ? rowsOf(db, LIST_DEFINITIONS, [unknown]) : []);
}

function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : JSON.parse(text);
}
