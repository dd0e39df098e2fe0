import { Type } from "@sinclair/typebox";
import { CHANNEL_TYPES, type ChannelType, channelConfigSchema } from "../alerts/channel.ts";
import { EVERY_GROUP, sortedNotifyOn } from "../alerts/notify.ts";
import { assertFieldsOfFormat, assertWebhookConfig, type WebhookConfig } from "../alerts/webhook-format.ts";
import { discoverFaults } from "../discovery/settings.ts";
import { assertMayNotify, requestedTimes, TIME_FIELDS } from "../maintenance/request.ts";
import { withoutRepeatedParts } from "../monitors/selector.ts";
import { layersOf, ScheduleEntry } from "../on-call/schedule.ts";
import { PAGE_DEFAULTS } from "../pages/page-request.ts";
import { pick } from "../pick.ts";
import { definitionOf } from "../reports/report-mail.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { discoveredRefRule, refRule } from "../schemas/format.ts";
import type { FormatRule } from "../schemas/schema.ts";
import {
  type Fault,
  faultOf,
  MAX_FAULTS,
  type NewHistory,
  parseDays,
  plainFaults,
  schemaFaults,
} from "./history.ts";
import {
  type ParsedChannel,
  type ParsedComponent,
  type ParsedDocument,
  type ParsedMaintenance,
  type ParsedPage,
  type ParsedReport,
  type ParsedSchedule,
  parseConfigDefaults,
  parseMonitor,
} from "./parse-monitor.ts";
import { givenFieldsOf } from "./plan.ts";
import {
  ChannelEntry,
  type ComponentEntry,
  ConfigurationDocument,
  MaintenanceEntry,
  MonitorDefaults,
  PageEntry,
  ReportEntry,
  type Section,
} from "./stored-configuration.ts";

/**
 * Validates a document by itself (behavior 16.20, 16.21): refs may name stored objects, so only `planApply` finds the unknown ones.
 *
 * @param value of a YAML or JSON file; its texts are final
 * @returns the entries that are valid, and all faults, in the order of the sections
 */
export function parseDocument(value: unknown, origin?: Origin): DocumentWithFaults {
  const steps = parseInSteps(value, origin);
  for (;;) {
    const { done, value: result } = steps.next();
    if (done) return result;
  }
}

/**
 * Who gives a document: the operator of a server in the file of `serve --config`, which alone may have `discover` (behavior 28.2), a
 * discovery, whose monitors alone have refs with a slash (behavior 28.10), or somebody else.
 */
export type Origin = "serverFile" | "discovery" | "anybody";

/** A document without its wrong entries, and all its faults. */
interface DocumentWithFaults {
  document: ParsedDocument;
  faults: Fault[];
}

/**
 * The same in steps of one entry, between which other work can run: an entry may take milliseconds, and there may be a hundred
 * thousand. After `MAX_FAULTS` faults the other entries are not read, except in a document of a discovery.
 */
export function* parseInSteps(
  value: unknown,
  origin: Origin = "anybody",
): Generator<void, DocumentWithFaults> {
  const faults = plainFaults(value);
  const given = faults.length === 0 ? partsOf(value, faults) : {};
  const most = origin === "discovery" ? Number.POSITIVE_INFINITY : MAX_FAULTS;
  if (given.discover) faults.push(...refusedDiscover(given.discover, origin));
  const defaults = parseDefaults(given.defaults, faults);
  const entries = function* <Parsed>(
    section: Section,
    parse: (ref: string, entry: unknown, at: string) => Result<Parsed>,
  ): Generator<void, Map<string, Parsed>> {
    const parsed = new Map<string, Parsed>();
    for (const [ref, entry] of Object.entries(given[section] ?? {})) {
      if (faults.length >= most) break;
      const result = parse(ref, entry, fieldOf(section, ref));
      const wrong = [...refFaults(section, ref, origin), ...result.faults];
      faults.push(...wrong);
      if (result.entry && (wrong.length === 0 || origin !== "discovery")) parsed.set(ref, result.entry);
      yield;
    }
    return parsed;
  };
  const document = {
    channels: yield* entries("channels", parseChannel),
    schedules: yield* entries("schedules", parseSchedule),
    monitors: yield* entries("monitors", (ref, entry, at) => parseMonitor(ref, entry, { at, defaults })),
    maintenances: yield* entries("maintenances", parseMaintenance),
    pages: yield* entries("pages", parsePage),
    reports: yield* entries("reports", parseReport),
    refs: {
      channels: namesIn(given.channels),
      schedules: namesIn(given.schedules),
      monitors: namesIn(given.monitors),
      maintenances: namesIn(given.maintenances),
      pages: namesIn(given.pages),
      reports: namesIn(given.reports),
    },
    history: yield* parseHistory(given.history ?? {}, faults),
  };
  return { document, faults };
}

function namesIn(entries: object = {}): ReadonlySet<string> {
  return new Set(Object.keys(entries));
}

/** @property entry only if there are no faults */
interface Result<Parsed> {
  entry?: Parsed;
  faults: Fault[];
}

/** The parts that are objects. */
type Parts = Partial<Record<Section | "discover" | "defaults" | "history", Record<string, unknown>>>;

/** The document without what is in its parts. */
const Outline = Type.Object(
  Object.fromEntries(
    Object.entries(ConfigurationDocument.properties).map(([name, schema]) => [
      name,
      name === "$schema" ? schema : Type.Optional(Type.Object({})),
    ]),
  ),
  { additionalProperties: false },
);

