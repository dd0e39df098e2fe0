import type { MonitorType } from "../monitors/monitor.ts";
import { groupOf, type StatusGroup } from "../monitors/status.ts";
import type { Language } from "../pages/reader-locale.ts";
import type { Transition } from "./delivery.ts";

/**
 * The content of a notification for people, for every type of channel (behavior 5.26, 13.61, 14.60). Each text is one line of
 * plain text: a channel escapes and truncates it.
 */
export interface AlertMessage {
  /** For example `Shop front is down`. */
  title: string;
  /** The cause, in a sentence. */
  reason: string;
  /** At least one. */
  facts: Fact[];
  /** Lines with names from users: what a message contains that is about several events. At most 21. */
  list?: string[];
  /** The page of the monitor, or of what the message is about. */
  link: string;
  /** The page of the outage, if it is about one. */
  outageLink?: string;
  /** The page that acknowledges the outage without a session, if the message offers it. */
  acknowledgeLink?: string;
  group: StatusGroup;
  /** Time of the event, milliseconds since 1970. */
  at: number;
  words: MessageWords;
}

/** The words that a channel adds to a message, in its language. */
export interface MessageWords {
  language: Language;
  isRightToLeft: boolean;
  /** Between a label and its value, with its spaces. */
  colon: string;
  /** The labels of links: the page of the monitor, the outage, the page that acknowledges it. */
  open: string;
  outage: string;
  acknowledge: string;
  /** Above the links of an outage, where a service has such a line. */
  outageLabel: string;
  acknowledgeLabel: string;
  /** The buttons of a notification of a device. */
  button: { acknowledge: string; mute: string };
}

/** A page that a message leads to. */
export interface Link {
  label: string;
  url: string;
}

/** First the page of the monitor, or of what the message is about; then the pages of the outage, if there are any. */
export function linksOf({
  link,
  outageLink,
  acknowledgeLink,
  words,
}: Pick<AlertMessage, "link" | "outageLink" | "acknowledgeLink" | "words">): [Link, ...Link[]] {
  return [
    { label: words.open, url: link },
    ...(outageLink === undefined ? [] : [{ label: words.outage, url: outageLink }]),
    ...(acknowledgeLink === undefined ? [] : [{ label: words.acknowledge, url: acknowledgeLink }]),
  ];
}

/**
 * A link in plain text. In a text from right to left, its address has a line of its own: a mark of the direction behind an address
 * would become a part of the link.
 */
export function linkLine({ label, url }: Link, { colon, isRightToLeft }: MessageWords): string {
  return isRightToLeft ? `${label}${colon.trimEnd()}\n${url}` : `${label}${colon}${url}`;
}

/** The page to open first: of the outage, where people acknowledge it, else of the monitor. */
export function mainLink({ acknowledgeLink: _, ...message }: AlertMessage): Link {
  const [first, outage] = linksOf(message);
  return outage ?? first;
}

/** The links of a message with room for few: its main link, and the link to acknowledge, if it has one. */
export function shortLinks(message: AlertMessage): [Link, ...Link[]] {
  const { acknowledgeLink: url, words } = message;
  return [mainLink(message), ...(url === undefined ? [] : [{ label: words.acknowledge, url }])];
}

/**
 * Texts of stillup, never of a target.
 *
 * @property isFromUser whether the value has names from a user: a channel then sends it without markup
 */
export interface Fact {
  label: string;
  value: string;
  isFromUser?: true;
}

/** A notification of one channel. */
export interface Notification {
  /** The same on every attempt, so that a receiver recognizes a repetition. */
  id: string;
  event: AlertEvent;
  /** The later events of the same message, in their order, if there are any (behavior 14.63). */
  others?: readonly AlertEvent[];
  /** The page that acknowledges the outage without a session, if messages have such links: see `acknowledgeable`. */
  acknowledgeUrl?: string | undefined;
  /** The language of the channel. Default: English. */
  language?: Language;
  /** Key of the incident that the receiver has open for the monitor; absent if it has none. */
  incident?: string | null;
  /** Time of the attempt, milliseconds since 1970. */
  now: number;
}

/** The colour of a message, as `#rrggbb`: `--down`, `--warning` and `--healthy` of the page in its light scheme. */
export const colours: Record<StatusGroup, string> = {
  down: "#c02a25",
  warning: "#8f5b00",
  healthy: "#1c7c4a",
};

/** For example `2026-11-21 14:30:05 UTC`. @param at milliseconds since 1970 */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

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

/** The outage that a notification offers to acknowledge, with its monitor; undefined if it is no trouble, or one that somebody has acknowledged. */
export function acknowledgeable({
  event,
  others = [],
}: Pick<Notification, "event" | "others">): { outageId: string; monitorId: string } | undefined {
  if (others.length > 0 || !isTransition(event)) return undefined;
  const { outage, monitor, acknowledged, testOf } = event;
  if (!outage || acknowledged || testOf !== undefined || endsIncident(event)) return undefined;
  return { outageId: outage.id, monitorId: monitor.id };
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
interface NoticeSubject {
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

/*
 * Some receivers keep an incident open until a message with the same key ends it. A pause or silent locations end the outage
 * of a monitor before its recovery, so that the key cannot always be taken from the outage (behavior 16.150).
 */

/** Whether a notification ends the incident of its monitor. */
export function endsIncident({ status, closed }: Transition): boolean {
  return closed !== undefined || groupOf[status] === "healthy";
}

/**
 * The key for a notification of a monitor.
 *
 * @param open key of the incident that an earlier notification opened at the same receiver; null if none is open
 */
export function incidentKey({ outage, monitor }: Transition, open: string | null): string {
  return open ?? outage?.id ?? `monitor-${monitor.id}`;
}

/** The key of the incident that is open after a notification was delivered; null if none is. @param open as of `incidentKey` */
export function incidentAfter(transition: Transition, open: string | null): string | null {
  return endsIncident(transition) ? null : incidentKey(transition, open);
}
