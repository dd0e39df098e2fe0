import type { Transition } from "./delivery.ts";

/** What a channel is notified of. */
export type AlertEvent = Transition | Notice;

/**
 * What the default channels of an organization are notified of, besides transitions (behavior 13.60). It is about no monitor
 * and no result. Another kind of notice is another member of this union, with types of its own.
 */
export type Notice = LocationNotice;

const LOCATION_NOTICES = ["location.silent", "location.connected"] as const;

/** A location is silent, or is connected again after that. Times are milliseconds since 1970. */
export interface LocationNotice {
  type: (typeof LOCATION_NOTICES)[number];
  organization: { id: string; name: string };
  /** @property lastSeenAt when its probe last sent a request; null if it never did */
  location: { id: string; name: string; lastSeenAt: number | null };
  at: number;
}

/** Also the `type` in the body of a webhook (behavior 5.31, 13.62). */
export const ALERT_TYPES = ["monitor.status_changed", ...LOCATION_NOTICES] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** A transition has no `type`, because stored ones have none. */
export function isTransition(event: AlertEvent): event is Transition {
  return !("type" in event);
}

export function typeOf(event: AlertEvent): AlertType {
  return isTransition(event) ? "monitor.status_changed" : event.type;
}
