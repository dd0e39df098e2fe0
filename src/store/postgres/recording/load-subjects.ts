import type { Baseline } from "../../../domain/checks/latency-baseline.ts";
import { emptyBaseline } from "../../../domain/checks/latency-baseline.ts";
import {
  type StoredSubject as Subject,
  type SubjectRow,
  type SubjectValues,
  storedBaseline,
  subjectOf,
} from "../../recording/stored-subject.ts";
import type { Sql } from "../connections.ts";
import { loadBaselines } from "./baselines.ts";

/** A monitor as it was before a batch. Its state is locked until the transaction ends. */
export interface StoredSubject extends Subject {
  /** The fencing number of the latest claim, and the slot that it is for: see `schema.ts`. */
  claim: number;
  claimedSlot: number | null;
  /** When the latest result was made; null without results. */
  lastResultAt: number | null;
  /** The time of the database at which it was loaded. Times are milliseconds since 1970. */
  loadedAt: number;
}

const LOCK = `SELECT state.monitor_pk AS pk
  FROM monitors JOIN monitor_states AS state ON state.monitor_pk = monitors.pk
  WHERE monitors.id = ANY($1::text[])
  ORDER BY state.monitor_pk FOR UPDATE OF state`;

const LOAD = `SELECT monitors.pk, monitors.id, monitors.name, monitors.type, monitors.config, monitors.enabled,
    monitors.revision, monitors.confirmations, monitors.recoveries,
    organizations.id AS "organizationId", organizations.name AS "organizationName",
    state.status, state.status_since AS "statusSince", state.trouble_since AS "troubleSince",
    state.outage_pk AS "outagePk", state.next_check_at AS "nextCheckAt", state.last_result_pk AS "lastResultPk",
    state.last_good_latency AS "lastGoodLatency", state.deadline, state.rhythm, state.suspicion,
    state.claim, state.claimed_slot AS "claimedSlot", state.last_result_at AS "lastResultAt",
    (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS "loadedAt",
    outages.started_at AS "outageStartedAt", outages.status AS "outageStatus",
    location.memory, location.baseline_count AS "baselineCount", location.baseline_sum AS "baselineSum",
    location.baseline_squares AS "baselineSquares", location.baseline_start AS "baselineStart",
    location.restart_hour AS "restartHour", location.restart_count AS "restartCount",
    location.restart_sum AS "restartSum", location.restart_squares AS "restartSquares"
  FROM monitors
  JOIN organizations ON organizations.pk = monitors.organization_pk
  JOIN monitor_states AS state ON state.monitor_pk = monitors.pk
  LEFT JOIN outages ON outages.pk = state.outage_pk
  LEFT JOIN location_states AS location ON location.monitor_pk = monitors.pk AND location.location = 0
  WHERE monitors.pk = ANY($1::integer[])`;

type Row = SubjectRow &
  SubjectValues &
  Pick<StoredSubject, "claim" | "claimedSlot" | "lastResultAt" | "loadedAt">;

/**
 * Locks the states of monitors, in an order that prevents deadlocks. The lock protects all rows that recordings write for
 * these monitors: location states, outages, rollups and details.
 *
 * @returns the numbers of those that exist
 */
export async function lockStates(sql: Sql, monitorIds: readonly string[]): Promise<number[]> {
  const rows = await sql.query<{ pk: number }>(LOCK, [monitorIds]);
  return rows.map(({ pk }) => pk);
}

/**
 * Locks the states of the monitors of a batch of events, then loads the monitors, by ID. Deleted monitors are left out.
 *
 * @param times the time of an event of each monitor: its baseline is the one of that hour
 */
export async function loadSubjects(
  sql: Sql,
  times: ReadonlyMap<string, number>,
): Promise<Map<string, StoredSubject>> {
  const pks = await lockStates(sql, [...times.keys()]);
  // A statement of its own: it must see what was committed while the lock was awaited.
  const rows = await sql.query<Row>(LOAD, [pks]);
  const timeOf = ({ id }: Row) => times.get(id) ?? 0;
  const stored = rows.flatMap((row) => {
    const baseline = storedBaseline(row);
    return baseline ? [{ pk: row.pk, stored: baseline, now: timeOf(row) }] : [];
  });
  const baselines = await loadBaselines(sql, stored);
  return new Map(
    rows.map((row) => [row.id, toSubject(row, baselines.get(row.pk) ?? emptyBaseline, timeOf(row))]),
  );
}

function toSubject(row: Row, baseline: Baseline, now: number): StoredSubject {
  const { claim, claimedSlot, lastResultAt, loadedAt } = row;
  return { ...subjectOf(row, row, baseline, now), claim, claimedSlot, lastResultAt, loadedAt };
}
