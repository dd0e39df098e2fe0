import type { Detail } from "../../../domain/checks/observation.ts";
import type { MonitorState, PlannedResult } from "../../../domain/monitors/recording-plan.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { SavedResult, SavedStates } from "../../recording/recording-engine.ts";
import { storedHeartbeat } from "../../recording/stored-heartbeat.ts";
import { type ChangedPlace, changedPlaces } from "../../recording/stored-places.ts";
import {
  changedHere,
  findSubject,
  type StoredHere,
  type StoredSubject,
  type StoredSubjects,
} from "../../recording/stored-subject.ts";
import { openColumns } from "../../results/hour-columns.ts";
import { detailText, packMeasured, USE_PRECISION } from "../../results/timings.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../database.ts";
import { rollupCacheOf } from "../statistics/statistics.ts";

/** The cache of rollups forgets them after the commit: until then, its readers would read the previous rollups again. */
export function saveResults(
  db: Database,
  subjects: StoredSubjects,
  results: readonly PlannedResult[],
): SavedResult[] {
  const cache = rollupCacheOf(db);
  return results.map((result) => {
    const subject = findSubject(subjects, result.monitorId);
    cache.noteResult(subject.pk, result.createdAt);
    return insertResult(db, subject, result);
  });
}

/** One check or check-in, as it is recorded. */
interface ResultValues {
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  createdAt: number;
}

const INSERT = `INSERT INTO check_results (monitor_pk, status, timings, detail_pk, created_at)
  VALUES (?, ?, ?, ?, ?)`;

export function insertResult(
  db: Database,
  { pk: monitorPk, organizationPk }: Pick<StoredSubject, "pk" | "organizationPk">,
  { status: word, latencyMs, detail, createdAt }: ResultValues,
): SavedResult {
  const { timings, rest } = packMeasured({ latencyMs, detail });
  const detailPk = rest && internDetail(db, monitorPk, rest, createdAt);
  const status = statusCodes[word];
  const { lastInsertRowid } = prepared(db, INSERT).run(monitorPk, status, timings, detailPk, createdAt);
  return { pk: Number(lastInsertRowid), organizationPk, monitorPk, status, timings, detailPk, createdAt };
}

const FIND = "SELECT pk, used_at AS usedAt FROM details WHERE monitor_pk = ? AND hash = ?";
const INSERT_DETAIL = "INSERT INTO details (monitor_pk, hash, text, used_at) VALUES (?, ?, ?, ?)";
const USE = "UPDATE details SET used_at = ? WHERE pk = ?";

/**
 * Stores a detail, or finds the equal one: most results of a monitor differ only in their timings. To be called within
 * the transaction of the result.
 *
 * @param now milliseconds since 1970
 * @returns the number of the detail
 */
export function internDetail(db: Database, monitorPk: number, detail: Detail, now: number): number {
  const { text, hash } = detailText(detail);
  const existing = prepared<{ pk: number; usedAt: number }, [number, Uint8Array]>(db, FIND).get(
    monitorPk,
    hash,
  );
  if (!existing) return Number(prepared(db, INSERT_DETAIL).run(monitorPk, hash, text, now).lastInsertRowid);
  if (now - existing.usedAt > USE_PRECISION) prepared(db, USE).run(now, existing.pk);
  return existing.pk;
}

export function saveStates(
  db: Database,
  { subjects, planned, results, openOutages }: SavedStates<StoredSubject>,
  states: ReadonlyMap<string, MonitorState>,
): void {
  const lastResults = new Map<string, SavedResult | undefined>();
  for (const [at, { monitorId, isLate }] of planned.entries())
    if (!isLate) lastResults.set(monitorId, results[at]);
  for (const [monitorId, state] of states) {
    const subject = findSubject(subjects, monitorId);
    const outagePk = openOutages.get(monitorId);
    saveState(db, subject, state, {
      lastResult: lastResults.get(monitorId),
      outagePk: outagePk === undefined ? subject.outagePk : outagePk,
    });
    saveSuspicion(db, subject, state);
    saveStatusBefore(db, subject, state);
    const here = changedHere(subject, state);
    if (here) saveHere(db, subject, here);
    if (state.places) for (const place of changedPlaces(subject, state.places)) savePlace(db, place);
  }
}

/*
 * SQLite writes an index for each update that names its column, changed or not: hence one statement for each kind of
 * change. A check changes when the next one is due, and a check-in changes the deadline.
 */
const CHANGED = `status_since = ?, trouble_since = ?, outage_pk = ?, last_good_latency = ?,
  open_start = ?, open_status = ?, open_count = ?, open_latency_count = ?, open_latency_sum = ?,
  open_latency_squares = ?, open_shortest = ?, open_longest = ?`;
const LAST = "last_result_pk = ?, last_status = ?, last_timings = ?, last_detail_pk = ?, last_result_at = ?";

/** With a new result and without one. */
const savesOf = (rest: string) => ({
  withResult: `UPDATE monitor_states SET ${CHANGED}, ${LAST}, ${rest} WHERE monitor_pk = ?`,
  withoutResult: `UPDATE monitor_states SET ${CHANGED}, ${rest} WHERE monitor_pk = ?`,
});

const SAVE_CHECKED = savesOf("next_check_at = ?");
const SAVE_SCHEDULED = savesOf("deadline = ?, rhythm = ?").withResult;
/** The start of a run changes nothing else. */
const SAVE_RHYTHM = "UPDATE monitor_states SET deadline = ?, rhythm = ? WHERE monitor_pk = ?";
const SAVE_CHANGED = savesOf("next_check_at = ?, deadline = ?, rhythm = ?, status = ?");

