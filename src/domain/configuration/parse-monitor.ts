import type { TSchema } from "@sinclair/typebox";
import { type AlertTiming, requestedBindings } from "../alerts/alert-binding.ts";
import type { ChannelType } from "../alerts/channel.ts";
import type { NotifyOn } from "../alerts/notify.ts";
import { ONLY_HERE, placementAfter } from "../locations/place.ts";
import type { MaintenanceTimes } from "../maintenance/maintenance.ts";
import { uniqueDependencies } from "../monitors/dependencies.ts";
import { MONITOR_TYPES } from "../monitors/kinds/kinds.ts";
import { assertConfigRules, type MonitorType, monitorConfigs } from "../monitors/monitor.ts";
import { type MonitorSettings, newSettings, PLACEMENT } from "../monitors/monitor-update.ts";
import type { Selector } from "../monitors/selector.ts";
import { uniqueTags } from "../monitors/tags.ts";
import type { Layer } from "../on-call/rotation.ts";
import type { Page } from "../pages/page-request.ts";
import type { Language } from "../pages/reader-locale.ts";
import { omit, pickGiven } from "../pick.ts";
import type { ReportDefinition } from "../reports/report-mail.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { type Fault, faultOf, type NewHistory, schemaFaults } from "./history.ts";
import { givenFieldsOf } from "./plan.ts";
import { type MonitorDefaults, MonitorEntry, type Section } from "./stored-configuration.ts";

/** @param at the path of the entry */
export function parseMonitor(
  ref: string,
  value: unknown,
  { at, defaults }: { at: string; defaults: MonitorDefaults },
): { entry?: ParsedMonitor; faults: Fault[] } {
  const wrong = schemaFaults(MonitorEntry, value, at);
  const isValid = wrong.length === 0;
  if (!isValid && !isTyped(value)) return { faults: wrong };
  // The other fields of an entry with faults are not read.
  const merged = withDefaults(
    ref,
    isValid ? (value as MonitorEntry) : onlyConfigOf(value as MonitorEntry),
    defaults,
  );
  const faults = [...wrong, ...configFaults(merged, `${at}.config`)];
  if (isValid) faults.push(...ruleFaults(merged, at));
  if (faults.length > 0) return { faults };
  return { entry: completed(ref, merged), faults };
}

/** Whether the config of an entry can be judged. */
function isTyped(value: unknown): boolean {
  const { type, config } = (value ?? {}) as Partial<MonitorEntry>;
  const isConfig =
    config === undefined || (typeof config === "object" && config !== null && !Array.isArray(config));
  return isConfig && MONITOR_TYPES.some((known) => known === type);
}

function onlyConfigOf({ type, config }: MonitorEntry): MonitorEntry {
  return { type, ...(config && { config }) };
}

function configFaults({ type, config = {} }: MonitorEntry, at: string): Fault[] {
  const wrong = [...schemaFaults(monitorConfigs[type], config, at), ...targetFaults(type, config, at)];
  if (wrong.length > 0) return wrong;
  return faultOf(at.replace(/\.config$/, ""), () => assertConfigRules(type, config));
}

/** The schema does not require the URL of an HTTP monitor, which steps can replace (behavior 26.1). */
function targetFaults(type: MonitorType, config: object, at: string): Fault[] {
  const isMissing = type === "HTTP" && !("url" in config || "steps" in config);
  return isMissing ? [{ path: `${at}.url`, message: "is required" }] : [];
}

/** Rules that the schema of an entry can't express. */
function ruleFaults(entry: MonitorEntry, at: string): Fault[] {
  const { type, tags = [], dependsOn = [] } = entry;
  return [
    ...faultOf(at, () => uniqueTags(tags)),
    ...faultOf(at, () => uniqueDependencies(dependsOn)),
    ...faultOf(at, () => requestedBindings(entry)),
    ...faultOf(at, () => placementAfter({ ...ONLY_HERE, type }, entry)),
  ];
}