function partsOf(value: unknown, faults: Fault[]): Parts {
  const wrong = schemaFaults(Outline, value, "").map((fault) =>
    fault.path === "the body" ? { ...fault, path: "the document" } : fault,
  );
  faults.push(...wrong);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const paths = new Set(wrong.map(({ path }) => path));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !paths.has(fieldOf("", name)))) as Parts;
}

function refFaults(section: Section, ref: string, origin: Origin): Fault[] {
  const rule: FormatRule = origin === "discovery" && section === "monitors" ? discoveredRefRule : refRule;
  if (rule.accepts(ref)) return [];
  return [{ path: fieldOf(section, ref), message: `must have a ref as its name, which must ${rule.must}` }];
}

/** Behavior 28.2, 28.3. */
function refusedDiscover(given: object, origin: Origin): Fault[] {
  const faults = discoverFaults(given, "discover");
  if (faults.length > 0 || origin === "serverFile") return faults;
  return [{ path: "discover", message: NOT_HERE }];
}

const NOT_HERE =
  "must be in the file of `serve --config`, or be given to the server as --discover: a server reads sources only as its operator says";

function parseDefaults(given: unknown, faults: Fault[]): MonitorDefaults {
  if (given === undefined) return {};
  const wrong = schemaFaults(MonitorDefaults, given, "defaults");
  faults.push(...wrong);
  const wrongNames = new Set(wrong.map(({ path }) => path.split(/[.[]/)[1]));
  const valid = Object.fromEntries(
    Object.entries(given as object).filter(([name]) => !wrongNames.has(name)),
  ) as MonitorDefaults;
  if (!valid.config) return valid;
  const { config, faults: wrongConfig } = parseConfigDefaults(valid.config, "defaults.config");
  faults.push(...wrongConfig);
  return { ...valid, config };
}

function* parseHistory(
  given: Record<string, unknown>,
  faults: Fault[],
): Generator<void, Map<string, NewHistory>> {
  const parsed = new Map<string, NewHistory>();
  for (const [ref, days] of Object.entries(given)) {
    if (faults.length >= MAX_FAULTS) break;
    parsed.set(ref, parseDays(days, fieldOf("history", ref), faults));
    yield;
  }
  return parsed;
}

/** Its times are not compared with the present: see `planApply`. @param at the path of the entry */
function parseMaintenance(
  ref: string,
  value: unknown,
  at: string,
): { entry?: ParsedMaintenance; faults: Fault[] } {
  const wrong = schemaFaults(MaintenanceEntry, value, at);
  if (wrong.length > 0) return { faults: wrong };
  const entry = value as MaintenanceEntry;
  const { title = ref, message = "", selector, notifyChannelIds = [], notifySubscribers = false } = entry;
  const times = pick(entry, TIME_FIELDS);
  const faults = faultOf(at, () => assertMayNotify(requestedTimes(times), notifySubscribers));
  if (faults.length > 0) return { faults };
  const parsed = {
    title: title.trim(),
    message: message === "" ? null : message,
    selector: withoutRepeatedParts(selector),
    times: requestedTimes(times),
    notifyChannelIds: [...new Set(notifyChannelIds)],
    notifySubscribers,
  };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

/** @param at the path of the entry */
function parseSchedule(ref: string, value: unknown, at: string): Result<ParsedSchedule> {
  const faults = schemaFaults(ScheduleEntry, value, at);
  if (faults.length > 0) return { faults };
  const entry = value as ScheduleEntry;
  const { name = ref, timezone = "UTC", layers } = entry;
  const parsed = { name: name.trim(), timezone, layers: layersOf(layers) };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

/** @param at the path of the entry */
function parsePage(ref: string, value: unknown, at: string): { entry?: ParsedPage; faults: Fault[] } {
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

/** @param at the path of the entry */
function parseReport(ref: string, value: unknown, at: string): Result<ParsedReport> {
  const wrong = schemaFaults(ReportEntry, value, at);
  if (wrong.length > 0) return { faults: wrong };
  const entry = value as ReportEntry;
  const request = { title: ref, ...entry };
  const faults = faultOf(at, () => definitionOf(request));
  if (faults.length > 0) return { faults };
  const definition = definitionOf({ ...request, selector: withoutRepeatedParts(entry.selector) });
  return { entry: { ...definition, given: givenFieldsOf(entry) }, faults };
}

function asComponent({ monitorId: monitor, name, group }: ComponentEntry): ParsedComponent {
  return { monitor, name: name?.trim() ?? null, group: group?.trim() ?? null };
}

/** @param at the path of the entry */
function parseChannel(ref: string, value: unknown, at: string): { entry?: ParsedChannel; faults: Fault[] } {
  const wrong = schemaFaults(ChannelEntry, value, at);
  const { type, config } = (value ?? {}) as Partial<ChannelEntry>;
  const isTyped = type !== undefined && CHANNEL_TYPES.includes(type) && isObject(config);
  const faults = [...wrong, ...(isTyped ? configFaults(type, config, `${at}.config`) : [])];
  if (faults.length > 0) return { faults };
  const entry = value as ChannelEntry;
  const { name = ref, enabled = true, notifyOn = EVERY_GROUP, language = null } = entry;
  const parsed = {
    name: name.trim(),
    type: entry.type,
    config: entry.config,
    enabled,
    notifyOn: sortedNotifyOn(notifyOn),
    language,
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
