import type { StatusGroup } from "../monitors/status.ts";
import type { AlertEvent } from "./alert-event.ts";

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
  group: StatusGroup;
  /** Time of the event, milliseconds since 1970. */
  at: number;
}

/** A page that a message leads to. */
export interface Link {
  label: string;
  url: string;
}

/** First the page of the monitor, or of what the message is about; then the page of the outage, if there is one. */
export function linksOf({ link, outageLink }: AlertMessage): [Link, ...Link[]] {
  const first = { label: "Open in stillup", url: link };
  return outageLink === undefined ? [first] : [first, { label: "Open the outage", url: outageLink }];
}

/** The page to open first: of the outage, where people acknowledge it, else of the monitor. */
export function mainLink(message: AlertMessage): Link {
  const [first, outage] = linksOf(message);
  return outage ?? first;
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
