import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { takesDigests } from "../../../domain/alerts/digest.ts";
import { isPending } from "../../alerts/delivery-cancellation.ts";
import type { Due, PendingDelivery } from "../../alerts/pending-delivery.ts";
import type { Claimant } from "../../engine-queries.ts";
import { type Database, oncePerDatabase, prepared } from "../open.ts";
import { alertBindings, alertChannels, deliveries, monitors, organizations } from "../schema.ts";
import { listParts } from "./digests.ts";

/*
 * `head` steps from channel to channel in the index of pending deliveries. Channels without a pending delivery cost
 * nothing, and neither do deliveries after the first of a channel.
 */
const LIST = `
  WITH RECURSIVE head(channel_pk) AS (
    SELECT min(channel_pk) FROM deliveries WHERE status = 0
    UNION ALL
    SELECT (SELECT min(channel_pk) FROM deliveries WHERE status = 0 AND channel_pk > head.channel_pk)
    FROM head WHERE channel_pk IS NOT NULL
  ),
  due AS (
    SELECT deliveries.pk, deliveries.channel_pk, type, organization_pk, attempts, next_attempt_at,
      row_number() OVER (PARTITION BY organization_pk ORDER BY attempts, next_attempt_at, deliveries.pk) AS turn
    FROM head
    JOIN deliveries ON deliveries.pk =
      (SELECT min(pk) FROM deliveries WHERE status = 0 AND channel_pk = head.channel_pk
        AND (monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk)))
    JOIN alert_channels ON alert_channels.pk = head.channel_pk
    WHERE next_attempt_at <= ?1 OR coalesce(last_attempt_at, deliveries.created_at) > ?1
  )
  SELECT pk, channel_pk AS channelPk, type, organization_pk AS organizationPk, attempts
  FROM due ORDER BY turn, attempts, next_attempt_at, pk LIMIT ?2`;

/** Most of the time nothing is pending, and this takes a fraction of the time. */
const HAS_PENDING = "SELECT 1 FROM deliveries WHERE status = 0 LIMIT 1";

export function listDue(db: Database, _by: Claimant, { now, limit }: { now: number; limit: number }): Due[] {
  if (prepared(db, HAS_PENDING).get() === null) return [];
  return prepared<Due, [number, number]>(db, LIST).all(now, limit);
}

const selectPending = oncePerDatabase((db) =>
  db
    .select({
      pk: deliveries.pk,
      id: deliveries.id,
      attempts: deliveries.attempts,
      event: deliveries.event,
      createdAt: deliveries.createdAt,
      monitorPk: deliveries.monitorPk,
      digestPk: deliveries.digestPk,
      incident: alertBindings.incident,
      organizationPk: alertChannels.organizationPk,
      organizationId: organizations.id,
      claim: sql<number>`0`,
      channel: {
        pk: alertChannels.pk,
        id: alertChannels.id,
        type: alertChannels.type,
        config: alertChannels.config,
        revision: alertChannels.revision,
      },
    })
    .from(deliveries)
    .innerJoin(alertChannels, eq(alertChannels.pk, deliveries.channelPk))
    .innerJoin(organizations, eq(organizations.pk, alertChannels.organizationPk))
    .leftJoin(monitors, eq(monitors.pk, deliveries.monitorPk))
    .leftJoin(
      alertBindings,
      and(
        eq(alertBindings.monitorPk, deliveries.monitorPk),
        eq(alertBindings.channelPk, deliveries.channelPk),
      ),
    )
    .where(
      and(
        eq(deliveries.pk, sql.placeholder("pk")),
        isPending({ deliveries }),
        or(isNull(deliveries.monitorPk), isNotNull(monitors.pk)),
      ),
    )
    .prepare(),
);

export function claimDeliveries(db: Database, pks: readonly number[]): PendingDelivery[] {
  const pending = selectPending(db);
  return pks.flatMap((pk) => {
    const found = pending.get({ pk });
    if (!found) return [];
    const { digestPk, ...delivery } = found;
    const digest = { channelPk: delivery.channel.pk, digestPk: digestPk ?? 0, pk };
    // A channel that got another format may get no digests any more: its notifications follow one by one.
    const isDigest = digestPk !== null && takesDigests(delivery.channel);
    return [{ ...delivery, others: isDigest ? listParts(db, digest) : [] }];
  });
}
