import { type Static, Type } from "@sinclair/typebox";
import type { Organization } from "../accounts/organization.ts";
import { type AlertBinding, NewAlertBinding } from "../alerts/alert-binding.ts";
import { type AlertChannel, ChannelConfigSchema, ChannelType } from "../alerts/channel.ts";
import { NotifyOn } from "../alerts/notify.ts";
import { DiscoverSettings } from "../discovery/settings.ts";
import type { MaintenanceDefinition } from "../maintenance/maintenance.ts";
import { NewMaintenance, TIME_FIELDS } from "../maintenance/request.ts";
import { type Monitor, MonitorType } from "../monitors/monitor.ts";
import { MonitorSettings } from "../monitors/monitor-update.ts";
import { Selector } from "../monitors/selector.ts";
import { type Schedule, ScheduleEntry } from "../on-call/schedule.ts";
import { MAX_COMPONENTS, NewPage, PAGE_SETTINGS, type Page, SentLogo } from "../pages/page-request.ts";
import { LANGUAGES } from "../pages/reader-locale.ts";
import { pick } from "../pick.ts";
import { type ReportDefinition, reportSettings } from "../reports/report-mail.ts";
import { Name } from "../schemas/format.ts";
import { closed, described, mapOf, nullable, oneOf } from "../schemas/schema.ts";
import { History } from "./history.ts";

/*
 * The objects of an organization that a document can describe. Objects name others by ID.
 */

export type StoredChannel = Pick<
  AlertChannel,
  "id" | "ref" | "name" | "type" | "config" | "enabled" | "notifyOn" | "language"
>;

export interface StoredMonitor extends Omit<Monitor, "status" | "blindSince" | "createdAt" | "updatedAt"> {
  alertBindings: AlertBinding[];
}

/** Its layers name people by ID. */
export type StoredSchedule = Pick<Schedule, "id" | "ref" | "name" | "timezone" | "layers">;

export interface StoredMaintenance extends MaintenanceDefinition {
  ref: string | null;
  message: string | null;
  notifyChannelIds: string[];
  notifySubscribers: boolean;
}

export interface StoredReport extends ReportDefinition {
  id: string;
  ref: string | null;
}

export interface StoredConfiguration {
  organization: Organization;
  /** The channels of new monitors that specify none. */
  defaultChannelIds: string[];
  /** IDs of the locations of the organization. */
  locationIds: string[];
  /** Each list is oldest first. */
  channels: StoredChannel[];
  schedules: StoredSchedule[];
  monitors: StoredMonitor[];
  maintenances: StoredMaintenance[];
  pages: Page[];
  reports: StoredReport[];
  /** The people of the organization, if it has schedules or the document does. */
  people: { id: string; email: string }[];
  /** Slugs of a document that pages of other organizations have, or that are reserved for others. */
  foreignSlugs: ReadonlySet<string>;
  /** The push tokens of a document that monitors of other organizations have. */
  foreignTokens: ReadonlySet<string>;
}

export type StoredObject =
  | StoredChannel
  | StoredSchedule
  | StoredMonitor
  | StoredMaintenance
  | Page
  | StoredReport;

/**
 * A name for an object that a document and what is stored have in common: its ref, or for an object without ref its ID after a
 * character that refs don't have.
 */
export type Key = string;

export function keyOf({ ref, id }: { ref: string | null; id: string }): Key {
  return ref ?? `#${id}`;
}

/** The keys of the stored objects of a kind by their IDs. */
export function keysById(objects: readonly Pick<StoredObject, "id" | "ref">[]): Map<string, Key> {
  return new Map(objects.map((object) => [object.id, keyOf(object)]));
}

/** The stored objects of a section by ref. */
export function byRef<One extends StoredObject>(objects: readonly One[]): Map<string, One> {
  return new Map(objects.flatMap((object) => (object.ref === null ? [] : [[object.ref, object] as const])));
}

/** How errors name one object of a section. */
export const nameOfSection: Record<Section, string> = {
  channels: "an alert channel",
  schedules: "a schedule",
  monitors: "a monitor",
  maintenances: "a maintenance",
  pages: "a page",
  reports: "a report",
};

/*
 * The document of a configuration file (behavior 16.20): what exists in an organization, by ref. Its fields are the fields of
 * the API, with refs in place of IDs. `parse-document.ts` validates it.
 */

const nameOf = (thing: string) => described(Name, `The name of the ${thing}. Default: its ref.`);
const refsOf = (things: string, description: string) =>
  Type.Array(Type.String(), { description: `${description} Refs of ${things}.` });

export const ChannelEntry = Type.Object(
  {
    name: Type.Optional(nameOf("channel")),
    type: ChannelType,
    config: ChannelConfigSchema,
    enabled: Type.Optional(Type.Boolean({ description: "Whether it is notified. Default: `true`." })),
    notifyOn: Type.Optional(NotifyOn),
    language: Type.Optional(
      described(
        oneOf(LANGUAGES),
        "The language of its notifications. Default: the language of the organization.",
      ),
    ),
  },
  closed,
);
export type ChannelEntry = Static<typeof ChannelEntry>;

