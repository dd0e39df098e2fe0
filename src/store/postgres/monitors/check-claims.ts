import { CLAIM_MARGIN, checkTimeout } from "../../../domain/checks/check-slot.ts";
import type { Recording } from "../../../domain/monitors/recording-plan.ts";
import type { Claimant } from "../../engine-queries.ts";
import type { DueMonitor, Slot } from "../../monitors/related-monitors.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import type { PostgresTx } from "../connections.ts";
import { arrayOf, arraysOf } from "../values.ts";

/*
 * The claims of checks: one row for all checks with the same lease that a node claims at once. A claim of a slot is made under the
 * lock of its shard, so two nodes never claim one slot. See "Several nodes" in `docs/storage.md`.
 */

/** Parts of the monitors by their number. Up to six nodes and eight have no shard in common for what they prefer. */
export const SHARDS = 120;

/** With the number of a shard, identifies its lock. An arbitrary number. */
export const LOCK_SPACE = 535_550_483;

/** A transaction that holds the lock of a shard is claiming: its slots are left to it. The shards are noted until the transaction ends. */
const LOCK_SHARDS = `SELECT set_config('stillup.shards', coalesce(string_agg(shard::text, ','), ''), true)
  FROM unnest($1::integer[]) AS shard WHERE pg_try_advisory_xact_lock(${LOCK_SPACE}, shard)`;

const LOCKED_SHARDS =
  "(SELECT string_to_array(current_setting('stillup.shards'), ',')::integer[])::integer[]";

/** The claimed slots. `$1` is the time, `$2` the number of a claim before which there is none, `$3` the number of this node. */
const CLAIMED = `SELECT entry.pk, entry.slot
  FROM check_claims, unnest(monitor_pks, slots) AS entry (pk, slot) WHERE check_claims.pk >= $2`;

export const CLAIMED_BY_OTHERS = `${CLAIMED} AND node <> $3 AND greatest(entry.slot, claimed_at) + lease >= $1`;
export const CLAIMED_HERE = `${CLAIMED} AND node = $3`;

/*
 * Each row is found by the number of its monitor: for a join, PostgreSQL may read the whole tables, and many monitors may
 * have the same slot. Hence the subqueries, and `IS NOT DISTINCT FROM`, for which no index is used.
 */
const FIND = `SELECT monitor.*, state.status, wanted.slot AS "nextCheckAt",
    (wanted.pk, wanted.slot) IN (${CLAIMED} AND node <> $3) AS "isTakeover"
  FROM unnest($4::integer[], $5::bigint[]) WITH ORDINALITY AS wanted (pk, slot, place)
  CROSS JOIN LATERAL (
    SELECT status FROM monitor_states
    WHERE monitor_pk = wanted.pk AND next_check_at IS NOT DISTINCT FROM wanted.slot OFFSET 0
  ) AS state
  CROSS JOIN LATERAL (
    SELECT pk, id, type, config, revision FROM monitors WHERE pk = wanted.pk OFFSET 0
  ) AS monitor
  WHERE wanted.pk % ${SHARDS} = ANY(${LOCKED_SHARDS}) AND (wanted.pk, wanted.slot) NOT IN (${CLAIMED_BY_OTHERS})
  ORDER BY wanted.place`;

/** The numbers of the rows are the fencing numbers. They are given under the locks, so that a later claim of a slot has a larger one. */
const CLAIM = `INSERT INTO check_claims (node, claimed_at, lease, is_takeover, monitor_pks, slots)
  SELECT $1, $2, lease, is_takeover, array_agg(pk), array_agg(slot)
  FROM unnest($3::integer[], $4::bigint[], $5::bigint[], $6::boolean[]) AS claimed (pk, slot, lease, is_takeover)
  GROUP BY lease, is_takeover
  RETURNING pk AS claim, lease, is_takeover AS "isTakeover"`;

const DELETE = "DELETE FROM check_claims WHERE pk = ANY($1::bigint[])";

type Row = Omit<DueMonitor, "status" | "claim"> & { status: number; isTakeover: boolean };

/**
 * @property ended claims of this node that are to be deleted @property first no claim has a smaller number
 * @returns reads what was claimed, after the end of the transaction
 */
