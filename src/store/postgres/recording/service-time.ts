import type { Claimant, OverdueMonitor } from "../../engine-queries.ts";
import type { Interruption } from "../../recording/heartbeats.ts";
import type { Sql } from "../../tx.ts";

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

/*
 * The row `service` has the last sign of life of any node. Each node notices an outage or a step of the clock by itself;
 * the lock of the row decides which one comes first, and what the row contains shows the others that it is done.
 */

/** Nodes give a sign of life each second. A shorter silence of all of them is no outage; milliseconds. */
const MAX_SILENCE = 2500;

/** How much earlier than the stored sign of life another node may have sent its own: it waited for a lock; milliseconds. */
const MAX_DELAY = 10_000;

/** Two reports of a step whose sizes differ by less than this may be of the same step, in milliseconds. */
const SAME_SIZE = 2000;

interface ServiceTime {
  aliveAt: number;
  setbackTo: number | null;
  setbackBy: number | null;
}

/** Who holds the lock notes a sign of life too. */
const NOTE_ALIVE = `UPDATE service
  SET alive_at = CASE WHEN alive_at - $1 BETWEEN 0 AND $2 THEN alive_at ELSE $1 END
  WHERE pk = (SELECT pk FROM service FOR UPDATE SKIP LOCKED)
  RETURNING pk`;

const FIRST_ALIVE = "INSERT INTO service (pk, alive_at) VALUES (1, $1) ON CONFLICT (pk) DO NOTHING";

export async function noteAlive({ query }: Sql, now: number): Promise<void> {
  const noted = await query(NOTE_ALIVE, [now, MAX_DELAY]);
  if (noted.length === 0) await query(FIRST_ALIVE, [now]);
}

/** Creates the row if this is the first start. */
const LOCK = `INSERT INTO service (pk, alive_at) VALUES (1, $1)
  ON CONFLICT (pk) DO UPDATE SET alive_at = service.alive_at
  RETURNING alive_at AS "aliveAt", setback_to AS "setbackTo", setback_by AS "setbackBy"`;

const SAVE = "UPDATE service SET alive_at = $1, setback_to = $2, setback_by = $3";

/**
 * Notes that this service is alive, and keeps other nodes from doing so until the end of the transaction.
 *
 * @returns what the caller has to record; null if there was nothing, or if another node has recorded it
 */
export async function endInterruption(sql: Sql, now: number): Promise<Interruption | null> {
  const service = await lock(sql, now);
  const gap = now - service.aliveAt;
  if (gap >= -MAX_DELAY && gap <= MAX_SILENCE) {
    await save(sql, { ...service, aliveAt: Math.max(now, service.aliveAt) });
    return null;
  }
  const setback = gap < 0 && { setbackTo: now, setbackBy: -gap };
  await save(sql, { ...service, aliveAt: now, ...setback });
  return { kind: gap < 0 ? "setback" : "outage", from: service.aliveAt, at: now };
}

/**
 * Moves the last sign of life back with the clock.
 *
 * @returns whether the caller has to move the deadlines: no other node did so
 */
export async function takeSetback(sql: Sql, { from, to }: { from: number; to: number }): Promise<boolean> {
  const service = await lock(sql, from);
  if (isDone(service, { from, to })) return false;
  const [setbackTo, setbackBy] = [to, from - to];
  await save(sql, { aliveAt: Math.min(to, service.aliveAt - setbackBy), setbackTo, setbackBy });
  return true;
}

function isDone(
  { aliveAt, setbackTo, setbackBy }: ServiceTime,
  { from, to }: { from: number; to: number },
): boolean {
  const by = from - to;
  // Another node gives its signs of life by the new time already.
  if (Math.abs(aliveAt - to) < Math.min(MAX_DELAY, by / 2)) return true;
  if (setbackTo === null || setbackBy === null) return false;
  return Math.abs(to - setbackTo) < MAX_DELAY && Math.abs(by - setbackBy) < SAME_SIZE;
}

async function lock({ query }: Sql, now: number): Promise<ServiceTime> {
  const [row] = await query<ServiceTime>(LOCK, [now]);
  if (!row) throw new Error("the insert returned no row");
  return row;
}

async function save({ query }: Sql, { aliveAt, setbackTo, setbackBy }: ServiceTime): Promise<void> {
  await query(SAVE, [aliveAt, setbackTo, setbackBy]);
}
