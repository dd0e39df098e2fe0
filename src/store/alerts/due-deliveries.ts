import { type AlertEvent, isTransition } from "../../domain/alerts/alert-event.ts";
import type { AlertChannel, ChannelType } from "../../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import { type Digest, MAX_IN_DIGEST, planDigest, takesDigests } from "../../domain/alerts/notify.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../domain/pages/reader-locale.ts";
import { findCausesOf } from "../causes/causes.ts";
import type { Claimant } from "../engine-queries.ts";
import { findWhys } from "../outages/evidence.ts";
import { fromJson, type Sql } from "../tx.ts";

/** A delivery to try now, without its content. */
export interface Due {
  pk: number;
  channelPk: number;
  /** The type of its channel. */
  type: ChannelType;
  organizationPk: number;
  /** How often it was tried. */
  attempts: number;
  /** Whether its organization has an open cause. */
  hasCause: boolean;
}

/** A part of a message about several events. @property monitorPk null for a notice */
export interface DigestPart {
  pk: number;
  event: AlertEvent;
  monitorPk: number | null;
}

/** A pending delivery with its content. */
export interface PendingDelivery extends DigestPart {
  id: string;
  attempts: number;
  createdAt: number;
  organizationPk: number;
  organizationId: string;
  /** Key of the incident that the receiver has open for the monitor; null if it has none. */
  incident: string | null;
  /**
   * @property revision identifies its config @property takesDigests see `takesDigests`
   * @property language of the channel, else of the organization, else English (behavior 27.20)
   */
  channel: Pick<AlertChannel, "id" | "type" | "config"> & {
    pk: number;
    revision: number;
    language: Language;
    takesDigests: boolean;
  };
  /** The fencing number of the claim on the channel: see `Claimant`. */
  claim: number;
  /** The later deliveries of the same message, in their order: they have the outcome of this one (behavior 14.64). */
  others: DigestPart[];
}

/** An attempt at a delivery, and at the others of its message, that has ended. Times are milliseconds since 1970. */
export interface EndedAttempt {
  delivery: Pick<
    PendingDelivery,
    "pk" | "attempts" | "event" | "monitorPk" | "incident" | "channel" | "claim" | "others"
  >;
  attempt: DeliveryAttempt;
  startedAt: number;
  endedAt: number;
}

/** Deliveries of a deleted monitor are not sent. */
const OF_MONITOR = `(monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))`;

/** The oldest pending delivery of a channel: the order in which they are sent. The literal status, for the index. */
const oldestOf = (channelPk: string) => `SELECT pk FROM deliveries
    WHERE status = 0 AND channel_pk = ${channelPk} AND ${OF_MONITOR} ORDER BY pk LIMIT 1`;

/** Whether an attempt is due at `$1`. */
const IS_DUE = "(next_attempt_at <= $1 OR coalesce(last_attempt_at, delivery.created_at) > $1)";

/**
 * `head` steps from channel to channel in the index of pending deliveries. Channels without a pending delivery cost
 * nothing, and neither do deliveries after the first of a channel.
 */
const listOf = (free: string) => `WITH RECURSIVE head (channel_pk) AS (
    SELECT min(channel_pk) FROM deliveries WHERE status = 0
    UNION ALL
    SELECT (SELECT min(channel_pk) FROM deliveries WHERE status = 0 AND channel_pk > head.channel_pk)
    FROM head WHERE channel_pk IS NOT NULL
  ),
  due AS (
    SELECT delivery.pk, channel.pk AS channel_pk, type, organization_pk, attempts, next_attempt_at,
      EXISTS (SELECT 1 FROM causes
        WHERE causes.organization_pk = channel.organization_pk AND causes.ended_at IS NULL) AS has_cause,
      row_number() OVER (PARTITION BY organization_pk ORDER BY attempts, next_attempt_at, delivery.pk) AS turn
    FROM head
    JOIN alert_channels AS channel ON channel.pk = head.channel_pk
    JOIN deliveries AS delivery ON delivery.pk = (${oldestOf("head.channel_pk")})
    WHERE ${IS_DUE} AND ${free}
  )
  SELECT pk, channel_pk AS "channelPk", type, organization_pk AS "organizationPk", attempts, has_cause AS "hasCause"
  FROM due ORDER BY turn, attempts, next_attempt_at, pk LIMIT $2`;

