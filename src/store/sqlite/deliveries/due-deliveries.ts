import { and, eq, max, sql } from "drizzle-orm";
import type { AlertChannel } from "../../../domain/alerts/channel.ts";
import type { Transition } from "../../../domain/alerts/delivery.ts";
import { isPending } from "../../alerting/delivery-cancellation.ts";
import { syncWal } from "../durability.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { alertChannels, checkResults, deliveries, monitors } from "../schema.ts";

/** What decides which delivery is tried next. */
export interface Due {
  pk: number;
  channelPk: number;
  organizationPk: number;
  resultPk: number;
}

/*
 * `head` steps from channel to channel by the index of what is pending, so that neither channels without a delivery nor
 * deliveries behind the first of a channel cost anything.
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
 * The deliveries to be tried now: of each channel only the oldest that is pending, so that they arrive in order. The
 * organizations take turns. Within one, those that were never tried come first: a receiver that is dead must not hold up
 * one that is not. What waits since a time that is yet to come, as after the clock was put back, waits no longer.
 */
export function listDue(db: Database, now: number, limit: number): Due[] {
  return db.$client.query<Due, [number, number]>(LIST).all(now, limit);
}

/** A delivery that waits, as it is to be tried. */
export interface PendingDelivery {
  pk: number;
  id: string;
  attempts: number;
  transition: Transition;
  createdAt: number;
  monitorPk: number;
  organizationPk: number;
  /** @property revision tells its config from later ones */
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
    .innerJoin(monitors, eq(monitors.pk, deliveries.monitorPk))
    .where(and(eq(deliveries.pk, sql.placeholder("pk")), isPending))
    .prepare(),
);

/** Nothing if the delivery no longer waits, or its channel or monitor is deleted. */
export function findPending(db: Database, pk: number): PendingDelivery | undefined {
  return selectPending(db).get({ pk });
}

/** The results up to this one are known to be on the disk, with their deliveries. */
const synced = oncePerDatabase(() => ({ resultPk: 0 }));

/**
 * Resolves when the results that were recorded before are on the disk.
 *
 * @throws AppError `unavailable` where the disk does not take them
 */
export async function syncResults(db: Database): Promise<void> {
  const newest =
    db
      .select({ pk: max(checkResults.pk) })
      .from(checkResults)
      .get()?.pk ?? 0;
  await syncWal(db);
  const known = synced(db);
  known.resultPk = Math.max(known.resultPk, newest);
}

/** Whether a result is known to be on the disk: nobody is notified of one that the end of the power could undo. */
export function isSynced(db: Database, resultPk: number): boolean {
  return resultPk <= synced(db).resultPk;
}
