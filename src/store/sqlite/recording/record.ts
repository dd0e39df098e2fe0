import { planRecording, type Recorded, type Recording } from "../../../domain/monitors/recording-plan.ts";
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
import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared } from "../open.ts";
import { loadSubjects } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";

export async function record(db: Database, events: Recording[]): Promise<(Recorded | null)[]> {
  return commitWithoutSync(db, () => recordAll(db, events));
}

const FIND_TAKEN = `SELECT stream, replaced_streams AS replacedStreams, stream_returned_at AS streamReturnedAt, acknowledged
  FROM locations WHERE pk = ?`;
const SAVE_TAKEN = `UPDATE locations
  SET stream = ?, replaced_streams = ?, stream_returned_at = ?, acknowledged = ? WHERE pk = ?`;

export async function recordObservations(
  db: Database,
  batch: ReceivedObservations,
): Promise<RecordedObservations> {
  return commitWithoutSync(db, () => {
    const taken = findTaken(db, batch.location);
    if (!taken) return nothingRecorded(batch);
    const observations = newObservations(taken, batch);
    const recorded = recordAll(
      db,
      observations.events.filter((event) => event !== null),
    );
    saveTaken(db, batch.location, observations.taken);
    return recordedObservations(observations, recorded);
  });
}

function findTaken(db: Database, location: number): TakenObservations | null {
  const row = prepared<TakenRow, [number]>(db, FIND_TAKEN).get(location);
  if (!row) return null;
  return {
    ...row,
    replacedStreams: JSON.parse(row.replacedStreams),
    acknowledged: row.acknowledged === null ? null : JSON.parse(row.acknowledged),
  };
}

type TakenRow = Omit<TakenObservations, "replacedStreams" | "acknowledged"> & {
  replacedStreams: string;
  acknowledged: string | null;
};

function saveTaken(db: Database, location: number, taken: TakenObservations): void {
  const { stream, replacedStreams, streamReturnedAt, acknowledged } = taken;
  const lists = [JSON.stringify(replacedStreams), JSON.stringify(acknowledged)] as const;
  prepared(db, SAVE_TAKEN).run(stream, lists[0], streamReturnedAt, lists[1], location);
}

function recordAll(db: Database, events: readonly Recording[]): (Recorded | null)[] {
  return splitEvents(events).flatMap((batch) => recordBatch(db, batch));
}

function recordBatch(db: Database, events: Recording[]): (Recorded | null)[] {
  const subjects = loadSubjects(db, wantedBy(events));
  const late = lateChecks(events, subjects);
  const statuses = late.map((check) => findStatusThen(db, check));
  const plan = planRecording(subjects, withStatusThen(events, late, statuses));
  savePlan(db, subjects, plan);
  return plan.recorded;
}

const FIND_OUTAGE = `SELECT status FROM outages
  WHERE monitor_pk = ?1 AND started_at <= ?2 AND (ended_at IS NULL OR ended_at > ?2) ORDER BY pk DESC LIMIT 1`;

/** The status of the outage that was open at the time of a late check; null if none was. */
function findStatusThen(db: Database, { monitorPk, at }: LateCheck) {
  const row = prepared<{ status: number }, [number, number]>(db, FIND_OUTAGE).get(monitorPk, at);
  return row ? statusOfCode(row.status) : null;
}
