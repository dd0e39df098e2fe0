import { planRecording, type Recorded, type RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import type { Claimant, OnUncomputable, OutageScope, OverdueMonitor } from "../../engine-queries.ts";
import { wantedAt } from "../../recording/event-batches.ts";
import type { Sql } from "../../tx.ts";
import { loadSubjects } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";
import { endInterruption, type Interruption, takeSetback } from "./service-time.ts";

/** How long a missed run may take to be recorded before another node does so, in milliseconds. */
const LEASE = 15_000;

/** An array, because PostgreSQL may read the whole table for a join. */
const CLAIM_OVERDUE = `WITH claimed AS (
    UPDATE monitor_states SET claim = claim + 1, claimed_by = $2, claimed_slot = deadline, claimed_until = $4
    WHERE monitor_pk = ANY (ARRAY(
      SELECT monitor_pk FROM monitor_states
      WHERE deadline < $1 AND (claimed_slot IS DISTINCT FROM deadline OR claimed_until < $1 OR claimed_by = $2)
      ORDER BY deadline LIMIT $3 FOR UPDATE SKIP LOCKED))
    RETURNING monitor_pk, claim, deadline
  )
  SELECT (SELECT id FROM monitors WHERE pk = monitor_pk) AS "monitorId", claim
  FROM claimed ORDER BY deadline, monitor_pk`;

export function claimOverdue(
  { query }: Sql,
  { node }: Claimant,
  { now, limit }: { now: number; limit: number },
): Promise<OverdueMonitor[]> {
  return query<OverdueMonitor>(CLAIM_OVERDUE, [now, node, limit, now + LEASE]);
}

export async function excuseOutage(
  sql: Sql,
  now: number,
  onUncomputable: OnUncomputable,
  outage: OutageScope = {},
): Promise<Recorded[]> {
  const interruption = await endInterruption(sql, now);
  return interruption ? recordForAll(sql, { ...interruption, ...outage }, onUncomputable) : [];
}

export async function recallDeadlines(
  sql: Sql,
  jump: { from: number; to: number },
  onUncomputable: OnUncomputable,
): Promise<void> {
  // Times are stored in whole milliseconds.
  const [from, to] = [Math.round(jump.from), Math.round(jump.to)];
  if (!(await takeSetback(sql, { from, to }))) return;
  await recordForAll(sql, { kind: "setback", from, at: to }, onUncomputable);
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
const SORT = "SELECT id FROM monitors WHERE pk = ANY($1) ORDER BY config::text, pk";

/** How many monitors are in memory at once. */
const BATCH = 500;

/** Records an event for every monitor that has a deadline or an open run. @returns the recordings with missed runs */
async function recordForAll(
  sql: Sql,
  { dueBefore = Number.MAX_SAFE_INTEGER, ...event }: Interruption & OutageScope,
  onUncomputable: OnUncomputable,
): Promise<Recorded[]> {
  const locked = await sql.query<{ pk: number }>(LOCK_WAITING, [dueBefore]);
  const waiting = await sql.query<{ id: string }>(SORT, [locked.map(({ pk }) => pk)]);
  const recorded: (Recorded | null)[] = [];
  for (let at = 0; at < waiting.length; at += BATCH) {
    const ids = waiting.slice(at, at + BATCH).map(({ id }) => id);
    const subjects = await loadSubjects(sql, wantedAt(event.at, ids));
    const plan = planAll(subjects, { ids, event }, onUncomputable);
    await savePlan(sql, subjects, plan);
    recorded.push(...plan.recorded);
  }
  return recorded.filter((one) => one !== null).filter(({ missed }) => missed > 0);
}

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
