import type { ChannelType } from "../../../domain/alerts/channel.ts";
// As a macro: the bundle contains its result, and none of the declarations.
import { productNames } from "../../../domain/alerts/services/registry.ts" with { type: "macro" };
import type { WebhookFormat } from "../../../domain/alerts/webhook-format.ts";
import { texts } from "../languages/texts.ts";

/** Receives the notifications of a channel. Each format of WEBHOOK channels is a service (behavior 16.170). */
export type Service = Exclude<ChannelType, "WEBHOOK"> | WebhookFormat;

/** Names of products, and null for what has words in each language. */
const products: Record<Service, string | null> = {
  SLACK: "Slack",
  DISCORD: "Discord",
  TEAMS: "Teams",
  EMAIL: null,
  ...productNames(),
};

export function labelOfService(service: Service): string {
  const words: Partial<Record<Service, string>> = texts.alerts.service;
  return products[service] ?? words[service] ?? service;
}

/** In the order in which the form offers them. The browser itself creates the channel of a device. */
export const SERVICES = (Object.keys(products) as Service[]).filter((service) => service !== "webpush");

/** The parts of a channel that say what receives its notifications. */
export interface Receiver {
  type: ChannelType;
  config: object;
}

export function serviceOf({ type, config }: Receiver): Service {
  if (type !== "WEBHOOK") return type;
  return (config as { format?: WebhookFormat }).format ?? "standard";
}

/** The name of the service of a channel (behavior 16.171). */
export function serviceLabel(channel: Receiver): string {
  return labelOfService(serviceOf(channel));
}

/** The type of the channels of a service. */
export function typeOf(service: Service): ChannelType {
  return isFormat(service) ? "WEBHOOK" : service;
}

/** Whether the channels of a service are WEBHOOK channels with this format. */
export function isFormat(service: Service): service is WebhookFormat {
  return service === service.toLowerCase();
}