export async function claimSlots(
  { query, queue }: PostgresTx,
  { slots, ended, first }: { slots: readonly Slot[]; ended: readonly number[]; first: number },
  { node }: Claimant,
  now: number,
): Promise<() => Promise<DueMonitor[]>> {
  if (ended.length > 0) void queue(DELETE, [arrayOf(ended)]);
  void queue(LOCK_SHARDS, [arrayOf([...new Set(slots.map(({ pk }) => pk % SHARDS))])]);
  // A statement of its own: it must see what other nodes claimed before they released the locks.
  const rows = await query<Row>(FIND, [now, first, node, ...arraysOf(slots, ["pk", "nextCheckAt"])]);
  const claimed = rows.map((row) => ({ ...row, lease: checkTimeout(row.config) + CLAIM_MARGIN }));
  const columns = arraysOf(claimed, ["pk", "nextCheckAt", "lease", "isTakeover"]);
  const claims = queue<Pick<Row, "isTakeover"> & { claim: number; lease: number }>(CLAIM, [
    node,
    now,
    ...columns,
  ]);
  return async () => {
    const byKind = new Map(
      (await claims).map(({ claim, lease, isTakeover }) => [`${lease} ${isTakeover}`, claim]),
    );
    return claimed.map(({ lease, isTakeover, status, ...monitor }) => ({
      ...monitor,
      status: statusOfCode(status),
      claim: byKind.get(`${lease} ${isTakeover}`) ?? 0,
    }));
  };
}

/** A claim without an end. */
const HANDED_BACK = -(10 ** 15);

const HAND_BACK = `UPDATE check_claims SET lease = ${HANDED_BACK} WHERE node = $1`;

/** Ends all claims of a node. Its outcomes still count until another node claims the slots. */
export async function handBackClaims({ query }: Sql, node: number): Promise<void> {
  await query(HAND_BACK, [node]);
}

const FIND_FIRST = "SELECT min(pk) AS first FROM check_claims";

/** A transaction that is still open may have a claim with a smaller number than the first one that is committed, by less than this. */
const UNCOMMITTED = 1000;

/** The number of a claim before which there is none. */
export async function findFirstClaim({ query }: Sql): Promise<number> {
  const [row] = await query<{ first: number | null }>(FIND_FIRST);
  return (row?.first ?? 0) - UNCOMMITTED;
}

/** A minute after the end of a claim, or after an hour if one of its checks has no outcome yet, which may still be recorded. */
const DELETE_OLD = `DELETE FROM check_claims
  WHERE claimed_at + greatest(lease, 0) < $1::bigint - 3600000
    OR claimed_at + greatest(lease, 0) < $1::bigint - 60000 AND NOT EXISTS (
      SELECT FROM unnest(monitor_pks, slots) AS entry (pk, slot)
      WHERE slot = (SELECT next_check_at FROM monitor_states WHERE monitor_pk = entry.pk))`;

/** Deletes claims of nodes that ended, and of checks that gave no outcome. */
export async function deleteOldClaims({ query }: Sql, now: number): Promise<void> {
  await query(DELETE_OLD, [now]);
}

/** The claims that this process made, until their checks have ended. */
export interface OpenClaims {
  open(claimed: readonly DueMonitor[]): void;
  /** The slot for which a claim was made; undefined if it is not known here. */
  slotOf(claim: number, monitorId: string): number | undefined;
  /** The outcomes of some checks were recorded, or dropped. */
  end(events: readonly Recording[]): void;
  /** The claims of which all checks have ended since the last call. */
  takeEnded(): number[];
}

export function createOpenClaims(): OpenClaims {
  /** The latest claim of each monitor, by its ID. A check that gives no outcome ends with the next claim of its monitor. */
  const latest = new Map<string, { claim: number; slot: number }>();
  /** How many checks of each claim have not ended. */
  const counts = new Map<number, number>();
  let ended: number[] = [];

  function endOne(claim: number): void {
    const left = (counts.get(claim) ?? 0) - 1;
    if (left > 0) return void counts.set(claim, left);
    counts.delete(claim);
    ended.push(claim);
  }

  return {
    open(claimed) {
      for (const { id, claim, nextCheckAt: slot } of claimed) {
        const previous = latest.get(id);
        if (previous) endOne(previous.claim);
        latest.set(id, { claim, slot });
        counts.set(claim, (counts.get(claim) ?? 0) + 1);
      }
    },
    slotOf(claim, monitorId) {
      const known = latest.get(monitorId);
      return known?.claim === claim ? known.slot : undefined;
    },
    end(events) {
      for (const { claim, monitorId } of events) {
        if (claim === undefined || latest.get(monitorId)?.claim !== claim) continue;
        latest.delete(monitorId);
        endOne(claim);
      }
    },
    takeEnded() {
      const taken = ended;
      ended = [];
      return taken;
    },
  };
}
