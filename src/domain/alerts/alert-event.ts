import type { MonitorType } from "../monitors/monitor.ts";
import type { Transition } from "./delivery.ts";

/** What a channel is notified of. */
export type AlertEvent = Transition | Notice;

/**
 * What channels are notified of besides transitions (behavior 13.60, 14.45). It is about no single monitor and no result.
 * Another kind of notice is another member of this union, with types of its own.
 */
export type Notice = LocationNotice | MaintenanceNotice;

const LOCATION_NOTICES = ["location.silent", "location.connected"] as const;
const MAINTENANCE_NOTICES = ["maintenance.started", "maintenance.ended"] as const;

/** A location is silent, or is connected again after that. Times are milliseconds since 1970. */
export interface LocationNotice {
  type: (typeof LOCATION_NOTICES)[number];
  organization: { id: string; name: string };
  /** @property lastSeenAt when its probe last sent a request; null if it never did */
  location: { id: string; name: string; lastSeenAt: number | null };
  at: number;
}

/** A window of a maintenance began or ended (behavior 14.45). Times are milliseconds since 1970. */
export interface MaintenanceNotice {
  type: (typeof MAINTENANCE_NOTICES)[number];
  organization: { id: string; name: string };
  maintenance: { id: string; title: string; message: string | null; startsAt: number; endsAt: number };
  /** The first 100 of its monitors. */
  monitors: { id: string; name: string; type: MonitorType }[];
  monitorCount: number;
  at: number;
}

/** Also the `type` in the body of a webhook (behavior 5.31, 13.62). */
export const ALERT_TYPES = ["monitor.status_changed", ...LOCATION_NOTICES, ...MAINTENANCE_NOTICES] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** A transition has no `type`, because stored ones have none. */
export function isTransition(event: AlertEvent): event is Transition {
  return !("type" in event);
}

export function typeOf(event: AlertEvent): AlertType {
  return isTransition(event) ? "monitor.status_changed" : event.type;
}

export function isAboutLocation(notice: Notice): notice is LocationNotice {
  return "location" in notice;
}
