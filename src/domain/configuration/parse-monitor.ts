import { requestedBindings } from "../alerts/alert-binding.ts";
import { ONLY_HERE, placementAfter } from "../locations/placement.ts";
import { uniqueDependencies } from "../monitors/dependencies.ts";
import { assertConfigRules, MONITOR_TYPES, monitorConfigs } from "../monitors/monitor.ts";
import { newSettings } from "../monitors/monitor-settings.ts";
import { uniqueTags } from "../monitors/tags.ts";
import { withDefaults } from "./defaults.ts";
import { type MonitorDefaults, MonitorEntry } from "./document.ts";
import { type Fault, faultOf, schemaFaults } from "./fault.ts";
import { givenFieldsOf } from "./field-names.ts";
import type { ParsedBinding, ParsedMonitor } from "./parsed-document.ts";

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
  const wrong = schemaFaults(monitorConfigs[type], config, at);
  if (wrong.length > 0) return wrong;
  return faultOf(at.replace(/\.config$/, ""), () => assertConfigRules(type, config));
}

/** What the schema of an entry can't express. */
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
    bindings.map(({ alertChannelId: channel, after, every }) => [channel, { channel, after, every }]),
  );
  return [...byChannel.values()];
}
