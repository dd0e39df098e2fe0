import { CHANNEL_LEASE } from "../../domain/alerts/delivery.ts";
import type { ChannelClaims } from "../alerts/due-deliveries.ts";
import type { ReviewLocks } from "../alerts/review/alert-reviews.ts";
import type { Claimant } from "../engine-queries.ts";
import type { Sql } from "../tx.ts";
import { handBackClaims } from "./monitors/check-claims.ts";

/** A node extends its own claim, or takes over one that has lapsed. */
const TAKE = `INSERT INTO leases AS lease (name, claim, claimed_by, claimed_until) VALUES ($1, 1, $2, $4)
  ON CONFLICT (name) DO UPDATE
  SET claim = lease.claim + 1, claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
  WHERE lease.claimed_by = $2 OR lease.claimed_until < $3
  RETURNING name`;

export async function takeLease(
  { query }: Sql,
  name: string,
  { node }: Claimant,
  { now, lease }: { now: number; lease: number },
): Promise<boolean> {
  return (await query(TAKE, [name, node, now, now + lease])).length > 0;
}

/*
 * The fencing numbers stay, so an outcome that is still under way can be written until another node claims the work.
 * Rows are locked in the order in which recordings lock them.
 */
const RELEASE_JOBS = `UPDATE monitor_states SET claimed_until = 0 WHERE monitor_pk IN (
    SELECT monitor_pk FROM monitor_states
    WHERE claimed_by = $1 AND claimed_slot = deadline AND claimed_until > 0
    ORDER BY monitor_pk FOR UPDATE)`;
const RELEASE_CHANNELS = `UPDATE alert_channels SET claimed_until = 0 WHERE pk IN (
    SELECT pk FROM alert_channels WHERE claimed_by = $1 AND claimed_until > 0 ORDER BY pk FOR NO KEY UPDATE)`;
const RELEASE_LEASES = "UPDATE leases SET claimed_until = 0 WHERE claimed_by = $1 AND claimed_until > 0";

export async function releaseClaims(sql: Sql, node: number): Promise<void> {
  for (const release of [RELEASE_JOBS, RELEASE_CHANNELS, RELEASE_LEASES]) await sql.query(release, [node]);
  await handBackClaims(sql, node);
}

const LOCK_FREE_CHANNELS = `SELECT channel.pk
  FROM alert_channels AS channel JOIN deliveries ON deliveries.channel_pk = channel.pk
  WHERE deliveries.pk = ANY($1) AND (claimed_until IS NULL OR claimed_until < $2 OR claimed_by = $3)
  FOR NO KEY UPDATE OF channel SKIP LOCKED`;
const CLAIM_CHANNELS = `UPDATE alert_channels SET claim = claim + 1, claimed_by = $2, claimed_until = $3 WHERE pk = ANY($1)
  RETURNING pk, claim`;

/** The claims of channels, within a transaction. */
export function channelClaims({ query }: Sql, { node }: Claimant, now: number): ChannelClaims {
  return {
    async lock(deliveryPks) {
      const rows = await query<{ pk: number }>(LOCK_FREE_CHANNELS, [deliveryPks, now, node]);
      return new Set(rows.map(({ pk }) => pk));
    },
    async claim(channelPks) {
      if (channelPks.length === 0) return new Map();
      const rows = await query<{ pk: number; claim: number }>(CLAIM_CHANNELS, [
        channelPks,
        node,
        now + CHANNEL_LEASE,
      ]);
      return new Map(rows.map(({ pk, claim }) => [pk, claim]));
    },
  };
}

/**
 * Writes the same value. This aborts a concurrent serializable transaction, such as an acknowledgement, whose snapshot is older
 * than this review and does not show what the review decides. A row lock would not abort it.
 */
const LOCK_STATES = `UPDATE monitor_states SET claim = monitor_states.claim
  FROM (
    SELECT monitor_pk FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) ORDER BY monitor_pk FOR UPDATE
  ) AS locked
  WHERE monitor_states.monitor_pk = locked.monitor_pk`;

export function reviewLocks({ query }: Sql): ReviewLocks {
  return {
    async lockStates(pks) {
      await query(LOCK_STATES, [pks]);
    },
  };
}
