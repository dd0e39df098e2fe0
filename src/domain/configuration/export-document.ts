import type { TSchema } from "@sinclair/typebox";
import type { Plan } from "../accounts/organization.ts";
import { AT_ONCE, receiverId } from "../alerts/alert-binding.ts";
import { channelConfigSchema, maskChannelSecrets } from "../alerts/channel.ts";
import { EVERY_GROUP } from "../alerts/notify.ts";
import { declarationOf, formatOf } from "../alerts/webhook-format.ts";
import { isSameJson } from "../canonical-json.ts";
import { NO_TIMES, timeFieldsOf } from "../maintenance/request.ts";
import { definedEnd } from "../maintenance/windows.ts";
import { defaultConfig, maskSecrets, monitorConfigs } from "../monitors/monitor.ts";
import { MONITOR_DEFAULTS, SETTINGS } from "../monitors/monitor-update.ts";
import type { Selector } from "../monitors/selector.ts";
import type { Layer } from "../on-call/rotation.ts";
import { shownLayers } from "../on-call/schedule.ts";
import { PAGE_DEFAULTS, PAGE_SETTINGS, type Page } from "../pages/page-request.ts";
import { pick } from "../pick.ts";
import { REPORT_DEFAULTS } from "../reports/report-mail.ts";
import { isDiscovered } from "../schemas/format.ts";
import { MASK } from "../schemas/mask.ts";
import { createSecretWriter, type ProposedRefs, proposeRefs, type SecretWriter } from "./placeholder.ts";
import type {
  ConfigurationDocument,
  StoredChannel,
  StoredConfiguration,
  StoredMaintenance,
  StoredMonitor,
  StoredReport,
  StoredSchedule,
} from "./stored-configuration.ts";

/** @property secrets the names of the variables of the placeholders in the document, each of which is a secret */
export interface Export {
  document: ConfigurationDocument;
  secrets: string[];
}

/**
 * The document for what exists (behavior 16.50): only with fields that differ from their defaults, with placeholders for secrets,
 * and with a proposed ref for what has none. Monitors of a discovery are left out, but may be named (behavior 28.12).
 */
export function exportDocument(stored: StoredConfiguration): Export {
  const refs = proposeRefs(stored);
  const writer = createSecretWriter();
  const isLeftOut = (one: StoredSchedule) => one.ref === null && layersWithPeople(one, stored).length === 0;
  const leftOut = new Set(stored.schedules.filter(isLeftOut).map(({ id }) => id));
  const context = { refs, writer, stored, leftOut };
  const written = stored.monitors.filter(({ ref }) => !isDiscovered(ref ?? ""));
  const document = {
    channels: entries(stored.channels, refs.channels, (ref, channel) => channelEntry(ref, channel, context)),
    schedules: entries(stored.schedules, refs.schedules, (ref, one) => scheduleEntry(ref, one, context)),
    monitors: entries(written, refs.monitors, (ref, monitor) => monitorEntry(ref, monitor, context)),
    maintenances: entries(stored.maintenances, refs.maintenances, (ref, one) =>
      maintenanceEntry(ref, one, context),
    ),
    pages: entries(stored.pages, refs.pages, (ref, page) => pageEntry(ref, page, context)),
    reports: entries(stored.reports, refs.reports, (ref, report) => reportEntry(ref, report, context)),
  };
  const given = Object.entries(document).filter(([, section]) => Object.keys(section).length > 0);
  return { document: Object.fromEntries(given) as ConfigurationDocument, secrets: writer.variables() };
}

/** @property leftOut the IDs of schedules that no binding can name, because they are not in the document and have no ref */
interface Context {
  refs: ProposedRefs;
  writer: SecretWriter;
  stored: StoredConfiguration;
  leftOut: ReadonlySet<string>;
}

/** @param entryOf returns undefined for what a document can't describe */
function entries<Stored extends { id: string }>(
  objects: readonly Stored[],
  refs: ReadonlyMap<string, string>,
  entryOf: (ref: string, object: Stored) => object | undefined,
): Record<string, object> {
  return Object.fromEntries(
    objects.flatMap((object) => {
      const ref = refs.get(object.id) ?? "";
      const entry = entryOf(ref, object);
      return entry ? [[ref, entry]] : [];
    }),
  );
}

function channelEntry(
  ref: string,
  { name, type, config, enabled, notifyOn, language }: StoredChannel,
  { writer }: Context,
) {
  const masked = { ...maskChannelSecrets(config), ...secretFields(config) };
  return {
    ...writer.plain(differing({ name }, { name: ref })),
    type,
    config: inOrder(channelConfigSchema(type, config), writer.masked(config, masked, [type, ref])),
    ...differing({ enabled, notifyOn, language }, { enabled: true, notifyOn: EVERY_GROUP, language: null }),
  };
}

/** Fields that responses show, but a file should not contain: the key of signatures, and addresses that are secrets by themselves. */
function secretFields(config: object): object {
  const { holdsToken } = declarationOf[formatOf(config)].url;
  const isSecret = (field: string) =>
    field === "secret" || field === "webhookUrl" || (field === "url" && holdsToken);
  return Object.fromEntries(
    Object.keys(config)
      .filter(isSecret)
      .map((field) => [field, MASK]),
  );
}

