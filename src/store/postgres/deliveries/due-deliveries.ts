import { CHANNEL_LEASE } from "../../../domain/alerts/delivery.ts";
import { takesDigests } from "../../../domain/alerts/digest.ts";
import type { DigestPart, Due, PendingDelivery } from "../../alerts/pending-delivery.ts";
import type { Claimant } from "../../engine-queries.ts";
import type { Sql } from "../../tx.ts";
import { takeDigests } from "./digests.ts";

/** `head` steps from channel to channel in the index of pending deliveries, as on SQLite. */
const LIST = `WITH RECURSIVE head (channel_pk) AS (
    SELECT min(channel_pk) FROM deliveries WHERE status = 0
    UNION ALL
    SELECT (SELECT min(channel_pk) FROM deliveries WHERE status = 0 AND channel_pk > head.channel_pk)
    FROM head WHERE channel_pk IS NOT NULL
  ),
  due AS (
    SELECT delivery.pk, channel.pk AS channel_pk, type, channel.organization_pk, attempts, next_attempt_at,
      row_number() OVER (PARTITION BY organization_pk ORDER BY attempts, next_attempt_at, delivery.pk) AS turn
    FROM head
    JOIN alert_channels AS channel ON channel.pk = head.channel_pk
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries
      WHERE status = 0 AND channel_pk = head.channel_pk
        AND (monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))
      ORDER BY pk LIMIT 1
    ) AS delivery
    WHERE (next_attempt_at <= $1 OR coalesce(last_attempt_at, delivery.created_at) > $1)
      AND (claimed_until IS NULL OR claimed_until < $1 OR claimed_by = $2)
  )
  SELECT pk, channel_pk AS "channelPk", type, organization_pk AS "organizationPk", attempts
  FROM due ORDER BY turn, attempts, next_attempt_at, pk LIMIT $3`;

export function listDue(
  { query }: Sql,
  { node }: Claimant,
  { now, limit }: { now: number; limit: number },
): Promise<Due[]> {
  return query<Due>(LIST, [now, node, limit]);
}

const LOCK_CHANNELS = `SELECT channel.pk
  FROM alert_channels AS channel JOIN deliveries ON deliveries.channel_pk = channel.pk
  WHERE deliveries.pk = ANY($1) AND (claimed_until IS NULL OR claimed_until < $2 OR claimed_by = $3)
  FOR NO KEY UPDATE OF channel SKIP LOCKED`;

const CLAIM = `WITH oldest AS (
    SELECT delivery.* FROM unnest($2::integer[]) AS locked (channel_pk)
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries
      WHERE status = 0 AND channel_pk = locked.channel_pk
        AND (monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))
      ORDER BY pk LIMIT 1
    ) AS delivery
    WHERE delivery.pk = ANY($1)
      AND (delivery.next_attempt_at <= $5 OR coalesce(delivery.last_attempt_at, delivery.created_at) > $5)
  )
  UPDATE alert_channels AS channel SET claim = channel.claim + 1, claimed_by = $3, claimed_until = $4
  FROM oldest, organizations AS organization
  WHERE channel.pk = oldest.channel_pk AND organization.pk = channel.organization_pk
  RETURNING oldest.pk, oldest.id, oldest.attempts, oldest.transition AS event, oldest.created_at AS "createdAt",
    oldest.monitor_pk AS "monitorPk", (SELECT incident FROM alert_bindings AS binding
      WHERE binding.monitor_pk = oldest.monitor_pk AND binding.channel_pk = channel.pk) AS incident,
    channel.organization_pk AS "organizationPk",
    organization.id AS "organizationId", channel.claim,
    channel.pk AS "channelPk", channel.id AS "channelId", channel.type, channel.config, channel.revision`;

type ClaimedDelivery = Omit<PendingDelivery, "channel" | "others"> &
  Omit<PendingDelivery["channel"], "pk" | "id"> & { channelPk: number; channelId: string };

/**
 * The second statement sees what was committed before the locks: the outcomes of the previous attempts, by any node. A
 * delivery was listed before such an attempt, and may be due later now.
 */
export async function claimDeliveries(
  { query }: Sql,
  pks: readonly number[],
  { node }: Claimant,
  now: number,
): Promise<PendingDelivery[]> {
  if (pks.length === 0) return [];
  const locked = await query<{ pk: number }>(LOCK_CHANNELS, [pks, now, node]);
  if (locked.length === 0) return [];
  // Two of the deliveries may be of the same channel.
  const channelPks = [...new Set(locked.map(({ pk }) => pk))];
  const rows = await query<ClaimedDelivery>(CLAIM, [pks, channelPks, node, now + CHANNEL_LEASE, now]);
  const digestible = rows.filter(takesDigests).map(({ channelPk }) => channelPk);
  const parts = await takeDigests(query, digestible);
  const claimed = new Map(rows.map((row) => [row.pk, pendingOf(row, parts.get(row.pk) ?? [])]));
  return pks.flatMap((pk) => claimed.get(pk) ?? []);
}

function pendingOf(
  { channelPk, channelId, type, config, revision, ...delivery }: ClaimedDelivery,
  others: DigestPart[],
): PendingDelivery {
  return { ...delivery, channel: { pk: channelPk, id: channelId, type, config, revision }, others };
}
