import { HERE } from "../../domain/locations/location.ts";
import {
  planRecording,
  type Recorded,
  type Recording,
  type RecordingPlan,
} from "../../domain/monitors/recording-plan.ts";
import { hourOf } from "../../domain/results/rollup.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import {
  lateChecks,
  newObservations,
  nothingRecorded,
  type ReceivedObservations,
  type RecordedObservations,
  recordedObservations,
  type TakenObservations,
  withStatusThen,
} from "./observations.ts";
import type { RecordingEngine, Wanted } from "./recording-engine.ts";
import { saveRuns } from "./run-changes.ts";
import { saveDeliveries, scheduleReviewOfDependents } from "./save-deliveries.ts";
import { noteAnswers, type StoredEvidence, saveEvidence } from "./save-evidence.ts";
import { recoveredMonitors, saveOutages, saveStatusChanges, UNCHANGED } from "./save-outages.ts";
import { findSubject, type StoredSubject, type StoredSubjects } from "./stored-subject.ts";

/** Records a batch of events, within a transaction. @throws MissingPartition */
export async function record<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  events: Recording[],
): Promise<(Recorded | null)[]> {
  const batches = splitEvents(events);
  if (batches.length > 1) await engine.lockStates(tx, [...new Set(events.map(({ monitorId }) => monitorId))]);
  const recorded: (Recorded | null)[] = [];
  for (const batch of batches) recorded.push(...(await recordBatch(tx, engine, batch)));
  return recorded;
}

/**
 * Splits events into batches that can be planned at once: all events of one monitor are of the same hour, because its
 * baseline is loaded for one hour, and a claimed event is the first of its monitor, because its claim is compared with
 * the stored state.
 */
function splitEvents(events: readonly Recording[]): Recording[][] {
  const batches: Recording[][] = [];
  let batch: Recording[] = [];
  let times = new Map<string, number>();
  for (const event of events) {
    const time = timeOf(event);
    const known = times.get(event.monitorId);
    if (known !== undefined && (event.claim !== undefined || hourOf(known) !== hourOf(time))) {
      batches.push(batch);
      [batch, times] = [[], new Map()];
    }
    times.set(event.monitorId, time);
    batch.push(event);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/** Before the states of monitors: see `docs/storage.md`. */
const LOCK_TAKEN = `SELECT stream, replaced_streams AS "replacedStreams", stream_returned_at AS "streamReturnedAt", acknowledged
  FROM locations WHERE pk = $1 FOR NO KEY UPDATE`;
const SAVE_TAKEN = `UPDATE locations
  SET stream = $2, replaced_streams = $3, stream_returned_at = $4, acknowledged = $5 WHERE pk = $1`;

/** @throws MissingPartition */
export async function recordObservations<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  batch: ReceivedObservations,
): Promise<RecordedObservations> {
  const [row] = await tx.query<TakenObservations>(LOCK_TAKEN, [batch.location]);
  if (!row) return nothingRecorded(batch);
  const lists = { replacedStreams: fromJson(row.replacedStreams), acknowledged: fromJson(row.acknowledged) };
  const observations = newObservations({ ...row, ...lists }, batch);
  const recorded = await record(
    tx,
    engine,
    observations.events.filter((event) => event !== null),
  );
  await saveTaken(tx, batch.location, observations.taken);
  return recordedObservations(observations, recorded);
}

async function saveTaken({ query }: Sql, location: number, taken: TakenObservations): Promise<void> {
  const { stream, replacedStreams, streamReturnedAt, acknowledged } = taken;
  const lists = [JSON.stringify(replacedStreams), JSON.stringify(acknowledged)] as const;
  await query(SAVE_TAKEN, [location, stream, lists[0], streamReturnedAt, lists[1]]);
}

async function recordBatch<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  events: Recording[],
): Promise<(Recorded | null)[]> {
  const subjects = await engine.loadSubjects(tx, wantedBy(events));
  const valid = engine.withValidClaim ? await engine.withValidClaim(tx, events, subjects) : events;
  // Checks of this server are never late.
  const isFromElsewhere = valid.some((event) => event.kind === "check" && event.location);
  const plan = planRecording(subjects, isFromElsewhere ? await withStatusesThen(tx, valid, subjects) : valid);
  const at = Math.max(...valid.map(timeOf));
  const stored = await savePlan(tx, engine, { subjects, plan, now: at });
  noteAnswers(engine.evidence, plan, valid);
  noteStored(plan, valid, stored);
  if (valid.length === events.length) return plan.recorded;
  const recorded = new Map(valid.map((event, at) => [event, plan.recorded[at] ?? null]));
  return events.map((event) => recorded.get(event) ?? null);
}

