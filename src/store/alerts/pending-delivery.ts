import { and, eq } from "drizzle-orm";
import { assertSubscribed, type Plan, type Subscription } from "../../domain/accounts/organization.ts";
import {
  type AlertEvent,
  endsIncident,
  incidentAfter,
  isTransition,
} from "../../domain/alerts/alert-event.ts";
import { type AlertChannel, type ChannelType, parseChannelConfig } from "../../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import { EVERY_GROUP } from "../../domain/alerts/notify.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { assertSameType } from "../../domain/schemas/format.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { createChannel, type NewChannel, updateChannel } from "./channels.ts";

/** A delivery to try now, without its content. */
export interface Due {
  pk: number;
  channelPk: number;
  /** The type of its channel. */
  type: ChannelType;
  organizationPk: number;
  /** How often it was tried. */
  attempts: number;
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
  /** @property revision identifies its config */
  channel: Pick<AlertChannel, "id" | "type" | "config"> & { pk: number; revision: number };
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

/** The numbers of the deliveries of one attempt, in their order. */
export function attemptedPks({ delivery }: Pick<EndedAttempt, "delivery">): number[] {
  return [delivery.pk, ...delivery.others.map(({ pk }) => pk)];
}

/** A monitor that a channel was notified of. @property incident key of the incident that is open now; null if none is */
export interface NotifiedMonitor {
  monitorPk: number;
  status: Status;
  incident: string | null;
}

/** The monitors that a delivered message was about: of several notifications of one, the latest counts. */
export function notifiedMonitors({ delivery }: Pick<EndedAttempt, "delivery">): NotifiedMonitor[] {
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
export function unheardRecovery({ delivery, attempt }: EndedAttempt): number | null {
  const { event, monitorPk, channel } = delivery;
  if (attempt.outcome === "delivered" || attempt.final || channel.type !== "WEBHOOK") return null;
  return isTransition(event) && endsIncident(event) ? monitorPk : null;
}

function withoutIncident(part: DigestPart) {
  return { ...part, incident: null };
}

/** The values of a request that creates a channel, or replaces it in full. */
export interface ChannelRequest extends Omit<NewChannel, "config"> {
  /** As in the request. */
  config: unknown;
}

/**
 * Creates the channel with a ref, or replaces it in full (behavior 16.4, 16.5).
 *
 * @throws AppError as `createChannel` or `replaceChannel`, and `no_subscription` for a new channel
 */
export async function createOrReplaceChannel(
  tx: TimedTx,
  owner: { organizationId: string; plan: Plan; subscription: Subscription },
  request: ChannelRequest & { ref: string },
): Promise<{ isNew: boolean; channel: AlertChannel }> {
  const { organizationId } = owner;
  const stored = await findByRef(tx, organizationId, request.ref);
  if (stored) return { isNew: false, channel: await replaceChannel(tx, organizationId, stored, request) };
  assertSubscribed(owner);
  const config = parseChannelConfig(request.type, request.config);
  const values = { ...request, name: request.name.trim(), config };
  return { isNew: true, channel: await createChannel(tx, owner, values) };
}

/**
 * Gives a channel exactly the values of a request: what it does not give gets the default of a new channel. Its bindings and
 * deliveries stay.
 *
 * @throws AppError `invalid` for another type, then as `updateChannel`
 */
async function replaceChannel(
  tx: TimedTx,
  organizationId: string,
  stored: { id: string; type: ChannelType },
  request: ChannelRequest,
): Promise<AlertChannel> {
  assertSameType(stored.type, request.type);
  const { name, config, ref, enabled = true, notifyOn = EVERY_GROUP } = request;
  const values = { name: name.trim(), config, ref, enabled, notifyOn };
  return updateChannel(tx, organizationId, stored.id, values);
}

async function findByRef(tx: Tx, organizationId: string, ref: string) {
  const { alertChannels } = tx.tables;
  const ofOrganization = eq(alertChannels.organizationPk, await organizationPk(tx, organizationId));
  const [found] = await tx.db
    .select({ id: alertChannels.id, type: alertChannels.type })
    .from(alertChannels)
    .where(and(eq(alertChannels.ref, ref), ofOrganization));
  return found;
}
