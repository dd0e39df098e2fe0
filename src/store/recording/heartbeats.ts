import { planRecording, type Recorded, type RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import type { HeartbeatQueries, OnUncomputable, OutageScope } from "../engine-queries.ts";
import type { Sql, Tx } from "../tx.ts";
import { savePlan, wantedAt } from "./record.ts";
import type { RecordingEngine } from "./recording-engine.ts";
import type { StoredSubject } from "./stored-subject.ts";

/** An outage of this service, or a clock that was set back, since its last sign of life. */
export type Interruption = { kind: "outage" | "setback"; from: number; at: number };

/** The parts that differ between the engines, because several nodes notice an interruption on PostgreSQL. */
interface HeartbeatEngine<Subject extends StoredSubject> {
  engine: RecordingEngine<Subject>;
  /** Runs work in one transaction that is on the disk when the promise resolves. */
  transactDurably<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs work on the deadlines of all jobs in one transaction. */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Notes that this service is alive. @returns what the caller has to record; null if there is nothing */
  endInterruption(sql: Sql, now: number): Promise<Interruption | null>;
  /** Moves the last sign of life back with the clock. @returns whether the caller has to move the deadlines */
  takeSetback(sql: Sql, jump: { from: number; to: number }): Promise<boolean>;
}

type Interrupted = Pick<HeartbeatQueries, "excuseOutage" | "recallDeadlines">;

export function interruptionsOn<Subject extends StoredSubject>({
  engine,
  transact,
  transactDurably,
  endInterruption,
  takeSetback,
}: HeartbeatEngine<Subject>): Interrupted {
  return {
    excuseOutage: (now, onUncomputable, outage = {}) =>
      transactDurably(async (tx) => {
        const interruption = await endInterruption(tx, now);
        return interruption ? recordForAll(tx, engine, { ...interruption, ...outage, onUncomputable }) : [];
      }),
    recallDeadlines: (jump, onUncomputable) =>
      transact(async (tx) => {
        // Times are stored in whole milliseconds.
        const [from, to] = [Math.round(jump.from), Math.round(jump.to)];
        if (await takeSetback(tx, { from, to }))
          await recordForAll(tx, engine, { kind: "setback", from, at: to, onUncomputable });
      }),
  };
}

const POSTPONE = `UPDATE monitor_states SET deadline = $1
  WHERE deadline IS NOT NULL AND monitor_pk = (SELECT pk FROM monitors WHERE id = $2)`;

export async function postponeDeadline({ query }: Sql, monitorId: string, until: number): Promise<void> {
  await query(POSTPONE, [until, monitorId]);
}

/** In the order in which recordings lock these rows. */
const LOCK_WAITING = `SELECT monitor_pk AS pk FROM monitor_states
  WHERE deadline < $1 OR rhythm->'runs'->'open'->0 IS NOT NULL ORDER BY monitor_pk FOR UPDATE`;

/** Jobs with the same schedule follow each other, so that the runs of the schedule are computed once. */
const SORT = "SELECT id FROM monitors WHERE pk = ANY($1) ORDER BY CAST(config AS text), pk";

/** Records an event for every monitor that has a deadline or an open run. @returns the recordings with missed runs */
async function recordForAll<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  {
    dueBefore = Number.MAX_SAFE_INTEGER,
    onUncomputable,
    ...event
  }: Interruption & OutageScope & { onUncomputable: OnUncomputable },
): Promise<Recorded[]> {
  const locked = await tx.query<{ pk: number }>(LOCK_WAITING, [dueBefore]);
  const waiting = await tx.query<{ id: string }>(SORT, [locked.map(({ pk }) => pk)]);
  const recorded: (Recorded | null)[] = [];
  for (let at = 0; at < waiting.length; at += BATCH) {
    const ids = waiting.slice(at, at + BATCH).map(({ id }) => id);
    const subjects = await engine.loadSubjects(tx, wantedAt(event.at, ids));
    const plan = planAll(subjects, { ids, event }, onUncomputable);
    await savePlan(tx, engine, { subjects, plan });
    recorded.push(...plan.recorded);
  }
  return recorded.filter((one) => one !== null).filter(({ missed }) => missed > 0);
}

/** How many monitors are in memory at once. */
const BATCH = 500;

/** Leaves out the monitors whose rhythm can't be computed. */
function planAll(
  subjects: Parameters<typeof planRecording>[0],
  { ids, event }: { ids: string[]; event: Interruption },
  onUncomputable: OnUncomputable,
): RecordingPlan {
  const events = ids.map((monitorId) => ({ ...event, monitorId }));
  try {
    return planRecording(subjects, events);
  } catch {
    const computable = events.filter((one) => {
      try {
        return planRecording(subjects, [one]);
      } catch (error) {
        onUncomputable(one.monitorId, error);
        return false;
      }
    });
    return planRecording(subjects, computable);
  }
}
