import { type AlertEvent, isTransition } from "../domain/alerts/alert-event.ts";
import type { AlertMessage, Notification } from "../domain/alerts/alert-message.ts";
import { describeDigest } from "./digest-message.ts";
import { describeNotice } from "./notice-message.ts";
import { describeTransition } from "./transition-message.ts";

/** @param baseUrl of the page, without a trailing slash */
export function describeNotification(
  { event, others = [], now }: Pick<Notification, "event" | "others" | "now">,
  baseUrl: string,
): AlertMessage {
  return others.length > 0
    ? describeDigest([event, ...others], baseUrl)
    : describeEvent(event, baseUrl, { now });
}

/** @param now time of the attempt. Default: time of the event */
export function describeEvent(event: AlertEvent, baseUrl: string, at: { now?: number } = {}): AlertMessage {
  return isTransition(event) ? describeTransition(event, baseUrl, at) : describeNotice(event, baseUrl);
}
