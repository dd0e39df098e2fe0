import {
  planRecording,
  type Recorded,
  type Recording,
  type RecordingPlan,
} from "../../domain/monitors/recording-plan.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { splitEvents, wantedBy } from "./event-batches.ts";
import {
  type LateCheck,
  lateChecks,
  newObservations,
  nothingRecorded,
  type ReceivedObservations,
  type RecordedObservations,
  recordedObservations,
  type TakenObservations,
  withStatusThen,
} from "./observations.ts";
import type { RecordingEngine } from "./recording-engine.ts";
import { saveRuns } from "./run-changes.ts";
import { saveDeliveries, scheduleReviewOfDependents } from "./save-deliveries.ts";
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
  const valid = await engine.withValidClaim(tx, events, subjects);
  const late = lateChecks(valid, subjects);
  const statuses = late.length > 0 ? await findStatusesThen(tx, late) : [];
  const plan = planRecording(subjects, withStatusThen(valid, late, statuses));
  await savePlan(tx, engine, { subjects, plan });
  if (valid.length === events.length) return plan.recorded;
  const recorded = new Map(valid.map((event, at) => [event, plan.recorded[at] ?? null]));
  return events.map((event) => recorded.get(event) ?? null);
}

const FIND_OUTAGES = `SELECT place, (
    SELECT status FROM outages
    WHERE monitor_pk = late.monitor_pk AND started_at <= late.at AND (ended_at IS NULL OR ended_at > late.at)
    ORDER BY pk DESC LIMIT 1
  ) AS status
  FROM json_to_recordset($1) AS late (monitor_pk integer, at bigint, place integer) ORDER BY place`;

/** The statuses of the outages that were open at the times of late checks; null if none was. */
async function findStatusesThen({ query }: Sql, late: readonly LateCheck[]) {
  const wanted = late.map(({ monitorPk, at }, place) => ({ monitor_pk: monitorPk, at, place }));
  const rows = await query<{ status: number | null }>(FIND_OUTAGES, [JSON.stringify(wanted)]);
  return rows.map(({ status }) => (status === null ? null : statusOfCode(status)));
}

/**
 * Saves a plan, within the transaction that loaded its subjects. On PostgreSQL, the number of statements does not depend on the
 * size of the plan.
 *
 * @throws MissingPartition
 */
export async function savePlan<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  { subjects, plan }: { subjects: StoredSubjects<Subject>; plan: RecordingPlan },
): Promise<void> {
  const results = await engine.saveResults(tx, subjects, plan.results);
  if (plan.rollups.length > 0)
    await engine.addToRollups(tx, plan.rollups, (monitorId) => findSubject(subjects, monitorId).pk);
  if (plan.results.some(({ previousStatus }) => previousStatus !== null))
    await saveStatusChanges(tx, { subjects, results }, plan.results);
  const { openOutages, opened } =
    plan.outages.length > 0 ? await saveOutages(tx, { subjects, results }, plan.outages) : UNCHANGED;
  await engine.saveStates(tx, { subjects, planned: plan.results, results, openOutages }, plan.states);
  if (plan.runs.length > 0) await saveRuns(tx, subjects, plan);
  await saveDeliveries(tx, { subjects, resultPks: results.map(({ pk }) => pk), opened }, plan);
  const recovered = recoveredMonitors(subjects, plan);
  if (recovered.length > 0) await scheduleReviewOfDependents(tx, recovered);
}
