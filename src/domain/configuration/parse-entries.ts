import { CHANNEL_TYPES, type ChannelType, channelConfigSchema } from "../alerts/channel.ts";
import { EVERY_GROUP, sortedNotifyOn } from "../alerts/notify.ts";
import { assertFieldsOfFormat, assertWebhookConfig } from "../alerts/webhook-config.ts";
import type { WebhookConfig } from "../alerts/webhook-format.ts";
import { requestedTimes } from "../maintenance/request.ts";
import { withoutRepeatedParts } from "../monitors/selector.ts";
import { PAGE_DEFAULTS } from "../pages/page-request.ts";
import { ChannelEntry, type ComponentEntry, MaintenanceEntry, PageEntry } from "./document.ts";
import { type Fault, faultOf, schemaFaults } from "./fault.ts";
import { givenFieldsOf } from "./field-names.ts";
import type { ParsedChannel, ParsedComponent, ParsedMaintenance, ParsedPage } from "./parsed-document.ts";

/** Its times are not compared with the present: see `planApply`. @param at the path of the entry */
export function parseMaintenance(
  ref: string,
  value: unknown,
  at: string,
): { entry?: ParsedMaintenance; faults: Fault[] } {
  const wrong = schemaFaults(MaintenanceEntry, value, at);
  if (wrong.length > 0) return { faults: wrong };
  const entry = value as MaintenanceEntry;
  const { title = ref, message = "", selector, notifyChannelIds = [], ...times } = entry;
  const faults = faultOf(at, () => requestedTimes(times));
  if (faults.length > 0) return { faults };
  const parsed = {
    title: title.trim(),
    message: message === "" ? null : message,
    selector: withoutRepeatedParts(selector),
    times: requestedTimes(times),
    notifyChannelIds: [...new Set(notifyChannelIds)],
  };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

/** @param at the path of the entry */
export function parsePage(ref: string, value: unknown, at: string): { entry?: ParsedPage; faults: Fault[] } {
  const faults = schemaFaults(PageEntry, value, at);
  if (faults.length > 0) return { faults };
  const entry = value as PageEntry;
  const { slug, title = ref, description = "", components = [], ...settings } = entry;
  const parsed = {
    ...PAGE_DEFAULTS,
    ...settings,
    slug,
    title: title.trim(),
    description: description === "" ? null : description,
    components: components.map(asComponent),
  };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

function asComponent({ monitorId: monitor, name, group }: ComponentEntry): ParsedComponent {
  return { monitor, name: name?.trim() ?? null, group: group?.trim() ?? null };
}

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
    // Addresses of services are secrets: only an e-mail address is repeated.
    ...(type === "EMAIL" && got !== undefined && { got }),
  }));
  if (wrong.length > 0 || !isWebhook) return wrong;
  return faultOf(entry, () => assertWebhookConfig(config as WebhookConfig));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
