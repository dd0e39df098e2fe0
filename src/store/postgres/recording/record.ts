import { planRecording, type Recorded, type Recording } from "../../../domain/monitors/recording-plan.ts";
import { StorageFault } from "../../../errors.ts";
import type { RecordingQueries } from "../../engine-queries.ts";
import { splitEvents, wantedBy } from "../../recording/event-batches.ts";
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
} from "../../recording/observations.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import type { OpenClaims } from "../monitors/open-claims.ts";
import { withPartitions } from "../partitions.ts";
import { arraysOf } from "../values.ts";
import { loadSubjects, lockStates } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";
import { withValidClaim } from "./valid-claims.ts";

/**
 * The recordings of one process, in two queues: for checks, and for jobs. Within a queue they run one after the other: at
 * the same time, they would only wait for each other's locks. A check-in does not wait for a check, whose monitor may be locked.
 */
export function createRecording(connections: Connections, openClaims: OpenClaims): RecordingQueries {
  const [checks, jobs] = [createQueue(), createQueue()];
  const transact = <Result>(inTurn: Queue, work: (sql: Sql) => Promise<Result>) =>
    inTurn(() => withPartitions(connections, () => connections.transaction(work)));
  return {
    async record(events) {
      const isOfJobs = events.every(({ kind }) => kind !== "check");
      const recorded = await transact(isOfJobs ? jobs : checks, (sql) => record(sql, events, openClaims));
      openClaims.end(events);
      return recorded;
    },
    recordObservations: (batch) => transact(checks, (sql) => recordObservations(sql, batch, openClaims)),
    // A commit is on the disk.
    async syncResults() {},
  };
}

/** After waiting for longer than this, the cause is not other work, but a database that does not answer; milliseconds. */
const LONG_WAIT = 1000;

/** Runs pieces of work one after the other. */
type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** If the database does not answer one piece of work, the work that has waited for it fails too, so that no caller waits much longer. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let failure = { at: Number.NEGATIVE_INFINITY, error: undefined as unknown };
  return (work) => {
    const queuedAt = performance.now();
    const run = async () => {
      const now = performance.now();
      if (failure.at > queuedAt && now - queuedAt > LONG_WAIT) throw failure.error;
      try {
        return await work();
      } catch (error) {
        if (error instanceof StorageFault) failure = { at: performance.now(), error };
        throw error;
      }
    };
    const result = last.then(run, run);
    last = result;
    return result;
  };
}

/** @throws MissingPartition */
async function record(sql: Sql, events: Recording[], openClaims: OpenClaims): Promise<(Recorded | null)[]> {
  const batches = splitEvents(events);
  if (batches.length > 1) await lockStates(sql, [...new Set(events.map(({ monitorId }) => monitorId))]);
  const recorded: (Recorded | null)[] = [];
  for (const batch of batches) recorded.push(...(await recordBatch(sql, batch, openClaims)));
  return recorded;
}

/** Before the states of monitors: see `docs/storage.md`. */
const LOCK_TAKEN = `SELECT stream, replaced_streams AS "replacedStreams", stream_returned_at AS "streamReturnedAt", acknowledged
  FROM locations WHERE pk = $1 FOR NO KEY UPDATE`;
const SAVE_TAKEN = `UPDATE locations
  SET stream = $2, replaced_streams = $3, stream_returned_at = $4, acknowledged = $5 WHERE pk = $1`;

/** @throws MissingPartition */
async function recordObservations(
  sql: Sql,
  batch: ReceivedObservations,
  openClaims: OpenClaims,
): Promise<RecordedObservations> {
  const [taken] = await sql.query<TakenObservations>(LOCK_TAKEN, [batch.location]);
  if (!taken) return nothingRecorded(batch);
  const observations = newObservations(taken, batch);
  const recorded = await record(
    sql,
    observations.events.filter((event) => event !== null),
    openClaims,
  );
  await saveTaken(sql, batch.location, observations.taken);
  return recordedObservations(observations, recorded);
}

async function saveTaken(sql: Sql, location: number, taken: TakenObservations): Promise<void> {
  const { stream, replacedStreams, streamReturnedAt, acknowledged } = taken;
  const lists = [JSON.stringify(replacedStreams), JSON.stringify(acknowledged)] as const;
  await sql.query(SAVE_TAKEN, [location, stream, lists[0], streamReturnedAt, lists[1]]);
}

async function recordBatch(
  sql: Sql,
  events: Recording[],
  openClaims: OpenClaims,
): Promise<(Recorded | null)[]> {
  const subjects = await loadSubjects(sql, wantedBy(events));
  const valid = await withValidClaim(sql, events, { subjects, openClaims });
  const late = lateChecks(valid, subjects);
  const plan = planRecording(subjects, withStatusThen(valid, late, await findStatusesThen(sql, late)));
  await savePlan(sql, subjects, plan);
  const recorded = new Map(valid.map((event, at) => [event, plan.recorded[at] ?? null]));
  return events.map((event) => recorded.get(event) ?? null);
}

const FIND_OUTAGES = `SELECT (
    SELECT status FROM outages
    WHERE monitor_pk = late.monitor_pk AND started_at <= late.at AND (ended_at IS NULL OR ended_at > late.at)
    ORDER BY pk DESC LIMIT 1
  ) AS status
  FROM unnest($1::integer[], $2::bigint[]) WITH ORDINALITY AS late (monitor_pk, at, place) ORDER BY place`;

/** The statuses of the outages that were open at the times of late checks; null if none was. */
async function findStatusesThen(sql: Sql, late: readonly LateCheck[]) {
  if (late.length === 0) return [];
  const rows = await sql.query<{ status: number | null }>(FIND_OUTAGES, arraysOf(late, ["monitorPk", "at"]));
  return rows.map(({ status }) => (status === null ? null : statusOfCode(status)));
}
