import type { Claimant, OverdueMonitor } from "../../engine-queries.ts";
import type { Interruption } from "../../recording/heartbeats.ts";
import type { RecordingEngine } from "../../recording/recording-engine.ts";
import type { Sql } from "../../tx.ts";
import { databaseOf } from "../open.ts";
import { addToRollups } from "../statistics/statistics.ts";
import { loadBaselines, loadSubjects } from "./load-subjects.ts";
import { saveResults, saveStates } from "./save-states.ts";

/** One process writes, one transaction at a time: nothing is to be locked, and nobody else claims anything. */
export const recordingEngine: RecordingEngine = {
  monitorsAtOnce: 50,
  lockStates: async () => {},
  loadSubjects,
  loadBaselines,
  withValidClaim: async (_, events) => events,
  saveResults: async (tx, subjects, results) => saveResults(databaseOf(tx), subjects, results),
  addToRollups: async (tx, rollups, pkOf) => addToRollups(databaseOf(tx), rollups, pkOf),
  saveStates: async (tx, saved, states) => saveStates(databaseOf(tx), saved, states),
};

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