/** The fields of a monitor that have a default. */
const monitorSettings = {
  enabled: Type.Optional(Type.Boolean({ description: "Whether it is checked. Default: `true`." })),
  alertChannelIds: Type.Optional(
    refsOf(
      "channels",
      "The channels that are notified when the status changes. Default: those of the organization.",
    ),
  ),
  alertBindings: Type.Optional(
    Type.Array(NewAlertBinding, {
      description:
        "In place of `alertChannelIds`: when and how often each channel is notified. Refs of channels and schedules.",
    }),
  ),
  ...Type.Partial(MonitorSettings).properties,
  dependsOn: Type.Optional(
    refsOf("monitors", "What this monitor needs: while one of them is down, its notifications are muted."),
  ),
};

export const MonitorEntry = Type.Object(
  {
    name: Type.Optional(nameOf("monitor")),
    type: MonitorType,
    // Not the schema of the API, because the defaults may have what it requires.
    config: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: "As in the API. Its fields depend on the type." },
      ),
    ),
    ...monitorSettings,
  },
  closed,
);
export type MonitorEntry = Static<typeof MonitorEntry>;

/** For the monitors of the document that do not say otherwise (behavior 16.22). */
export const MonitorDefaults = Type.Object(
  {
    config: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Fields of `config`, each for the monitors whose type has it.",
          examples: [{ interval: 60 }],
        },
      ),
    ),
    ...monitorSettings,
  },
  { ...closed, description: "For the monitors that do not say otherwise." },
);
export type MonitorDefaults = Static<typeof MonitorDefaults>;

export const MaintenanceEntry = Type.Object(
  {
    ...pick(NewMaintenance.properties, ["message", "notifySubscribers", ...TIME_FIELDS]),
    title: Type.Optional(described(Name, "What is maintained. Default: its ref.")),
    selector: described(
      Selector,
      "The monitors: `monitorIds` are refs. A monitor is in it if any part names it.",
    ),
    notifyChannelIds: Type.Optional(
      refsOf("channels", "The channels that are notified when a window starts and when it ends."),
    ),
  },
  closed,
);
export type MaintenanceEntry = Static<typeof MaintenanceEntry>;

export const ComponentEntry = Type.Object(
  {
    monitorId: Type.String({ description: "The ref of the monitor that it shows." }),
    name: Type.Optional(described(Name, "Replaces the name of the monitor. Default: none.")),
    group: Type.Optional(
      Type.String({ format: "group-name", description: "The group that it is in. Default: none." }),
    ),
  },
  closed,
);
export type ComponentEntry = Static<typeof ComponentEntry>;

export const PageEntry = Type.Object(
  {
    ...pick(NewPage.properties, ["slug", ...PAGE_SETTINGS]),
    logo: Type.Optional(
      described(nullable(SentLogo), "A data URL of an image of at most 64 KiB. Default: `null`, none."),
    ),
    title: Type.Optional(described(Name, "The title of the page. Default: its ref.")),
    components: Type.Optional(
      Type.Array(ComponentEntry, {
        maxItems: MAX_COMPONENTS,
        description: "What it shows, in this order. Default: none.",
      }),
    ),
  },
  closed,
);
export type PageEntry = Static<typeof PageEntry>;

export const ReportEntry = Type.Object(
  {
    title: Type.Optional(described(Name, "The subject begins with it. Default: its ref.")),
    ...reportSettings,
  },
  closed,
);
export type ReportEntry = Static<typeof ReportEntry>;

/** The parts of a document that are maps from ref to entry. */
export const entrySchemas = {
  channels: ChannelEntry,
  schedules: ScheduleEntry,
  monitors: MonitorEntry,
  maintenances: MaintenanceEntry,
  pages: PageEntry,
  reports: ReportEntry,
};
export type Section = keyof typeof entrySchemas;

/** In the order in which they are created. */
export const SECTIONS = [
  "channels",
  "schedules",
  "monitors",
  "maintenances",
  "pages",
  "reports",
] as const satisfies Section[];

export const ConfigurationDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: "For editors; it is not read." })),
    discover: Type.Optional(DiscoverSettings),
    defaults: Type.Optional(MonitorDefaults),
    channels: Type.Optional(mapOf(ChannelEntry, { description: "Alert channels by ref." })),
    schedules: Type.Optional(mapOf(ScheduleEntry, { description: "Schedules of people by ref." })),
    monitors: Type.Optional(mapOf(MonitorEntry, { description: "Monitors by ref." })),
    maintenances: Type.Optional(mapOf(MaintenanceEntry, { description: "Maintenances by ref." })),
    pages: Type.Optional(mapOf(PageEntry, { description: "Public pages by ref." })),
    reports: Type.Optional(mapOf(ReportEntry, { description: "Reports by mail by ref." })),
    history: Type.Optional(History),
  },
  closed,
);
export type ConfigurationDocument = Static<typeof ConfigurationDocument>;
