import type { AlertEvent } from "../../domain/alerts/alert-event.ts";
import type { AlertChannel, ChannelType } from "../../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";

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
