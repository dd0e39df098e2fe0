import { and, eq, sql } from "drizzle-orm";
import type { AlertChannel } from "../../../domain/alerts/channel.ts";
import type { Transition } from "../../../domain/alerts/delivery.ts";
import { isPending } from "../../alerting/delivery-cancellation.ts";
import { syncWal } from "../durability.ts";
import { oncePerDatabase, oncePerEngine } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { alertChannels, deliveries, monitors, organizations } from "../schema.ts";

/** A delivery to try now, without its content. */
export interface Due {
  pk: number;
  channelPk: number;
  organizationPk: number;
  resultPk: number;
}

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
    SELECT deliveries.pk, deliveries.channel_pk, organization_pk, result_pk, attempts, next_attempt_at,
      row_number() OVER (PARTITION BY organization_pk ORDER BY attempts, next_attempt_at, deliveries.pk) AS turn
    FROM head
    JOIN deliveries ON deliveries.pk =
      (SELECT min(pk) FROM deliveries WHERE status = 0 AND channel_pk = head.channel_pk
        AND EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))
    JOIN alert_channels ON alert_channels.pk = head.channel_pk
    WHERE next_attempt_at <= ?1 OR coalesce(last_attempt_at, deliveries.created_at) > ?1
  )
  SELECT pk, channel_pk AS channelPk, organization_pk AS organizationPk, result_pk AS resultPk
  FROM due ORDER BY turn, attempts, next_attempt_at, pk LIMIT ?2`;

/**
 * The deliveries to try now: of each channel only the oldest pending one, so that they arrive in order. The
 * organizations take turns. Within one, deliveries that were never tried come first, because an unreachable receiver
 * must not delay others. A delivery whose last attempt is in the future, because the clock was set back, is due now.
 */
export function listDue(db: Database, now: number, limit: number): Due[] {
  return db.$client.query<Due, [number, number]>(LIST).all(now, limit);
}

/** A pending delivery with its content. */
export interface PendingDelivery {
  pk: number;
  id: string;
  attempts: number;
  transition: Transition;
  createdAt: number;
  monitorPk: number;
  organizationPk: number;
  organizationId: string;
  /** @property revision identifies its config */
  channel: Pick<AlertChannel, "id" | "type" | "config"> & { pk: number; revision: number };
}

const selectPending = oncePerDatabase((db) =>
  db
    .select({
      pk: deliveries.pk,
      id: deliveries.id,
      attempts: deliveries.attempts,
      transition: deliveries.transition,
      createdAt: deliveries.createdAt,
      monitorPk: deliveries.monitorPk,
      organizationPk: alertChannels.organizationPk,
      organizationId: organizations.id,
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
    .innerJoin(monitors, eq(monitors.pk, deliveries.monitorPk))
    .where(and(eq(deliveries.pk, sql.placeholder("pk")), isPending({ deliveries })))
    .prepare(),
);

/** @returns undefined if the delivery is no longer pending, or its channel or monitor was deleted */
export function findPending(db: Database, pk: number): PendingDelivery | undefined {
  return selectPending(db).get({ pk });
}

const NEWEST = "SELECT max(pk) AS pk FROM check_results";

/** The newest result that is known to be on the disk. */
const synced = oncePerEngine(() => ({ resultPk: 0 }));

/**
 * Resolves when all results recorded so far are on the disk.
 *
 * @throws AppError `unavailable` if the sync fails
 */
export async function syncResults(db: Database): Promise<void> {
  const newest = db.$client.query<{ pk: number | null }, []>(NEWEST).get()?.pk ?? 0;
  await syncWal(db);
  const newestSynced = synced(db);
  newestSynced.resultPk = Math.max(newestSynced.resultPk, newest);
}

/** Whether a result is known to be on the disk. Channels are not notified of a result that a power failure could undo. */
export function isSynced(db: Database, resultPk: number): boolean {
  return resultPk <= synced(db).resultPk;
}
