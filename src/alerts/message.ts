import {
  type AlertEvent,
  type AlertMessage,
  isTransition,
  type Notification,
} from "../domain/alerts/alert-event.ts";
import { describeDigest } from "./digest-message.ts";
import { type Localization, localizationOf } from "./languages/localization.ts";
import { describeNotice } from "./notice-message.ts";
import { describeTransition } from "./transition-message.ts";

/**
 * The message of a notification for people, in the language of its channel.
 *
 * @param baseUrl of the page, without a trailing slash
 */
export function describeNotification(
  { event, others = [], now, acknowledgeUrl, language = "en" }: Omit<Notification, "id" | "incident">,
  baseUrl: string,
  local: Localization = localizationOf(language),
): AlertMessage {
  if (others.length > 0) return describeDigest([event, ...others], baseUrl, local);
  const message = describeEvent(event, baseUrl, { now, local });
  return acknowledgeUrl === undefined ? message : { ...message, acknowledgeLink: acknowledgeUrl };
}

/** @param now time of the attempt. Default: time of the event @param local of the reader. Default: English */
export function describeEvent(
  event: AlertEvent,
  baseUrl: string,
  { now, local = localizationOf("en") }: { now?: number; local?: Localization } = {},
): AlertMessage {
  return isTransition(event)
    ? describeTransition(event, baseUrl, { ...(now !== undefined && { now }), local })
    : describeNotice(event, baseUrl, local);
}