const HUNDREDTHS = 100;

function saveState(
  db: Database,
  { pk, type, config, state: before }: StoredSubject,
  state: MonitorState,
  { lastResult: last, outagePk }: { lastResult: SavedResult | undefined; outagePk: number | null },
): void {
  const { status, nextCheckAt } = state;
  const rhythm = type === "SCHEDULED" ? rhythmValues(state, config) : NO_RHYTHM;
  if (type === "SCHEDULED" && !last) {
    prepared(db, SAVE_RHYTHM).run(...rhythm, pk);
    return;
  }
  const values = changedValues(state, outagePk);
  if (last) values.push(last.pk, last.status, last.timings, last.detailPk, last.createdAt);
  const kind = last ? "withResult" : "withoutResult";
  if (status !== before.status)
    prepared(db, SAVE_CHANGED[kind]).run(...values, nextCheckAt, ...rhythm, statusCodes[status], pk);
  else if (type === "SCHEDULED") prepared(db, SAVE_SCHEDULED).run(...values, ...rhythm, pk);
  else prepared(db, SAVE_CHECKED[kind]).run(...values, nextCheckAt, pk);
}

/** A deadline and a rhythm, in JSON. */
type RhythmValues = [deadline: number | null, rhythm: string | null];

const NO_RHYTHM: RhythmValues = [null, null];

function rhythmValues({ heartbeat }: MonitorState, config: StoredSubject["config"]): RhythmValues {
  const { deadline, rhythm } = storedHeartbeat(heartbeat, config);
  return [deadline, rhythm && JSON.stringify(rhythm)];
}

/** In the order of the columns of `CHANGED`. */
function changedValues(state: MonitorState, outagePk: number | null): (number | Uint8Array | null)[] {
  const { statusSince, troubleSince, lastGoodLatencyMs, openHour } = state;
  const latency = lastGoodLatencyMs === null ? null : Math.round(lastGoodLatencyMs * HUNDREDTHS);
  const open = openColumns(openHour);
  return [
    statusSince,
    troubleSince,
    outagePk,
    latency,
    open.openStart,
    open.openStatus,
    open.openCount,
    open.openLatencyCount,
    open.openLatencySum,
    open.openLatencySquares,
    open.openShortest,
    open.openLongest,
  ];
}

const SAVE_SUSPICION = "UPDATE monitor_states SET suspicion = ? WHERE monitor_pk = ?";

function saveSuspicion(
  db: Database,
  { pk, state: before }: StoredSubject,
  { suspicion }: MonitorState,
): void {
  if (suspicion === before.suspicion) return;
  prepared(db, SAVE_SUSPICION).run(suspicion && JSON.stringify(suspicion), pk);
}

const SAVE_STATUS_BEFORE = "UPDATE monitor_states SET status_before = ? WHERE monitor_pk = ?";

function saveStatusBefore(
  db: Database,
  { pk, state: before }: StoredSubject,
  { statusBefore }: MonitorState,
): void {
  if (statusBefore === before.statusBefore) return;
  prepared(db, SAVE_STATUS_BEFORE).run(statusBefore && statusCodes[statusBefore], pk);
}

const CREATE_LOCATION = `INSERT INTO location_states
  (memory, baseline_count, baseline_sum, baseline_squares, baseline_start, monitor_pk, location)
  VALUES (?, ?, ?, ?, ?, ?, 0)`;
const UPDATE_LOCATION = `UPDATE location_states
  SET memory = ?, baseline_count = ?, baseline_sum = ?, baseline_squares = ?, baseline_start = ?
  WHERE monitor_pk = ? AND location = 0`;

function saveHere(
  db: Database,
  { pk, storedBaseline }: StoredSubject,
  { memory, count, sum, sumOfSquares, start }: StoredHere,
): void {
  const statement = storedBaseline === null ? CREATE_LOCATION : UPDATE_LOCATION;
  prepared(db, statement).run(memory && JSON.stringify(memory), count, sum, sumOfSquares, start, pk);
}

/*
 * SQLite writes an index for each update that names its column, changed or not. A check rarely changes what its location
 * sees.
 */
const UPDATE = `UPDATE location_states SET memory = ?, baseline_count = ?, baseline_sum = ?, baseline_squares = ?,
    baseline_start = ?, latest_at = ?, latest = ?
  WHERE monitor_pk = ? AND location = ?`;

const SAVE = `INSERT INTO location_states (memory, baseline_count, baseline_sum, baseline_squares, baseline_start, latest_at,
    latest, monitor_pk, location, latest_status, recheck_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (monitor_pk, location) DO UPDATE SET memory = excluded.memory, baseline_count = excluded.baseline_count,
    baseline_sum = excluded.baseline_sum, baseline_squares = excluded.baseline_squares,
    baseline_start = excluded.baseline_start, latest_at = excluded.latest_at, latest = excluded.latest,
    latest_status = excluded.latest_status, recheck_at = excluded.recheck_at`;

/** Saves the state of a location of a monitor that is not checked only from this server. */
function savePlace(db: Database, place: ChangedPlace): void {
  const { monitorPk, location, memory, count, sum, sumOfSquares, start, latestAt, latest } = place;
  const values = [memory, count, sum, sumOfSquares, start, latestAt, latest, monitorPk, location];
  if (place.isIndexed) prepared(db, SAVE).run(...values, place.latestStatus, place.recheckAt);
  else prepared(db, UPDATE).run(...values);
}
