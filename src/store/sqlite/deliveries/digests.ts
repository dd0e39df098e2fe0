import type { ChannelType } from "../../../domain/alerts/channel.ts";
import {
  type Digest,
  MAX_IN_DIGEST,
  type PendingDelivery,
  planDigest,
  takesDigests,
} from "../../../domain/alerts/digest.ts";
import type { DigestPart } from "../../alerts/pending-delivery.ts";
import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared } from "../open.ts";
import { syncedUpTo } from "./synced.ts";

const CHANNEL = `SELECT alert_channels.pk, alert_channels.type, alert_channels.config ->> '$.format' AS format
  FROM deliveries
  JOIN alert_channels ON alert_channels.pk = deliveries.channel_pk
  WHERE deliveries.pk = ? AND status = 0`;

/** @property format of a WEBHOOK channel, if it has one */
type Channel = { pk: number; type: ChannelType; format: string | null };

/** The literal status, as in `LIST`; deliveries of a deleted monitor are not sent. */
const WAITING = `SELECT pk, attempts, digest_pk AS digestPk FROM deliveries
  WHERE status = 0 AND channel_pk = ?1 AND pk <= ?2
    AND (monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))
  ORDER BY pk LIMIT ${MAX_IN_DIGEST}`;

/**
 * The digests of which some deliveries are the first, and which are not stored yet (behavior 14.63). What is not on the disk yet
 * goes into the next message, so that the first one does not wait for the disk.
 *
 * @param pks of the oldest pending delivery of each channel
 */
export function planDigests(db: Database, pks: readonly number[]): Digest[] {
  return pks.flatMap((pk) => {
    const channel = prepared<Channel, [number]>(db, CHANNEL).get(pk);
    if (!channel || !takesDigests({ type: channel.type, config: { format: channel.format } })) return [];
    const digest = planDigest(
      prepared<PendingDelivery, [number, number]>(db, WAITING).all(channel.pk, syncedUpTo(db)),
    );
    return digest.isNew && digest.pks[0] === pk ? [digest] : [];
  });
}

const SAVE = `UPDATE deliveries SET digest_pk = ?1
  WHERE pk IN (SELECT value FROM json_each(?2)) AND status = 0`;

/** The commit survives the end of the process. After a power failure, the next attempt may be at another digest. */
export function saveDigests(db: Database, digests: readonly Digest[]): void {
  commitWithoutSync(db, () => {
    for (const { pks } of digests) prepared(db, SAVE).run(pks[0] ?? 0, JSON.stringify(pks));
  });
}

const PARTS = `SELECT pk, transition, monitor_pk AS monitorPk FROM deliveries
  WHERE status = 0 AND channel_pk = ?1 AND digest_pk = ?2 AND pk <> ?3
    AND (monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))
  ORDER BY pk`;

type PartRow = Omit<DigestPart, "event"> & { transition: string };

/** The other deliveries of a digest that are still pending. */
export function listParts(
  db: Database,
  { channelPk, digestPk, pk }: { channelPk: number; digestPk: number; pk: number },
): DigestPart[] {
  return prepared<PartRow, [number, number, number]>(db, PARTS)
    .all(channelPk, digestPk, pk)
    .map(({ transition, ...part }) => ({ ...part, event: JSON.parse(transition) }));
}
