import { endsIncident, incidentAfter, isTransition } from "../../domain/alerts/alert-event.ts";
import { nextAttemptAt, REPEAT_END_EVERY } from "../../domain/alerts/delivery.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { RowUpdate, Tx } from "../tx.ts";
import type { DigestPart, EndedAttempt } from "./due-deliveries.ts";

/** The numbers of the deliveries of one attempt, in their order. */
function attemptedPks({ delivery }: Pick<EndedAttempt, "delivery">): number[] {
  return [delivery.pk, ...delivery.others.map(({ pk }) => pk)];
}

/** A monitor that a channel was notified of. @property incident key of the incident that is open now; null if none is */
interface NotifiedMonitor {
  monitorPk: number;
  status: Status;
  incident: string | null;
}

/** The monitors that a delivered message was about: of several notifications of one, the latest counts. */
function notifiedMonitors({ delivery }: Pick<EndedAttempt, "delivery">): NotifiedMonitor[] {
  const notified = new Map<number, NotifiedMonitor>();
  // Receivers with incidents get each event alone (behavior 16.148), so that the later ones have no open incident.
  for (const { event, monitorPk, incident } of [delivery, ...delivery.others.map(withoutIncident)])
    if (monitorPk !== null && isTransition(event))
      notified.set(monitorPk, { monitorPk, status: event.status, incident: incidentAfter(event, incident) });
  return [...notified.values()];
}

/**
 * The monitor whose recovery a webhook did not get in all its attempts, although it may have got the trouble: the recovery is sent
 * again (behavior 5.41). Null for any other attempt.
 */
function unheardRecovery({ delivery, attempt }: EndedAttempt): number | null {
  const { event, monitorPk, channel } = delivery;
  if (attempt.outcome === "delivered" || attempt.final || channel.type !== "WEBHOOK") return null;
  return isTransition(event) && endsIncident(event) ? monitorPk : null;
}

function withoutIncident(part: DigestPart) {
  return { ...part, incident: null };
}

/* Channels are locked before deliveries, as cancellations do. */
const lockChannels = (claim: string) => `SELECT pk, ${claim} AS claim, revision FROM alert_channels
  WHERE pk = ANY($1) ORDER BY pk FOR NO KEY UPDATE`;
const LOCK_DELIVERIES = `SELECT pk, status, first_attempt_at AS "firstAttemptAt" FROM deliveries
  WHERE pk = ANY($1) ORDER BY pk FOR NO KEY UPDATE`;
const END_CLAIMS = "UPDATE alert_channels SET claimed_until = 0 WHERE pk = ANY($1)";

interface Channel {
  pk: number;
  claim: number;
  revision: number;
}

/** @property status its code */
interface Stored {
  pk: number;
  status: number;
  firstAttemptAt: number | null;
}

/** Records the attempts, and ends their claims. A claim that has lapsed holds until another node claims the channel. */
export async function recordAttempts(tx: Tx, ended: readonly EndedAttempt[]): Promise<boolean[]> {
  // One process claims nothing.
  const hasClaims = "claim" in tx.tables.alertChannels;
  const channels = await byPk<Channel>(tx, lockChannels(hasClaims ? "claim" : "0"), ended.map(channelPk));
  // A deleted channel can't be claimed again.
  const held = ended.filter(
    ({ delivery: { channel, claim } }) => (channels.get(channel.pk)?.claim ?? claim) === claim,
  );
  const counted = held.filter((one) => counts(one, channels));
  await saveAttempts(tx, counted, channels);
  await tx.sets.update(tx.tables.alertBindings, counted.flatMap(notifiedOf));
  await saveRepetitions(tx, counted);
  if (hasClaims && held.length > 0) await tx.query(END_CLAIMS, [held.map(channelPk)]);
  // Another attempt follows on one that does not count.
  return ended.map((one) => !counted.includes(one) || retryAt(one) !== null);
}

function channelPk({ delivery }: EndedAttempt): number {
  return delivery.channel.pk;
}

async function byPk<Row extends { pk: number }>(tx: Tx, text: string, pks: readonly number[]) {
  const rows = pks.length > 0 ? await tx.query<Row>(text, [pks]) : [];
  return new Map(rows.map((row) => [row.pk, row]));
}