/** Adds the evidence to what was recorded of its check. */
function noteStored(
  { recorded }: RecordingPlan,
  events: readonly Recording[],
  stored: readonly StoredEvidence[],
): void {
  for (const { look, monitorId, location } of stored) {
    const at = events.findIndex(
      (one) => one.kind === "check" && one.monitorId === monitorId && (one.location ?? HERE) === location,
    );
    const of = recorded[at];
    if (of) of.look = look;
  }
}

/** The parts that events need, by the ID of the monitor. */
function wantedBy(events: readonly Recording[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const event of events) {
    const location = event.kind === "check" ? (event.location ?? HERE) : HERE;
    const from = added(wanted.get(event.monitorId)?.from ?? NOWHERE, location);
    wanted.set(event.monitorId, { at: timeOf(event), from });
  }
  return wanted;
}

/** The parts of some monitors that an event at one moment needs. */
export function wantedAt(at: number, monitorIds: readonly string[]): Map<string, Wanted> {
  return new Map(monitorIds.map((id) => [id, { at, from: ONLY_HERE }]));
}

/** The parts of some monitors that a change without an event needs. */
export function wantedFromNowhere(at: number, monitorIds: readonly string[]): Map<string, Wanted> {
  return new Map(monitorIds.map((id) => [id, { at, from: NOWHERE }]));
}

const NOWHERE: ReadonlySet<number> = new Set();
const ONLY_HERE: ReadonlySet<number> = new Set([HERE]);

/** Almost all events are of this server: they share one set. */
function added(from: ReadonlySet<number>, location: number): ReadonlySet<number> {
  if (from.has(location)) return from;
  return from.size === 0 && location === HERE ? ONLY_HERE : new Set([...from, location]);
}

/** Late observations enter the history of their time, but the baselines of the present. */
function timeOf(event: Recording): number {
  return event.kind === "check" ? (event.receivedAt ?? event.at) : event.at;
}

const FIND_OUTAGES = `SELECT place, (
    SELECT status FROM outages
    WHERE monitor_pk = late.monitor_pk AND started_at <= late.at AND (ended_at IS NULL OR ended_at > late.at)
    ORDER BY pk DESC LIMIT 1
  ) AS status
  FROM json_to_recordset($1) AS late (monitor_pk integer, at bigint, place integer) ORDER BY place`;

/** The events, with the status of the outage that was open at the time of each late check; null if none was. */
async function withStatusesThen(
  { query }: Sql,
  events: readonly Recording[],
  subjects: StoredSubjects,
): Promise<readonly Recording[]> {
  const late = lateChecks(events, subjects);
  if (late.length === 0) return events;
  const wanted = late.map(({ monitorPk, at }, place) => ({ monitor_pk: monitorPk, at, place }));
  const rows = await query<{ status: number | null }>(FIND_OUTAGES, [JSON.stringify(wanted)]);
  const statuses = rows.map(({ status }) => (status === null ? null : statusOfCode(status)));
  return withStatusThen(events, late, statuses);
}

/**
 * Saves a plan, within the transaction that loaded its subjects. On PostgreSQL, the number of statements does not depend on the
 * size of the plan.
 *
 * @property now for the limits of evidence, which only checks have
 * @returns the evidence of which all was kept
 * @throws MissingPartition
 */
export async function savePlan<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  { subjects, plan, now }: { subjects: StoredSubjects<Subject>; plan: RecordingPlan; now?: number },
): Promise<StoredEvidence[]> {
  const results = await engine.saveResults(tx, subjects, plan.results);
  const rollups = plan.rollups.map(({ monitorId, ...rollup }) => {
    return { ...rollup, monitorPk: findSubject(subjects, monitorId).pk };
  });
  if (rollups.length > 0) await engine.addToRollups(tx, rollups);
  if (plan.results.some(({ previousStatus }) => previousStatus !== null))
    await saveStatusChanges(tx, results, plan.results);
  const { openOutages, opened } =
    plan.outages.length > 0 ? await saveOutages(tx, { subjects, results }, plan.outages) : UNCHANGED;
  const stored =
    plan.evidence.length > 0 || plan.outages.some(({ kind }) => kind === "opened")
      ? await saveEvidence(tx, subjects, { plan, parts: engine.evidence, now: now ?? 0 })
      : NO_EVIDENCE;
  await engine.saveStates(tx, { subjects, planned: plan.results, results, openOutages }, plan.states);
  if (plan.runs.length > 0) await saveRuns(tx, subjects, plan);
  await saveDeliveries(tx, { subjects, results, opened }, plan);
  const recovered = recoveredMonitors(subjects, plan);
  if (recovered.length > 0) await scheduleReviewOfDependents(tx, recovered);
  return stored;
}

const NO_EVIDENCE: StoredEvidence[] = [];
