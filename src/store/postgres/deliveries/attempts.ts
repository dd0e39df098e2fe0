import { nextAttemptAt, REPEAT_END_EVERY } from "../../../domain/alerts/delivery.ts";
import {
  attemptedPks,
  type EndedAttempt,
  notifiedMonitors,
  unheardRecovery,
} from "../../alerts/pending-delivery.ts";
import { deliveryStatusCodes, statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

const LOCK_CHANNELS = `SELECT pk, claim, revision FROM alert_channels
  WHERE pk = ANY($1) ORDER BY pk FOR NO KEY UPDATE`;

interface Channel {
  pk: number;
  claim: number;
  revision: number;
}

/** Records the attempts, and ends their claims. A claim that has lapsed holds until another node claims the channel. */
export async function recordAttempts(sql: Sql, ended: EndedAttempt[]): Promise<boolean[]> {
  const pks = ended.map(({ delivery }) => delivery.channel.pk);
  const rows = await sql.query<Channel>(LOCK_CHANNELS, [pks]);
  const channels = new Map(rows.map((row) => [row.pk, row]));
  // A deleted channel can't be claimed again.
  const held = ended.filter(({ delivery: { channel, claim } }) => {
    const stored = channels.get(channel.pk);
    return !stored || stored.claim === claim;
  });
  const outcomes = new Map(
    held.filter((one) => !isOutdated(one, channels)).map((one) => [one, outcomeOf(one, channels)]),
  );
  await saveAttempts(sql, outcomes);
  await saveNotified(sql, [...outcomes.keys()]);
  await saveRepetitions(sql, outcomes);
  await endClaims(sql, held);
  // Another attempt follows on one that does not count.
  return ended.map((one) => outcomes.get(one)?.willRetry ?? true);
}

/** A failure with an old config does not count. */
function isOutdated({ delivery, attempt }: EndedAttempt, channels: Map<number, Channel>): boolean {
  const stored = channels.get(delivery.channel.pk);
  return (
    attempt.outcome === "failed" && stored !== undefined && stored.revision !== delivery.channel.revision
  );
}

/** @property status null leaves it */
interface Outcome {
  status: number | null;
  nextAttemptAt: number | null;
  error: string | null;
  deliveredAt: number | null;
  willRetry: boolean;
}

function outcomeOf({ delivery, attempt, endedAt }: EndedAttempt, channels: Map<number, Channel>): Outcome {
  if (attempt.outcome === "delivered") {
    const status = deliveryStatusCodes.delivered;
    return { status, nextAttemptAt: null, error: null, deliveredAt: endedAt, willRetry: false };
  }
  const next = nextAttemptAt(attempt, delivery.attempts + 1, endedAt, delivery.event);
  const { pending, failed } = deliveryStatusCodes;
  // The deliveries of a deleted channel are marked in the background.
  const status = channels.has(delivery.channel.pk) ? (next === null ? failed : pending) : null;
  return { status, nextAttemptAt: next, error: attempt.error, deliveredAt: null, willRetry: next !== null };
}

/** A failure changes the status only if the delivery was not cancelled meanwhile. A null status changes nothing. */
const SAVE_ATTEMPTS = `UPDATE deliveries AS delivery
  SET attempts = made.attempts, first_attempt_at = coalesce(delivery.first_attempt_at, made.started_at),
    last_attempt_at = made.started_at, answer = made.answer,
    status = CASE WHEN made.status = 1 OR delivery.status = 0 THEN coalesce(made.status, delivery.status)
      ELSE delivery.status END,
    next_attempt_at = CASE WHEN made.status = 1 OR delivery.status = 0 AND made.status IS NOT NULL
      THEN made.next_attempt_at ELSE delivery.next_attempt_at END,
    error = CASE WHEN made.status = 1 OR delivery.status = 0 AND made.status IS NOT NULL
      THEN made.error ELSE delivery.error END,
    delivered_at = coalesce(made.delivered_at, delivery.delivered_at)
  FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::text[], $5::smallint[], $6::bigint[], $7::text[],
    $8::bigint[]) AS made (pk, attempts, started_at, answer, status, next_attempt_at, error, delivered_at)
  WHERE delivery.pk = made.pk`;

const COLUMNS = [
  "pk",
  "attempts",
  "startedAt",
  "answer",
  "status",
  "nextAttemptAt",
  "error",
  "deliveredAt",
] as const;

/** One row for each delivery: all deliveries of one message have the same outcome. */
async function saveAttempts({ query }: Sql, outcomes: Map<EndedAttempt, Outcome>): Promise<void> {
  const rows = [...outcomes].flatMap(([one, outcome]) => {
    const { delivery, attempt, startedAt } = one;
    const made = { attempts: delivery.attempts + 1, startedAt, answer: attempt.answer ?? null, ...outcome };
    return attemptedPks(one).map((pk) => ({ pk, ...made }));
  });
  if (rows.length > 0) await query(SAVE_ATTEMPTS, arraysOf(rows, COLUMNS));
}

const SAVE_NOTIFIED = `UPDATE alert_bindings AS binding SET notified_status = notified.status, incident = notified.incident
  FROM unnest($1::integer[], $2::integer[], $3::smallint[], $4::text[])
    AS notified (monitor_pk, channel_pk, status, incident)
  WHERE binding.monitor_pk = notified.monitor_pk AND binding.channel_pk = notified.channel_pk`;

async function saveNotified({ query }: Sql, ended: EndedAttempt[]): Promise<void> {
  const delivered = ended.filter(({ attempt }) => attempt.outcome === "delivered");
  const notified = delivered.flatMap((one) =>
    notifiedMonitors(one).map(({ monitorPk, status, incident }) => ({
      ...{ monitorPk, channelPk: one.delivery.channel.pk, status: statusCodes[status], incident },
    })),
  );
  if (notified.length > 0)
    await query(SAVE_NOTIFIED, arraysOf(notified, ["monitorPk", "channelPk", "status", "incident"]));
}

/** The next time at which recoveries are sent again that the receiver did not get. */
const REPEAT_LATER = `UPDATE alert_bindings AS binding SET remind_at = unheard.at, remind_waits_until = NULL
  FROM unnest($1::integer[], $2::integer[], $3::bigint[]) AS unheard (monitor_pk, channel_pk, at)
  WHERE binding.monitor_pk = unheard.monitor_pk AND binding.channel_pk = unheard.channel_pk`;

/** Now that the receivers take something. Only what is to be sent again has a time while its monitor is healthy. */
const REPEAT_NOW = `UPDATE alert_bindings AS binding SET remind_at = taken.at
  FROM unnest($1::integer[], $2::bigint[]) AS taken (channel_pk, at)
  WHERE binding.remind_at IS NOT NULL AND binding.remind_at > taken.at AND binding.channel_pk = taken.channel_pk
    AND EXISTS (SELECT 1 FROM monitor_states AS state
      WHERE state.monitor_pk = binding.monitor_pk AND state.trouble_since IS NULL)`;

async function saveRepetitions({ query }: Sql, outcomes: Map<EndedAttempt, Outcome>): Promise<void> {
  const taken = [...outcomes].flatMap(([{ delivery, attempt, endedAt: at }]) =>
    attempt.outcome === "delivered" ? [{ channelPk: delivery.channel.pk, at }] : [],
  );
  if (taken.length > 0) await query(REPEAT_NOW, arraysOf(taken, ["channelPk", "at"]));
  const unheard = [...outcomes].flatMap(([one, { willRetry }]) => {
    const monitorPk = willRetry ? null : unheardRecovery(one);
    if (monitorPk === null) return [];
    return [{ monitorPk, channelPk: one.delivery.channel.pk, at: one.endedAt + REPEAT_END_EVERY }];
  });
  if (unheard.length > 0) await query(REPEAT_LATER, arraysOf(unheard, ["monitorPk", "channelPk", "at"]));
}

const END_CLAIMS = "UPDATE alert_channels SET claimed_until = 0 WHERE pk = ANY($1)";

async function endClaims({ query }: Sql, held: EndedAttempt[]): Promise<void> {
  if (held.length > 0) await query(END_CLAIMS, [held.map(({ delivery }) => delivery.channel.pk)]);
}
