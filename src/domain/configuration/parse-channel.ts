import { CHANNEL_TYPES, type ChannelType, channelConfigSchema } from "../alerts/channel.ts";
import { EVERY_GROUP, sortedNotifyOn } from "../alerts/notify.ts";
import { assertFieldsOfFormat, assertWebhookConfig } from "../alerts/webhook-config.ts";
import type { WebhookConfig } from "../alerts/webhook-format.ts";
import { ChannelEntry } from "./document.ts";
import { type Fault, faultOf, schemaFaults } from "./fault.ts";
import { givenFieldsOf } from "./field-names.ts";
import type { ParsedChannel } from "./parsed-document.ts";

/** @param at the path of the entry */
export function parseChannel(
  ref: string,
  value: unknown,
  at: string,
): { entry?: ParsedChannel; faults: Fault[] } {
  const wrong = schemaFaults(ChannelEntry, value, at);
  const { type, config } = (value ?? {}) as Partial<ChannelEntry>;
  const isTyped = type !== undefined && CHANNEL_TYPES.includes(type) && isObject(config);
  const faults = [...wrong, ...(isTyped ? configFaults(type, config, `${at}.config`) : [])];
  if (faults.length > 0) return { faults };
  const entry = value as ChannelEntry;
  const { name = ref, enabled = true, notifyOn = EVERY_GROUP } = entry;
  const parsed = {
    name: name.trim(),
    type: entry.type,
    config: entry.config,
    enabled,
    notifyOn: sortedNotifyOn(notifyOn),
  };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

/** The rules of the API in its order: what goes with the format, the schema, and what that can't express. */
function configFaults(type: ChannelType, config: object, at: string): Fault[] {
  const entry = at.replace(/\.config$/, "");
  const isWebhook = type === "WEBHOOK";
  const other = isWebhook ? faultOf(entry, () => assertFieldsOfFormat(config)) : [];
  if (other.length > 0) return other;
  const wrong = schemaFaults(channelConfigSchema(type, config), config, at).map(({ got, ...fault }) => ({
    ...fault,
    // Addresses of services are secrets: only that of an e-mail is repeated.
    ...(type === "EMAIL" && got !== undefined && { got }),
  }));
  if (wrong.length > 0 || !isWebhook) return wrong;
  return faultOf(entry, () => assertWebhookConfig(config as WebhookConfig));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
