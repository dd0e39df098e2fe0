import { type AlertEvent, isTransition } from "../domain/alerts/alert-event.ts";
import type { StatusGroup } from "../domain/monitors/status.ts";
import { describeNotice } from "./notice-message.ts";
import { describeTransition } from "./transition-message.ts";

/**
 * The content of a notification for people, for every type of channel (behavior 5.26, 13.61). Each text is one line of plain
 * text: a channel escapes and truncates it.
 */
export interface AlertMessage {
  /** For example `Shop front is down`. */
  title: string;
  /** The cause, in a sentence. */
  reason: string;
  /** At least one. */
  facts: Fact[];
  /** The page of the monitor or the locations. */
  link: string;
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
export function describeEvent(event: AlertEvent, baseUrl: string): AlertMessage {
  return isTransition(event) ? describeTransition(event, baseUrl) : describeNotice(event, baseUrl);
}
