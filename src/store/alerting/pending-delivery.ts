import type { AlertEvent } from "../../domain/alerts/alert-event.ts";
import type { AlertChannel } from "../../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";

/** A delivery to try now, without its content. */
export interface Due {
  pk: number;
  channelPk: number;
  organizationPk: number;
  /** How often it was tried. */
  attempts: number;
}

/** A pending delivery with its content. */
export interface PendingDelivery {
  pk: number;
  id: string;
  attempts: number;
  event: AlertEvent;
  createdAt: number;
  /** Null for a notice. */
  monitorPk: number | null;
  organizationPk: number;
  organizationId: string;
  /** @property revision identifies its config */
  channel: Pick<AlertChannel, "id" | "type" | "config"> & { pk: number; revision: number };
  /** The fencing number of the claim on the channel: see `Claimant`. */
  claim: number;
}

/** An attempt at a delivery that has ended. Times are milliseconds since 1970. */
export interface EndedAttempt {
  delivery: Pick<PendingDelivery, "pk" | "attempts" | "event" | "monitorPk" | "channel" | "claim">;
  attempt: DeliveryAttempt;
  startedAt: number;
  endedAt: number;
}
