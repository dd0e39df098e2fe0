import type { AlertBinding } from "../alerts/alert-binding.ts";
import { isSameJson } from "../canonical-json.ts";
import { iso } from "../iso-time.ts";
import { type MonitorConfig, maskRequest } from "../monitors/monitor.ts";
import type { AuditResource, OldValues } from "./audit.ts";

/** Characters of the JSON of the values of an entry. */
const LONGEST = 16_384;

type ResourceType = AuditResource["type"];

/** The fields that hold a secret, or an address that is one. A new field with a secret must be added. */
const SECRETS: Partial<Record<ResourceType, readonly string[]>> = {
  channel: ["config"],
  page: ["password"],
};

/** A change of a resource. @property changed the names of its fields */
interface Change {
  type: ResourceType;
  before: object;
  after: object;
  changed: readonly string[];
}

/**
 * The values that the changed fields had, for the audit log (behavior 14.100): without fields that hold secrets, and without what is
 * too long.
 *
 * @returns null without any
 */
export function oldValues({ type, before, after, changed }: Change): OldValues | null {
  const [previous, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const kept: Record<string, unknown> = {};
  let left = LONGEST;
  for (const field of changed) {
    if (SECRETS[type]?.includes(field) || !previous.has(field)) continue;
    const value = previous.get(field);
    const shown =
      type === "monitor" && field === "config"
        ? openConfig(value as MonitorConfig, next.get(field) as MonitorConfig | undefined)
        : asInApi(field, value);
    const length = shown === undefined ? 0 : JSON.stringify(shown).length + field.length;
    if (shown === undefined || length > left) continue;
    kept[field] = shown;
    left -= length;
  }
  return Object.keys(kept).length > 0 ? kept : null;
}

/** The settings that the entry about a deletion keeps, if the row has them. */
const SETTINGS_OF: Partial<Record<ResourceType, readonly string[]>> = {
  monitor: ["type", "config", "enabled", "tags", "confirmations", "recoveries", "ref"],
  channel: ["type", "enabled", "notifyOn", "language", "ref"],
  api_key: ["role", "expiresAt"],
  maintenance: [
    ...["message", "selector", "startsAt", "endsAt", "cron", "timezone", "duration", "until"],
    "notifyChannelIds",
    "notifySubscribers",
    "ref",
  ],
  page: ["slug", "title", "visibility", "ref"],
  schedule: ["timezone", "layers", "ref"],
  report: ["kind", "selector", "channelIds", "to", "timezone", "at", "language", "ref"],
};

/** The settings that something deleted had, without secrets; null if none are kept. @param row may have other values too */
export function deletedValues(type: ResourceType, row: object): OldValues | null {
  const changed = (SETTINGS_OF[type] ?? []).filter((field) => field in row);
  return oldValues({ type, before: row, after: row, changed });
}

/** A config without its secrets; undefined if one of these changes: what it was would not be known. */
function openConfig(before: MonitorConfig, after: MonitorConfig | undefined): object | undefined {
  const secrets = [...secretFields(before), ...(after ? secretFields(after) : [])];
  const [old, current] = [fieldsOf(before), fieldsOf(after ?? before)];
  if (secrets.some((field) => !isSameJson(old[field], current[field]))) return undefined;
  return Object.fromEntries(Object.entries(old).filter(([field]) => !secrets.includes(field)));
}

/** The config that a monitor gets back. @param stored its present config, whose secrets stay */
export function restoredConfig(old: object, stored: MonitorConfig): object {
  const fields = fieldsOf(stored);
  return { ...old, ...Object.fromEntries(secretFields(stored).map((field) => [field, fields[field]])) };
}

/** The fields of a config that hold a secret, or that notifications do not show. */
function secretFields(config: MonitorConfig): string[] {
  const [all, masked] = [fieldsOf(config), fieldsOf(maskRequest(config))];
  return Object.keys(all).filter((field) => all[field] !== masked[field]);
}

function fieldsOf(config: object): Record<string, unknown> {
  return config as Record<string, unknown>;
}

/** The API has times as texts, and hours only if they are set. */
function asInApi(field: string, value: unknown): unknown {
  if (field === "alertBindings")
    return (value as AlertBinding[]).map(({ hours, ...binding }) => ({
      ...binding,
      ...(hours && { hours }),
    }));
  return typeof value === "number" && /(At|until)$/.test(field) ? iso(value) : value;
}
