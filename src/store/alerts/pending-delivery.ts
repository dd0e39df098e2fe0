import { type AlertEvent, isTransition } from "../../domain/alerts/alert-event.ts";
import type { AlertChannel, ChannelType } from "../../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import { endsIncident, incidentAfter } from "../../domain/alerts/incident-key.ts";
import type { Status } from "../../domain/monitors/status.ts";

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