function completed(ref: string, entry: MonitorEntry): ParsedMonitor {
  const { name = ref, type, config = {} } = entry;
  const settings = newSettings(entry);
  return {
    name: name.trim(),
    type,
    config,
    bindings: bindingsOf(entry),
    bindingsField: entry.alertBindings ? "alertBindings" : "alertChannelIds",
    ...settings,
    tags: uniqueTags(settings.tags),
    dependsOn: uniqueDependencies(settings.dependsOn),
    given: givenFieldsOf(entry),
  };
}

/** A repeated channel counts once, with its last timing. */
function bindingsOf(entry: MonitorEntry): ParsedBinding[] | null {
  const bindings = requestedBindings(entry);
  if (!bindings) return null;
  const byChannel = new Map(
    bindings.map(({ alertChannelId, scheduleId, ...timing }) => {
      const isSchedule = scheduleId !== undefined;
      const channel = alertChannelId ?? scheduleId ?? "";
      return [`${isSchedule} ${channel}`, { channel, isSchedule, ...timing }];
    }),
  );
  return [...byChannel.values()];
}

/**
 * An entry with the defaults of the document, where it does not say otherwise (behavior 16.22). A default that does not fit its
 * type is left out: a field of another type's config, or locations of a SCHEDULED monitor. A monitor does not depend on itself
 * by default, and one form of bindings replaces the other.
 */
function withDefaults(ref: string, entry: MonitorEntry, defaults: MonitorDefaults): MonitorEntry {
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

/*
 * A document whose entries are valid by themselves, completed with the defaults of the document and of the API. Objects are
 * named by refs. What depends on stored objects is not judged yet: refs that the document lacks, secrets that are kept, limits.
 */

/** @property given the names of the fields that the document gives, the fields of a config one by one: `config.url` */
interface Given {
  given: string[];
}

/** @property config as it is given, with `•••` for secrets that are kept */
export interface ParsedChannel extends Given {
  name: string;
  type: ChannelType;
  config: object;
  enabled: boolean;
  notifyOn: NotifyOn;
  language: Language | null;
}

/** @property channel the ref of a channel or a schedule */
export interface ParsedBinding extends AlertTiming {
  channel: string;
  isSchedule: boolean;
}

/** `dependsOn` has refs, `locations` IDs: locations have no refs. */
export interface ParsedMonitor extends Given, MonitorSettings {
  name: string;
  type: MonitorType;
  /** As it is given, with the fields of `defaults.config`, and with `•••` for secrets that are kept. */
  config: object;
  enabled: boolean;
  /** Null: the default channels of the organization. */
  bindings: ParsedBinding[] | null;
  /** The field that the bindings are given by. */
  bindingsField: "alertChannelIds" | "alertBindings";
}

/** @property layers name people by e-mail address */
export interface ParsedSchedule extends Given {
  name: string;
  timezone: string;
  layers: Layer[];
}

export interface ParsedMaintenance extends Given {
  title: string;
  message: string | null;
  /** With refs of monitors. */
  selector: Selector;
  /** They may be over. */
  times: MaintenanceTimes;
  /** Refs. */
  notifyChannelIds: string[];
  notifySubscribers: boolean;
}

/** @property monitor its ref */
export interface ParsedComponent {
  monitor: string;
  name: string | null;
  group: string | null;
}

export interface ParsedPage extends Given, Omit<Page, "id" | "ref" | "components"> {
  components: ParsedComponent[];
}

/** With refs of monitors and channels. */
export interface ParsedReport extends Given, ReportDefinition {}

export interface ParsedDocument {
  channels: ReadonlyMap<string, ParsedChannel>;
  schedules: ReadonlyMap<string, ParsedSchedule>;
  monitors: ReadonlyMap<string, ParsedMonitor>;
  maintenances: ReadonlyMap<string, ParsedMaintenance>;
  pages: ReadonlyMap<string, ParsedPage>;
  reports: ReadonlyMap<string, ParsedReport>;
  /** The refs of all entries, also of those with faults. */
  refs: Record<Section, ReadonlySet<string>>;
  /** By ref of the monitor. */
  history: ReadonlyMap<string, NewHistory>;
}
