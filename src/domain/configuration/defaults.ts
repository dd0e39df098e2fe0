import type { TSchema } from "@sinclair/typebox";
import { MONITOR_TYPES, type MonitorType, monitorConfigs } from "../monitors/monitor.ts";
import { PLACEMENT } from "../monitors/monitor-settings.ts";
import { omit, pickGiven } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import type { MonitorDefaults, MonitorEntry } from "./document.ts";
import { type Fault, schemaFaults } from "./fault.ts";

/**
 * An entry with the defaults of the document, where it does not say otherwise (behavior 16.22). A default that does not fit its
 * type is left out: a field of another type's config, or locations of a SCHEDULED monitor. A monitor does not depend on itself
 * by default, and one form of bindings replaces the other.
 */
export function withDefaults(ref: string, entry: MonitorEntry, defaults: MonitorDefaults): MonitorEntry {
  const { config: _, dependsOn, alertChannelIds, alertBindings, ...settings } = defaults;
  const isBound = entry.alertChannelIds !== undefined || entry.alertBindings !== undefined;
  return {
    ...omit(settings, PLACEMENT),
    ...(entry.type !== "SCHEDULED" && pickGiven(settings, PLACEMENT)),
    ...(dependsOn && { dependsOn: dependsOn.filter((other) => other !== ref) }),
    ...(!isBound && alertChannelIds && { alertChannelIds }),
    ...(!isBound && alertBindings && { alertBindings }),
    ...entry,
    config: configWithDefaults(entry, defaults.config ?? {}),
  };
}

function configWithDefaults({ type, config = {} }: MonitorEntry, defaults: object): object {
  const known = Object.entries(defaults).filter(([field]) =>
    Object.hasOwn(monitorConfigs[type].properties, field),
  );
  if (type !== "SCHEDULED") return { ...Object.fromEntries(known), ...config };
  // Its interval is fixed.
  const rhythm = known.filter(([field]) => field !== "interval");
  return withOneRhythm({ ...Object.fromEntries(rhythm), ...config }, config);
}

/** A job has a cron expression or a period, and a time zone only with a cron expression: what the entry gives decides. */
function withOneRhythm(
  merged: { cron?: unknown; period?: unknown; timezone?: unknown },
  entry: object,
): object {
  const { cron, period, timezone, ...others } = merged;
  const isCron = cron !== undefined && ("cron" in entry || !("period" in entry));
  const isPeriod = period !== undefined && (!isCron || "period" in entry);
  return {
    ...others,
    ...(isCron && { cron }),
    ...(isPeriod && { period }),
    ...(timezone !== undefined && (isCron || "timezone" in entry) && { timezone }),
  };
}

/** The fields of `defaults.config` that are valid, and the faults of the others. @param at the path of the config */
export function parseConfigDefaults(config: object, at: string): { config: object; faults: Fault[] } {
  const faults: Fault[] = [];
  const valid = Object.entries(config).filter(([field, value]) => {
    const wrong = fieldFaults(field, value, at);
    faults.push(...wrong);
    return wrong.length === 0;
  });
  return { config: Object.fromEntries(valid), faults };
}

/** A field must fit one of the types that have it. */
function fieldFaults(field: string, value: unknown, at: string): Fault[] {
  const path = fieldOf(at, field);
  const schemas = MONITOR_TYPES.flatMap((type) => fieldSchema(type, field));
  if (schemas.length === 0) return [{ path, message: "is not a known field" }];
  const faults = schemas.map((schema) => schemaFaults(schema, value, path));
  return faults.some(({ length }) => length === 0) ? [] : (faults[0] ?? []);
}

function fieldSchema(type: MonitorType, field: string): TSchema[] {
  const { properties } = monitorConfigs[type] as { properties: Record<string, TSchema> };
  const schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
  return schema ? [schema] : [];
}
