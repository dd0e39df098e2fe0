import {
  type Digest,
  MAX_IN_DIGEST,
  type PendingDelivery,
  planDigest,
} from "../../../domain/alerts/digest.ts";
import type { DigestPart } from "../../alerts/pending-delivery.ts";
import type { Sql } from "../../tx.ts";

/** The pending deliveries of some channels, in the order of each channel. Deliveries of a deleted monitor are not sent. */
const WAITING = `SELECT waiting.* FROM unnest($1::integer[]) AS claimed (channel_pk)
  CROSS JOIN LATERAL (
    SELECT channel_pk AS "channelPk", pk, attempts, digest_pk AS "digestPk" FROM deliveries
    WHERE status = 0 AND channel_pk = claimed.channel_pk
      AND (monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))
    ORDER BY pk LIMIT ${MAX_IN_DIGEST}
  ) AS waiting
  ORDER BY waiting.pk`;

/** In the order of the numbers, as an unbound channel is cancelled, so that neither waits for the other. */
const LOCK = "SELECT pk FROM deliveries WHERE pk = ANY($1) AND status = 0 ORDER BY pk FOR NO KEY UPDATE";

const SAVE = `UPDATE deliveries SET digest_pk = digest.first
  FROM unnest($1::bigint[], $2::bigint[]) AS digest (pk, first)
  WHERE deliveries.pk = digest.pk AND status = 0`;

const PARTS = `SELECT pk, transition AS event, monitor_pk AS "monitorPk" FROM deliveries
  WHERE pk = ANY($1) AND status = 0 ORDER BY pk`;

/**
 * Stores which deliveries some channels get as one message (behavior 14.63). To be called after their channels are locked.
 *
 * @returns the other deliveries of each message, by the number of its first one
 */
export async function takeDigests(
  query: Sql["query"],
  channelPks: readonly number[],
): Promise<Map<number, DigestPart[]>> {
  if (channelPks.length === 0) return new Map();
  const rows = await query<PendingDelivery & { channelPk: number }>(WAITING, [channelPks]);
  const waiting = Map.groupBy(rows, ({ channelPk }) => channelPk);
  const digests = [...waiting.values()].map(planDigest).filter(({ pks }) => pks.length > 1);
  await saveDigests(
    query,
    digests.filter(({ isNew }) => isNew),
  );
  return listParts(query, digests);
}

async function saveDigests(query: Sql["query"], digests: readonly Digest[]): Promise<void> {
  const pks = digests.flatMap((digest) => digest.pks);
  if (pks.length === 0) return;
  await query(LOCK, [pks]);
  const firsts = digests.flatMap((digest) => digest.pks.map(() => digest.pks[0]));
  await query(SAVE, [pks, firsts]);
}

/** Leaves out deliveries that were cancelled meanwhile. */
async function listParts(
  query: Sql["query"],
  digests: readonly Digest[],
): Promise<Map<number, DigestPart[]>> {
  const others = digests.flatMap(({ pks }) => pks.slice(1));
  if (others.length === 0) return new Map();
  const parts = new Map((await query<DigestPart>(PARTS, [others])).map((part) => [part.pk, part]));
  return new Map(
    digests.map(({ pks: [first = 0, ...rest] }) => [first, rest.flatMap((pk) => parts.get(pk) ?? [])]),
  );
}
