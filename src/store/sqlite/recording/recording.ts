import type { Memory } from "../../../domain/checks/judge.ts";
import type { Baseline, LatencySums } from "../../../domain/checks/latency-baseline.ts";
import { EvidenceBudget, LastAnswers } from "../../../domain/evidence/evidence-limits.ts";
import type { Suspicion } from "../../../domain/monitors/confirmation.ts";
import type { Claimant, OverdueMonitor } from "../../engine-queries.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import type { Interruption } from "../../recording/heartbeats.ts";
import { baselineKey, type RecordingEngine, type WantedBaseline } from "../../recording/recording-engine.ts";
import {
  IS_AWAITED,
  SUBJECT_COLUMNS,
  type SubjectRow,
  type SubjectValues,
  subjectsOf,
} from "../../recording/stored-subject.ts";
import {
  currentBaseline,
  HOUR,
  LIST_LATENCIES,
  neededHours,
  OPEN_COLUMNS,
} from "../../results/hour-columns.ts";
import type { Sql } from "../../tx.ts";
import { type Database, prepared } from "../database.ts";
import { addToRollups } from "../statistics/statistics.ts";
import { saveResults, saveStates } from "./save-states.ts";

/**
 * Records on a connection. One process writes, one transaction at a time: nothing is to be locked, and nobody else claims
 * anything.
 */
export function recordingEngineOn(db: Database): RecordingEngine {
  return {
    evidence: { budget: new EvidenceBudget(), answers: new LastAnswers() },
    monitorsAtOnce: 50,
    lockStates: async () => {},
    loadSubjects: (tx, wanted) => subjectsOf(tx, loadRows(db, [...wanted.keys()]), { wanted, loadBaselines }),
    loadBaselines,
    saveResults: async (_, subjects, results) => saveResults(db, subjects, results),
    addToRollups: async (_, rollups) => addToRollups(db, rollups),
    saveStates: async (_, saved, states) => saveStates(db, saved, states),
  };
}

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

function loadRows(db: Database, monitorIds: readonly string[]) {
  return prepared<LoadedRow, [string]>(db, LOAD).all(JSON.stringify(monitorIds)).map(parsedRow);
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

/** The baselines of some locations, by `baselineKey`: see `currentBaseline`. */
async function loadBaselines(
  { query }: Sql,
  wanted: readonly WantedBaseline[],
): Promise<Map<string, Baseline>> {
  const baselines = new Map<string, Baseline>();
  for (const { pk, location, stored, now } of wanted) {
    const needed = neededHours(stored, now);
    const hours = needed
      ? await query<LatencySums>(LIST_LATENCIES, [pk, location, needed.since / HOUR, needed.until / HOUR])
      : [];
    baselines.set(baselineKey({ pk, location }), currentBaseline(stored, now, hours));
  }
  return baselines;
}

const LIST_OVERDUE = `SELECT monitors.id AS "monitorId", 0 AS claim
  FROM monitor_states JOIN monitors ON monitors.pk = monitor_states.monitor_pk
  WHERE monitor_states.deadline < $1 ORDER BY monitor_states.deadline LIMIT $2`;

export function listOverdue(
  { query }: Sql,
  _by: Claimant,
  { now, limit }: { now: number; limit: number },
): Promise<OverdueMonitor[]> {
  return query(LIST_OVERDUE, [now, limit]);
}

const SAVE_ALIVE = `INSERT INTO service (pk, alive_at) VALUES (1, $1)
  ON CONFLICT (pk) DO UPDATE SET alive_at = $1`;

export async function noteAlive({ query }: Sql, now: number): Promise<void> {
  await query(SAVE_ALIVE, [now]);
}

async function findAlive({ query }: Sql): Promise<number | undefined> {
  const [row] = await query<{ aliveAt: number }>('SELECT alive_at AS "aliveAt" FROM service');
  return row?.aliveAt;
}

export async function endInterruption(sql: Sql, now: number): Promise<Interruption | null> {
  const from = (await findAlive(sql)) ?? now;
  await noteAlive(sql, now);
  return from === now ? null : { kind: from < now ? "outage" : "setback", from, at: now };
}

export async function takeSetback(sql: Sql, { from, to }: { from: number; to: number }): Promise<boolean> {
  const alive = (await findAlive(sql)) ?? from;
  await noteAlive(sql, Math.min(to, alive - (from - to)));
  return true;
}