const LIST = listOf("true");
const LIST_FREE = listOf("(claimed_until IS NULL OR claimed_until < $1 OR claimed_by = $3)");

/** @property hasClaims whether other nodes may have claimed channels */
export function listDue(
  { query, hasClaims }: Sql & { hasClaims: boolean },
  { node }: Claimant,
  { now, limit }: { now: number; limit: number },
): Promise<Due[]> {
  return hasClaims ? query<Due>(LIST_FREE, [now, limit, node]) : query<Due>(LIST, [now, limit]);
}

/**
 * A delivery whose channel may wait for others of the same cause. Times are milliseconds since 1970.
 *
 * @property unexplained what waits for the channel and has no open cause of which the channel got a notification: troubles that may get one
 */
export interface Gathering {
  pk: number;
  createdAt: number;
  unexplained: { outagePk: number; createdAt: number }[];
}

/** The cause of a waiting delivery is open, and its channel has got a notification of it. */
const IS_TOLD = `EXISTS (SELECT 1 FROM cause_members AS own JOIN causes ON causes.pk = own.cause_pk AND causes.ended_at IS NULL
    WHERE own.outage_pk = waiting.outage_pk AND EXISTS (
      SELECT 1 FROM cause_members AS told JOIN deliveries AS sent ON sent.outage_pk = told.outage_pk
      WHERE told.cause_pk = causes.pk AND sent.channel_pk = waiting.channel_pk AND sent.attempts > 0))`;

/** A waiting delivery is about trouble that lasts, and its channel got a notification of other trouble that lasts, and began after `$2`. */
const IS_FURTHER = `EXISTS (SELECT 1 FROM outages AS own JOIN outages AS other ON other.organization_pk = own.organization_pk
    JOIN deliveries AS sent ON sent.outage_pk = other.pk
    WHERE own.pk = waiting.outage_pk AND own.ended_at IS NULL
      AND other.ended_at IS NULL AND other.started_at >= $2 AND other.pk <> own.pk
      AND sent.channel_pk = waiting.channel_pk AND sent.attempts > 0)`;

const LIST_GATHERING = `SELECT first.pk, first.created_at AS "createdAt", type, config,
    waiting.outage_pk AS "outagePk", waiting.created_at AS "waitsSince", ${IS_FURTHER} AS "isFurther"
  FROM deliveries AS first JOIN alert_channels AS channel ON channel.pk = first.channel_pk
  LEFT JOIN deliveries AS waiting
    ON waiting.status = 0 AND waiting.channel_pk = first.channel_pk AND NOT ${IS_TOLD}
  WHERE first.pk = ANY($1) AND first.attempts = 0 AND first.digest_pk IS NULL`;

interface GatheringRow extends Pick<AlertChannel, "type" | "config"> {
  pk: number;
  createdAt: number;
  outagePk: number | null;
  waitsSince: number | null;
  isFurther: boolean;
}

/**
 * Finds the deliveries whose channels are read by people, and get only notifications of open causes, or of troubles that may get a
 * cause in common with one that was notified before (behavior 22.26).
 *
 * @param pks listed as due @param since when such a trouble began at the earliest, in milliseconds since 1970
 */
export async function listGathering(
  { query }: Sql,
  pks: readonly number[],
  since: number,
): Promise<Gathering[]> {
  if (pks.length === 0) return [];
  const rows = await query<GatheringRow>(LIST_GATHERING, [pks, since]);
  return [...Map.groupBy(rows, ({ pk }) => pk).values()].flatMap((own) => {
    const [{ pk, createdAt, type, config }] = own as [GatheringRow];
    const waiting = own.filter(({ waitsSince }) => waitsSince !== null);
    const gathers =
      waiting.every(({ isFurther }) => isFurther) && takesDigests({ type, config: fromJson(config) });
    const unexplained = waiting.map((one) => ({
      outagePk: Number(one.outagePk),
      createdAt: Number(one.waitsSince),
    }));
    return gathers ? [{ pk, createdAt, unexplained }] : [];
  });
}

