import { emptyBaseline } from "../../../domain/checks/latency-baseline.ts";
import {
  type StoredSubject,
  type SubjectRow,
  storedBaseline,
  subjectOf,
} from "../../recording/stored-subject.ts";
import { type Database, prepared } from "../open.ts";
import { loadBaseline } from "../statistics/baselines.ts";

const LOAD = `SELECT monitors.pk, monitors.id, monitors.name, monitors.type, monitors.config, monitors.enabled,
    monitors.revision, monitors.confirmations, monitors.recoveries, organizations.id AS organizationId, organizations.name AS organizationName,
    monitor_states.status, monitor_states.status_since AS statusSince,
    monitor_states.trouble_since AS troubleSince, monitor_states.outage_pk AS outagePk,
    monitor_states.next_check_at AS nextCheckAt, monitor_states.last_result_pk AS lastResultPk,
    monitor_states.last_good_latency AS lastGoodLatency, monitor_states.deadline, monitor_states.rhythm,
    monitor_states.suspicion,
    outages.started_at AS outageStartedAt, outages.status AS outageStatus,
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

type Row = SubjectRow & {
  config: string;
  enabled: number;
  memory: string | null;
  rhythm: string | null;
  suspicion: string | null;
};

/**
 * Loads the monitors of a batch of events, by ID.
 *
 * @param times the time of an event of each monitor: its baseline is the one of that hour
 */
export function loadSubjects(db: Database, times: ReadonlyMap<string, number>): Map<string, StoredSubject> {
  const rows = prepared<Row, [string]>(db, LOAD).all(JSON.stringify([...times.keys()]));
  return new Map(rows.map((row) => [row.id, loadSubject(db, row, times.get(row.id) ?? 0)]));
}

function loadSubject(db: Database, row: Row, now: number): StoredSubject {
  const values = {
    config: JSON.parse(row.config),
    enabled: row.enabled !== 0,
    memory: row.memory === null ? null : JSON.parse(row.memory),
    rhythm: row.rhythm === null ? null : JSON.parse(row.rhythm),
    suspicion: row.suspicion === null ? null : JSON.parse(row.suspicion),
  };
  const stored = storedBaseline(row);
  const baseline = stored ? loadBaseline(db, { pk: row.pk, stored }, now) : emptyBaseline;
  return subjectOf(row, values, baseline, now);
}
