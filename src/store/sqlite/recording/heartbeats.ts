import type { MonitorEvent } from "../../../domain/monitors/monitor-event.ts";
import { planRecording, type Recorded, type ServiceEvent } from "../../../domain/monitors/recording-plan.ts";
import type { Claimant, OnUncomputable, OutageScope, OverdueMonitor } from "../../engine-queries.ts";
import { wantedAt } from "../../recording/event-batches.ts";
import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared } from "../open.ts";
import { loadSubjects } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";

const CLAIM_OVERDUE = `SELECT monitors.id AS monitorId, 0 AS claim FROM monitor_states JOIN monitors ON monitors.pk = monitor_states.monitor_pk
  WHERE monitor_states.deadline < ? ORDER BY monitor_states.deadline LIMIT ?`;

export async function claimOverdue(
  db: Database,
  _by: Claimant,
  { now, limit }: { now: number; limit: number },
): Promise<OverdueMonitor[]> {
  return prepared<OverdueMonitor, [number, number]>(db, CLAIM_OVERDUE).all(now, limit);
}

export async function noteAlive(db: Database, now: number): Promise<void> {
  commitWithoutSync(db, () => saveAlive(db, now));
}

export async function excuseOutage(
  db: Database,
  now: number,
  onUncomputable: OnUncomputable,
  outage: OutageScope = {},
): Promise<Recorded[]> {
  return db.transaction(
    () => {
      const from = findAlive(db) ?? now;
      const kind = from < now ? "outage" : "setback";
      const recorded =
        from === now ? [] : recordForAll(db, { kind, from, at: now, ...outage }, onUncomputable);
      saveAlive(db, now);
      return recorded;
    },
    { behavior: "immediate" },
  );
}

export async function recallDeadlines(
  db: Database,
  jump: { from: number; to: number },
  onUncomputable: OnUncomputable,
): Promise<void> {
  // Times are stored in whole milliseconds.
  const [from, to] = [Math.round(jump.from), Math.round(jump.to)];
  commitWithoutSync(db, () => {
    recordForAll(db, { kind: "setback", from, at: to }, onUncomputable);
    saveAlive(db, Math.min(to, (findAlive(db) ?? from) - (from - to)));
  });
}

const POSTPONE = `UPDATE monitor_states SET deadline = ?1
  WHERE deadline IS NOT NULL AND monitor_pk = (SELECT pk FROM monitors WHERE id = ?2)`;

export async function postponeDeadline(db: Database, monitorId: string, until: number): Promise<void> {
  commitWithoutSync(db, () => db.$client.query(POSTPONE).run(until, monitorId));
}

function findAlive(db: Database): number | undefined {
  return db.$client.query<{ aliveAt: number }, []>("SELECT alive_at AS aliveAt FROM service").get()?.aliveAt;
}

const SAVE_ALIVE = `INSERT INTO service (pk, alive_at) VALUES (1, ?1)
  ON CONFLICT (pk) DO UPDATE SET alive_at = ?1`;

function saveAlive(db: Database, now: number): void {
  prepared(db, SAVE_ALIVE).run(now);
}

/** Jobs with the same schedule follow each other, so that the runs of the schedule are computed once. */
const LIST_WAITING = `SELECT monitors.id FROM monitor_states JOIN monitors ON monitors.pk = monitor_states.monitor_pk
  WHERE monitor_states.deadline < ? OR monitor_states.rhythm LIKE '%"open":[{%' ORDER BY monitors.config`;

/** How many monitors are in memory at once. */
const BATCH = 500;

/**
 * Records an event for every monitor that has a deadline or an open run, within a transaction.
 *
 * @property dueBefore leaves out monitors with a later deadline and without an open run
 * @returns the recordings with missed runs
 */
function recordForAll(
  db: Database,
  {
    dueBefore = Number.MAX_SAFE_INTEGER,
    ...event
  }: MonitorEvent & { kind: "outage" | "setback"; from: number } & OutageScope,
  onUncomputable: OnUncomputable,
): Recorded[] {
  const ids = db.$client
    .query<{ id: string }, [number]>(LIST_WAITING)
    .all(dueBefore)
    .map(({ id }) => id);
  const recorded: Recorded[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    const subjects = loadSubjects(db, wantedAt(event.at, batch));
    for (const monitorId of batch) {
      const planned = planOne({ ...event, monitorId });
      if (!planned) continue;
      savePlan(db, subjects, planned);
      recorded.push(...planned.recorded.flatMap((one) => (one && one.missed > 0 ? [one] : [])));
    }

    function planOne(one: ServiceEvent) {
      try {
        return planRecording(subjects, [one]);
      } catch (error) {
        onUncomputable(one.monitorId, error);
        return null;
      }
    }
  }
  return recorded;
}