function monitorEntry(ref: string, monitor: StoredMonitor, context: Context) {
  const { refs, writer, stored } = context;
  const { name, type, config, enabled } = monitor;
  const kept = differing(config, defaultConfig(type, stored.organization.plan as Plan));
  const masked = maskSecrets(config);
  return {
    ...writer.plain(differing({ name }, { name: ref })),
    type,
    config: inOrder(monitorConfigs[type], writer.masked(kept, masked, [type, ref])),
    ...differing({ enabled }, MONITOR_DEFAULTS),
    ...bindingsOf(monitor, context),
    ...differing(
      { ...pick(monitor, SETTINGS), dependsOn: named(monitor.dependsOn, refs.monitors) },
      MONITOR_DEFAULTS,
    ),
  };
}

function bindingsOf(monitor: StoredMonitor, { refs, stored, leftOut }: Omit<Context, "writer">) {
  const alertBindings = monitor.alertBindings.filter(({ scheduleId = "" }) => !leftOut.has(scheduleId));
  const isPlain = alertBindings.every(({ alertChannelId: _, ...binding }) => isSameJson(binding, AT_ONCE));
  const ids = alertBindings.map(receiverId);
  if (isPlain && isSameJson(ids.toSorted(), stored.defaultChannelIds.toSorted())) return {};
  if (isPlain) return { alertChannelIds: named(ids, refs.channels) };
  return {
    alertBindings: alertBindings.map(({ alertChannelId, scheduleId, ...timing }) => ({
      ...(scheduleId === undefined
        ? { alertChannelId: refs.channels.get(alertChannelId ?? "") }
        : { scheduleId: refs.schedules.get(scheduleId) }),
      ...differing(timing, AT_ONCE),
    })),
  };
}

/** @returns undefined for one whose people were all deleted */
function scheduleEntry(ref: string, schedule: StoredSchedule, { writer, stored }: Context) {
  const { name, timezone } = schedule;
  const layers = layersWithPeople(schedule, stored);
  if (layers.length === 0) return undefined;
  return writer.plain({
    ...differing({ name, timezone }, { name: ref, timezone: "UTC" }),
    layers: shownLayers(layers),
  });
}

/** With the e-mail addresses of the people; without the layers whose people were all deleted. */
function layersWithPeople({ layers }: StoredSchedule, { people }: StoredConfiguration): Layer[] {
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  return layers
    .map(({ personIds, ...layer }) => ({
      personIds: personIds.flatMap((id) => emails.get(id) ?? []),
      ...layer,
    }))
    .filter(({ personIds }) => personIds.length > 0);
}

/** @returns undefined for one whose monitors were all deleted */
function maintenanceEntry(ref: string, maintenance: StoredMaintenance, { refs, writer }: Context) {
  const { title, message, selector, cron, notifyChannelIds, notifySubscribers } = maintenance;
  const selected = selectorByRefs(selector, refs);
  if (Object.keys(selected).length === 0) return undefined;
  // An early end is not part of the definition.
  const times = timeFieldsOf({ ...maintenance, endsAt: definedEnd(maintenance) });
  return writer.plain({
    ...differing({ title, message }, { title: ref, message: null }),
    selector: selected,
    ...differing(times, { ...NO_TIMES, timezone: cron && "UTC" }),
    ...differing(
      { notifyChannelIds: named(notifyChannelIds, refs.channels), notifySubscribers },
      { notifyChannelIds: [] as string[], notifySubscribers: false },
    ),
  });
}

function selectorByRefs({ monitorIds = [], ...others }: Selector, refs: ProposedRefs): Selector {
  return { ...(monitorIds.length > 0 && { monitorIds: named(monitorIds, refs.monitors) }), ...others };
}

/** @returns undefined for one whose monitors, or whose channels, were all deleted */
function reportEntry(ref: string, report: StoredReport, { refs, writer }: Context) {
  const { title, kind, selector, channelIds, to, timezone, at, language } = report;
  const selected = selectorByRefs(selector, refs);
  const channels = channelIds && named(channelIds, refs.channels);
  if (Object.keys(selected).length === 0 || selected.monitorIds?.length === 0 || channels?.length === 0)
    return undefined;
  return writer.plain({
    ...differing({ title }, { title: ref }),
    ...{ kind, selector: selected },
    ...(channels && { channelIds: channels }),
    ...(to && { to }),
    ...differing({ timezone, at, language }, REPORT_DEFAULTS),
  });
}

function pageEntry(ref: string, page: Page, { refs, writer }: Context) {
  const { slug, title } = page;
  const components = page.components.map(({ monitorId, name, group }) => ({
    monitorId: refs.monitors.get(monitorId),
    ...differing({ name, group }, { name: null, group: null }),
  }));
  const entry = {
    slug,
    ...differing({ title, ...pick(page, PAGE_SETTINGS) }, { ...PAGE_DEFAULTS, title: ref }),
    ...(components.length > 0 && { components }),
  };
  return writer.masked(entry, { password: page.password }, ["PAGE", ref]);
}

function named(ids: readonly string[], refs: ReadonlyMap<string, string>): string[] {
  return ids.flatMap((id) => refs.get(id) ?? []);
}

/** The fields of a config in the order of its schema: the stored order depends on who wrote it, and on the engine. */
export function inOrder<Config extends object>({ properties }: TSchema, config: Config): Config {
  const names = Object.keys(properties);
  const fields = Object.entries(config).toSorted(
    ([one], [other]) => names.indexOf(one) - names.indexOf(other),
  );
  return Object.fromEntries(fields) as Config;
}

/** The fields whose values are not their defaults. */
function differing<Values extends object>(values: Values, defaults: object): Partial<Values> {
  const known = new Map(Object.entries(defaults));
  const isDefault = (name: string, value: unknown) => known.has(name) && isSameJson(known.get(name), value);
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && !isDefault(name, value)),
  ) as Partial<Values>;
}
