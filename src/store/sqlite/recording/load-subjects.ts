import { baselineStart, emptyBaseline } from "../../../domain/checks/latency-baseline.ts";
import { type HeartbeatState, silentHeartbeat } from "../../../domain/heartbeats/heartbeat.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { OpenOutage } from "../../../domain/monitors/outage.ts";
import type { RecordingSubject } from "../../../domain/monitors/recording-plan.ts";
import { statusOfCode } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";
import {
  type BaselineColumns,
  baselineOf,
  currentBaseline,
  type StoredBaseline,
} from "../statistics/baselines.ts";

/** A monitor as it was before a batch, with the numbers of its rows. */
export interface StoredSubject extends RecordingSubject {
  pk: number;
  outagePk: number | null;
  lastResultPk: number | null;
  /** The first hour of the stored baseline; null if there is no row of `location_states`. */
  storedBaselineStart: number | null;
}

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

interface Row {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  config: string;
  enabled: number;
  revision: number;
  confirmations: number;
  recoveries: number;
  organizationId: string;
  organizationName: string;
  status: number;
  statusSince: number | null;
  troubleSince: number | null;
  outagePk: number | null;
  nextCheckAt: number | null;
  lastResultPk: number | null;
  lastGoodLatency: number | null;
  deadline: number | null;
  rhythm: string | null;
  suspicion: string | null;
  outageStartedAt: number | null;
  outageStatus: number | null;
  memory: string | null;
  baselineCount: number | null;
  baselineSum: number | null;
  baselineSquares: number | null;
  baselineStart: number | null;
  restartHour: number | null;
  restartCount: number | null;
  restartSum: number | null;
  restartSquares: number | null;
}

const HUNDREDTHS = 100;

/**
 * Loads the monitors of a batch of events, by ID.
 *
 * @param times the time of an event of each monitor: its baseline is the one of that hour
 */
export function loadSubjects(db: Database, times: ReadonlyMap<string, number>): Map<string, StoredSubject> {
  const rows = prepared<Row, [string]>(db, LOAD).all(JSON.stringify([...times.keys()]));
  return new Map(rows.map((row) => [row.id, subjectOf(db, row, times.get(row.id) ?? 0)]));
}

function subjectOf(db: Database, row: Row, now: number): StoredSubject {
  const { pk, id, name, type, revision, confirmations, recoveries, outagePk, lastResultPk } = row;
  const stored = storedBaseline(row);
  return {
    pk,
    outagePk,
    lastResultPk,
    storedBaselineStart: stored?.start ?? null,
    id,
    organization: { id: row.organizationId, name: row.organizationName },
    name,
    type,
    config: JSON.parse(row.config),
    enabled: row.enabled !== 0,
    revision,
    confirmations,
    recoveries,
    state: {
      status: statusOfCode(row.status),
      statusSince: row.statusSince,
      troubleSince: row.troubleSince,
      suspicion: row.suspicion === null ? null : JSON.parse(row.suspicion),
      outage: outageOf(row),
      lastGoodLatencyMs: row.lastGoodLatency === null ? null : row.lastGoodLatency / HUNDREDTHS,
      nextCheckAt: row.nextCheckAt,
      memory: row.memory === null ? null : JSON.parse(row.memory),
      baseline: stored ? currentBaseline(db, { pk, ...stored }, now) : emptyBaseline,
      baselineStart: baselineStart(now),
      heartbeat: heartbeatOf(row),
    },
  };
}

function outageOf({ outageStartedAt, outageStatus }: Row): OpenOutage | null {
  if (outageStartedAt === null || outageStatus === null) return null;
  return { startedAt: outageStartedAt, status: statusOfCode(outageStatus) };
}

function heartbeatOf({ rhythm, deadline }: Row): HeartbeatState {
  return { ...silentHeartbeat, ...(rhythm !== null && JSON.parse(rhythm)), deadline };
}

function storedBaseline(row: Row): StoredBaseline | null {
  return hasBaseline(row) ? baselineOf(row) : null;
}

function hasBaseline(row: Row): row is Row & BaselineColumns {
  return row.baselineCount !== null;
}