/** A failure with an old config does not count. */
function counts(
  { delivery: { channel }, attempt }: EndedAttempt,
  channels: ReadonlyMap<number, Channel>,
): boolean {
  const { revision } = channels.get(channel.pk) ?? channel;
  return attempt.outcome === "delivered" || revision === channel.revision;
}

/** When the next attempt is due; null if none follows. */
function retryAt({ delivery, attempt, endedAt }: EndedAttempt): number | null {
  if (attempt.outcome === "delivered") return null;
  return nextAttemptAt(attempt, delivery.attempts + 1, endedAt, delivery.event);
}

type Delivery = Tx["tables"]["deliveries"];
type Binding = Tx["tables"]["alertBindings"];

/** All deliveries of one message have the same outcome. */
async function saveAttempts(
  { query, sets, tables: { deliveries } }: Tx,
  ended: readonly EndedAttempt[],
  channels: ReadonlyMap<number, Channel>,
): Promise<void> {
  const pks = ended.flatMap(attemptedPks);
  if (pks.length === 0) return;
  const stored = new Map((await query<Stored>(LOCK_DELIVERIES, [pks])).map((row) => [row.pk, row]));
  const attempts: RowUpdate<Delivery>[] = [];
  const outcomes: RowUpdate<Delivery>[] = [];
  for (const one of ended) {
    const { delivery, attempt, startedAt } = one;
    const made = {
      attempts: delivery.attempts + 1,
      lastAttemptAt: startedAt,
      answer: attempt.answer ?? null,
    };
    for (const pk of attemptedPks(one)) {
      const before = stored.get(pk);
      if (!before) continue;
      attempts.push({ where: { pk }, set: { ...made, firstAttemptAt: before.firstAttemptAt ?? startedAt } });
      // A failure changes no delivery that was cancelled meanwhile. Deliveries of a deleted channel are marked in the background.
      const isOpen = before.status === 0 && channels.has(channelPk(one));
      if (isOpen || attempt.outcome === "delivered") outcomes.push({ where: { pk }, set: outcomeOf(one) });
    }
  }
  await sets.update(deliveries, attempts);
  await sets.update(deliveries, outcomes);
}

function outcomeOf(one: EndedAttempt): RowUpdate<Delivery>["set"] {
  const { attempt, endedAt } = one;
  if (attempt.outcome === "delivered")
    return { status: "delivered", nextAttemptAt: null, error: null, deliveredAt: endedAt };
  const next = retryAt(one);
  const status = next === null ? "failed" : "pending";
  return { status, nextAttemptAt: next, error: attempt.error, deliveredAt: null };
}

function notifiedOf(one: EndedAttempt): RowUpdate<Binding>[] {
  if (one.attempt.outcome !== "delivered") return [];
  return notifiedMonitors(one).map(({ monitorPk, status, incident }) => ({
    where: { monitorPk, channelPk: channelPk(one) },
    set: { notifiedStatus: status, incident },
  }));
}

/** Now that the receivers take something. Only what is to be sent again has a time while its monitor is healthy. */
const REPEAT_NOW = `UPDATE alert_bindings AS binding SET remind_at = taken.at
  FROM json_to_recordset($1) AS taken (channel_pk integer, at bigint)
  WHERE binding.remind_at IS NOT NULL AND binding.remind_at > taken.at AND binding.channel_pk = taken.channel_pk
    AND EXISTS (SELECT 1 FROM monitor_states AS state
      WHERE state.monitor_pk = binding.monitor_pk AND state.trouble_since IS NULL)`;

/** When recoveries are sent again that a receiver did not get. */
async function saveRepetitions(
  { query, sets, tables: { alertBindings } }: Tx,
  ended: readonly EndedAttempt[],
): Promise<void> {
  const taken = ended
    .filter(({ attempt }) => attempt.outcome === "delivered")
    .map((one) => ({ channel_pk: channelPk(one), at: one.endedAt }));
  if (taken.length > 0) await query(REPEAT_NOW, [JSON.stringify(taken)]);
  const unheard = ended.flatMap((one): RowUpdate<Binding>[] => {
    const monitorPk = retryAt(one) === null ? unheardRecovery(one) : null;
    if (monitorPk === null) return [];
    const set = { remindAt: one.endedAt + REPEAT_END_EVERY, remindWaitsUntil: null };
    return [{ where: { monitorPk, channelPk: channelPk(one) }, set }];
  });
  if (unheard.length > 0) await sets.update(alertBindings, unheard);
}
