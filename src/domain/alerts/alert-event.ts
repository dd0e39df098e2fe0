import type { MonitorType } from "../monitors/monitor.ts";
import type { Transition } from "./delivery.ts";

/** An event that channels are notified of. */
export type AlertEvent = Transition | Notice;

/**
 * An event that is not a transition (behavior 1.60, 13.60, 14.45). It is about no single monitor and no result.
 * Another kind of notice is another member of this union, with types of its own.
 */
export type Notice = LocationNotice | MaintenanceNotice | BlindnessNotice;

const LOCATION_NOTICES = ["location.silent", "location.connected"] as const;
const MAINTENANCE_NOTICES = ["maintenance.started", "maintenance.ended"] as const;
const BLINDNESS_NOTICES = ["checks.blind", "checks.resumed"] as const;

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

/**
 * The first monitor of an organization turned blind, or none is blind any more (behavior 1.60). Times are milliseconds since 1970.
 */
export interface BlindnessNotice {
  type: (typeof BLINDNESS_NOTICES)[number];
  organization: { id: string; name: string };
  /** Until when the monitor that was checked last before all others was checked. */
  since: number;
  /** The first 100 of the monitors that are blind, or that are checked again. */
  monitors: { id: string; name: string; type: MonitorType }[];
  monitorCount: number;
  at: number;
}

/** Also the `type` in the body of a webhook (behavior 5.31, 13.62). */
export const ALERT_TYPES = [
  "monitor.status_changed",
  ...LOCATION_NOTICES,
  ...MAINTENANCE_NOTICES,
  ...BLINDNESS_NOTICES,
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** A transition has no `type`, because stored ones have none. */
export function isTransition(event: AlertEvent): event is Transition {
  return !("type" in event);
}

export function typeOf(event: AlertEvent): AlertType {
  return isTransition(event) ? "monitor.status_changed" : event.type;
}

/** One function for each kind of notice. */
interface NoticeCases<Result> {
  location: (notice: LocationNotice) => Result;
  maintenance: (notice: MaintenanceNotice) => Result;
  checks: (notice: BlindnessNotice) => Result;
}

export function forNotice<Result>(notice: Notice, cases: NoticeCases<Result>): Result {
  if ("location" in notice) return cases.location(notice);
  return "maintenance" in notice ? cases.maintenance(notice) : cases.checks(notice);
}

/** The subject of a notice. @property id of the organization, if the notice is about its checks */
export interface NoticeSubject {
  kind: keyof NoticeCases<unknown>;
  id: string;
  name: string;
}

export function subjectOfNotice(notice: Notice): NoticeSubject {
  return forNotice<NoticeSubject>(notice, {
    location: ({ location: { id, name } }) => ({ kind: "location", id, name }),
    maintenance: ({ maintenance: { id, title } }) => ({ kind: "maintenance", id, name: title }),
    checks: ({ organization: { id, name } }) => ({ kind: "checks", id, name }),
  });
}