/** The claims of channels by several nodes. */
export interface ChannelClaims {
  /** Locks the channels of some deliveries that no other node has claimed or locked. @returns their numbers */
  lock(deliveryPks: readonly number[]): Promise<ReadonlySet<number>>;
  /** Claims channels that are locked. @returns the fencing number of each, by its number */
  claim(channelPks: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

/** The parts of a claim that differ between the engines. @property claims absent if one process has the database */
export interface DeliveryClaims {
  query: Sql["query"];
  claims?: ChannelClaims;
  /** Deliveries with larger numbers may not be on the disk yet. They go into the next message, so that none waits for the disk. */
  syncedUpTo: number;
  /** Stores which deliveries are one message. @returns whether they are stored */
  save(digests: readonly Digest[]): Promise<boolean>;
}

/** Statements see what was committed before the locks: a delivery was listed before another attempt, and may be due later now. */
const FIND = `SELECT delivery.pk, delivery.id, attempts, delivery.transition AS event, delivery.created_at AS "createdAt",
    delivery.monitor_pk AS "monitorPk", (SELECT incident FROM alert_bindings AS binding
      WHERE binding.monitor_pk = delivery.monitor_pk AND binding.channel_pk = channel.pk) AS incident,
    channel.organization_pk AS "organizationPk", organization.id AS "organizationId",
    channel.pk AS "channelPk", channel.id AS "channelId", channel.type, channel.config, channel.revision,
    coalesce(channel.language, organization.language, '${DEFAULT_LANGUAGE}') AS language
  FROM deliveries AS delivery
  JOIN alert_channels AS channel ON channel.pk = delivery.channel_pk
  JOIN organizations AS organization ON organization.pk = channel.organization_pk
  WHERE delivery.pk = ANY($2) AND ${IS_DUE} AND delivery.pk = (${oldestOf("channel.pk")})`;

type FoundDelivery = Omit<PendingDelivery, "channel" | "others" | "claim"> &
  Omit<PendingDelivery["channel"], "pk" | "id" | "takesDigests"> & { channelPk: number; channelId: string };

/** @param now milliseconds since 1970 */
export async function claimDeliveries(
  engine: DeliveryClaims,
  pks: readonly number[],
  now: number,
): Promise<PendingDelivery[]> {
  if (pks.length === 0) return [];
  const locked = await engine.claims?.lock(pks);
  if (locked?.size === 0) return [];
  const found = await engine.query<FoundDelivery>(FIND, [now, pks]);
  const rows = found
    .filter(({ channelPk }) => locked?.has(channelPk) ?? true)
    .map((row) => ({ ...row, event: fromJson(row.event), config: fromJson(row.config) }));
  const numbers = await engine.claims?.claim(rows.map(({ channelPk }) => channelPk));
  const digestible = new Set(rows.filter(takesDigests).map(({ channelPk }) => channelPk));
  const parts = await takeDigests(engine, [...digestible]);
  await addWhys(engine, rows);
  await addCauses(engine, [...rows, ...[...parts.values()].flat()]);
  const claimed = new Map(
    rows.map(({ channelPk, channelId, type, config, revision, language, ...delivery }) => {
      const channel = {
        ...{ pk: channelPk, id: channelId, type, config, revision, language },
        takesDigests: digestible.has(channelPk),
      };
      const others = parts.get(delivery.pk) ?? [];
      return [delivery.pk, { ...delivery, channel, claim: numbers?.get(channelPk) ?? 0, others }];
    }),
  );
  return pks.flatMap((pk) => claimed.get(pk) ?? []);
}

/** Adds why their outages began to some events, as far as that is known now (behavior 22.9). */
async function addWhys(sql: Sql, rows: readonly { event: AlertEvent }[]): Promise<void> {
  const transitions = rows.flatMap(({ event }) => (isTransition(event) ? [event] : []));
  const whys = await findWhys(
    sql,
    transitions.flatMap(({ outage }) => outage?.id ?? []),
  );
  for (const transition of transitions) {
    const why = whys.get(transition.outage?.id ?? "");
    if (why) transition.why = why;
  }
}

/** Adds the causes that their outages have in common with others to some events (behavior 22.25). */
async function addCauses(sql: Sql, parts: readonly { event: AlertEvent }[]): Promise<void> {
  const transitions = parts.flatMap(({ event }) => (isTransition(event) ? [event] : []));
  const causes = await findCausesOf(
    sql,
    transitions.flatMap(({ outage }) => outage?.id ?? []),
  );
  for (const transition of transitions) {
    const cause = causes.get(transition.outage?.id ?? "");
    if (cause) transition.cause = cause;
  }
}

/** The first pending deliveries of some channels. The end of each channel's list is searched once, and not for each delivery. */
const WAITING = `WITH channel AS MATERIALIZED (
    SELECT pk, coalesce((
      SELECT pk FROM deliveries WHERE status = 0 AND channel_pk = alert_channels.pk AND pk <= $2 AND ${OF_MONITOR}
      ORDER BY pk LIMIT 1 OFFSET ${MAX_IN_DIGEST - 1}), $2) AS last
    FROM alert_channels WHERE pk = ANY($1)
  )
  SELECT channel_pk AS "channelPk", deliveries.pk, attempts, digest_pk AS "digestPk",
    EXISTS (SELECT 1 FROM cause_members JOIN causes ON causes.pk = cause_pk
      WHERE cause_members.outage_pk = deliveries.outage_pk AND refuted_at IS NULL) AS "hasCause"
  FROM channel JOIN deliveries ON status = 0 AND channel_pk = channel.pk AND deliveries.pk <= channel.last AND ${OF_MONITOR}
  ORDER BY deliveries.pk`;

const PARTS = `SELECT pk, transition AS event, monitor_pk AS "monitorPk" FROM deliveries
  WHERE pk = ANY($1) AND status = 0 ORDER BY pk`;

type WaitingRow = Parameters<typeof planDigest>[0][number] & { channelPk: number };

/**
 * Stores which deliveries some channels get as one message (behavior 14.63). To be called after their channels are locked.
 *
 * @returns the other deliveries of each message, by the number of its first delivery; without deliveries that were cancelled meanwhile
 */
async function takeDigests(
  { query, syncedUpTo, save }: DeliveryClaims,
  channelPks: readonly number[],
): Promise<Map<number, DigestPart[]>> {
  if (channelPks.length === 0) return new Map();
  const rows = await query<WaitingRow>(WAITING, [channelPks, syncedUpTo]);
  const waiting = rows.map((row) => ({ ...row, hasCause: Boolean(row.hasCause) }));
  const planned = [...Map.groupBy(waiting, ({ channelPk }) => channelPk).values()].map(planDigest);
  const isSaved = await save(planned.filter(({ isNew }) => isNew));
  const digests = planned.filter(({ pks, isNew }) => pks.length > 1 && (isSaved || !isNew));
  const others = digests.flatMap(({ pks }) => pks.slice(1));
  if (others.length === 0) return new Map();
  const found = await query<DigestPart>(PARTS, [others]);
  const parts = new Map(found.map((part) => [part.pk, { ...part, event: fromJson(part.event) }]));
  return new Map(
    digests.map(({ pks: [first = 0, ...rest] }) => [first, rest.flatMap((pk) => parts.get(pk) ?? [])]),
  );
}

/** In the order of the numbers, as an unbound channel is cancelled, so that neither waits for the other. */
const LOCK = "SELECT pk FROM deliveries WHERE pk = ANY($1) AND status = 0 ORDER BY pk FOR NO KEY UPDATE";

const SAVE = `UPDATE deliveries SET digest_pk = digest.first
  FROM json_to_recordset($1) AS digest (pk bigint, first bigint)
  WHERE deliveries.pk = digest.pk AND status = 0`;

/** Stores which deliveries are one message. */
export async function saveDigests({ query }: Sql, digests: readonly Digest[]): Promise<void> {
  const rows = digests.flatMap(({ pks }) => pks.map((pk) => ({ pk, first: pks[0] })));
  if (rows.length === 0) return;
  await query(LOCK, [rows.map(({ pk }) => pk)]);
  await query(SAVE, [JSON.stringify(rows)]);
}
