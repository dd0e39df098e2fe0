import { CHANNEL_TYPES, type ChannelType, channelConfigSchema } from "../alerts/channel.ts";
import { EVERY_GROUP, sortedNotifyOn } from "../alerts/notify.ts";
import { ChannelEntry } from "./document.ts";
import { type Fault, schemaFaults } from "./fault.ts";
import { givenFieldsOf } from "./given-fields.ts";
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

/** Addresses of services are secrets: only that of an e-mail is repeated. */
function configFaults(type: ChannelType, config: object, at: string): Fault[] {
  return schemaFaults(channelConfigSchema(type, config), config, at).map(({ got, ...fault }) => ({
    ...fault,
    ...(type === "EMAIL" && got !== undefined && { got }),
  }));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
