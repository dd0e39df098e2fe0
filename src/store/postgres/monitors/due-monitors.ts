import { CLAIM_MARGIN } from "../../../domain/checks/check-slot.ts";
import type { Claimant } from "../../engine-queries.ts";
import type { DueMonitor, Slot } from "../../monitors/due-monitor.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";

/**
 * How long before its time a slot of another node's part is listed, in milliseconds. The other node lists it earlier, so
 * the nodes share the work evenly and rarely claim the same slot.
 */
const OTHERS_AHEAD = 250;

const LIST_DUE = `SELECT monitor_pk AS pk, next_check_at AS "nextCheckAt" FROM monitor_states
  WHERE next_check_at < $2 AND (monitor_pk % $5 = $4 OR next_check_at < $6)
    AND (claimed_slot IS DISTINCT FROM next_check_at OR claimed_until < $1 OR claimed_by = $3)
  ORDER BY next_check_at, monitor_pk`;

export function listDueSlots(
  { query }: Sql,
  { node, place, nodes }: Claimant,
  { now, before }: { now: number; before: number },
): Promise<Slot[]> {
  return query<Slot>(LIST_DUE, [now, before, node, place, nodes, now + OTHERS_AHEAD]);
}

/** The lease is the timeout of the check, computed as by `checkTimeout`, and `CLAIM_MARGIN`. */
const CLAIM = `WITH wanted AS (
    SELECT * FROM unnest($1::integer[], $2::bigint[]) WITH ORDINALITY AS wanted (pk, slot, position)
  ),
  free AS (
    SELECT state.monitor_pk, wanted.position
    FROM wanted JOIN monitor_states AS state ON state.monitor_pk = wanted.pk
    WHERE state.next_check_at = wanted.slot
      AND (state.claimed_slot IS DISTINCT FROM state.next_check_at OR state.claimed_until < $3 OR state.claimed_by = $4)
    FOR UPDATE OF state SKIP LOCKED
  ),
  claimed AS (
    UPDATE monitor_states AS state
    SET claim = state.claim + 1, claimed_by = $4, claimed_slot = state.next_check_at,
      claimed_until = greatest(state.next_check_at, $3) + $5 + 1000 *
        coalesce((monitor.config ->> 'timeout')::numeric, least(10, (monitor.config ->> 'interval')::numeric))
    FROM free JOIN monitors AS monitor ON monitor.pk = free.monitor_pk
    WHERE state.monitor_pk = free.monitor_pk
    RETURNING monitor.pk, monitor.id, monitor.type, monitor.config, state.status, monitor.revision,
      state.next_check_at AS "nextCheckAt", state.claim, free.position
  )
  SELECT pk, id, type, config, status, revision, "nextCheckAt", claim FROM claimed ORDER BY position`;

type Row = Omit<DueMonitor, "status"> & { status: number };

export async function claimSlots(
  { query }: Sql,
  slots: readonly Slot[],
  { node }: Claimant,
  now: number,
): Promise<DueMonitor[]> {
  if (slots.length === 0) return [];
  const [pks, times] = [slots.map(({ pk }) => pk), slots.map(({ nextCheckAt }) => nextCheckAt)];
  const rows = await query<Row>(CLAIM, [pks, times, now, node, CLAIM_MARGIN]);
  return rows.map((row) => ({ ...row, status: statusOfCode(row.status) }));
}

const RECALL = `UPDATE monitor_states SET next_check_at = $1 WHERE monitor_pk IN (
    SELECT monitor_pk FROM monitor_states JOIN monitors ON monitors.pk = monitor_pk
    WHERE next_check_at > $1 + (config ->> 'interval')::numeric * 1000
    ORDER BY monitor_pk FOR UPDATE OF monitor_states)
  RETURNING monitor_pk`;

export async function recallChecks({ query }: Sql, now: number): Promise<number> {
  return (await query(RECALL, [now])).length;
}
