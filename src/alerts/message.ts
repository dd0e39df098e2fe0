import { type AlertEvent, isTransition } from "../domain/alerts/alert-event.ts";
import type { StatusGroup } from "../domain/monitors/status.ts";
import { describeDigest } from "./digest-message.ts";
import { describeNotice } from "./notice-message.ts";
import type { Notification } from "./notification.ts";
import { describeTransition } from "./transition-message.ts";

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

/** @param baseUrl of the page, without a trailing slash */
export function describeNotification(
  { event, others = [], now }: Pick<Notification, "event" | "others" | "now">,
  baseUrl: string,
): AlertMessage {
  return others.length > 0
    ? describeDigest([event, ...others], baseUrl)
    : describeEvent(event, baseUrl, { now });
}

/** @param now time of the attempt. Default: that of the event */
export function describeEvent(event: AlertEvent, baseUrl: string, at: { now?: number } = {}): AlertMessage {
  return isTransition(event) ? describeTransition(event, baseUrl, at) : describeNotice(event, baseUrl);
}
