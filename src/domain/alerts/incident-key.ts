import { groupOf } from "../monitors/status.ts";
import type { AlertChannel } from "./channel.ts";
import type { Transition } from "./delivery.ts";
import { formatOf, type WebhookConfig, type WebhookFormat } from "./webhook-format.ts";

/*
 * Some receivers keep an incident open until a message with the same key ends it. A pause or silent locations end the outage
 * of a monitor before its recovery, so that the key cannot always be taken from the outage (behavior 16.150).
 */

const FORMATS = new Set<WebhookFormat>(["pagerduty", "alertmanager"]);

/** Whether the receiver of a channel keeps incidents open. */
export function tracksIncidents({ type, config }: Pick<AlertChannel, "type" | "config">): boolean {
  return type === "WEBHOOK" && FORMATS.has(formatOf(config as WebhookConfig));
}

/** Whether another config of a channel leaves incidents behind at the address that it has now. */
export function leavesAddress(
  before: Pick<AlertChannel, "type" | "config">,
  after: Pick<AlertChannel, "type" | "config">,
): boolean {
  return tracksIncidents(before) && addressOf(before) !== addressOf(after);
}

/** Their formats have one option at most. */
function addressOf({ config }: Pick<AlertChannel, "config">): string {
  const webhook = config as WebhookConfig;
  const options = "options" in webhook ? webhook.options : null;
  return JSON.stringify([formatOf(webhook), webhook.url, options]);
}

/** Whether a notification ends the incident of its monitor. */
export function endsIncident({ status, closed }: Transition): boolean {
  return closed !== undefined || groupOf(status) === "healthy";
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
