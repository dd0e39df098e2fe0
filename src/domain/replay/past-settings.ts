import type { OldValues } from "../accounts/audit.ts";
import { restoredConfig } from "../accounts/old-values.ts";
import { type AlertBinding, AT_ONCE } from "../alerts/alert-binding.ts";
import type { StoredChannelType } from "../alerts/channel.ts";
import { EVERY_GROUP, type NotifyOn } from "../alerts/notify.ts";
import { isSameJson } from "../canonical-json.ts";
import { type DownWhen, isOnlyHere } from "../locations/location.ts";
import {
  type Calendar,
  createCalendar,
  EMPTY_CALENDAR,
  type MaintenanceDefinition,
} from "../maintenance/maintenance.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import type { MonitorSettings, PastBinding, PastChannel } from "./history.ts";

/*
 * The settings that were in force, from the present ones and the old values in the audit log (behavior 14.100), backwards. If an old
 * value is not in the log, the present one counts. Times are milliseconds since 1970.
 */

/** An entry of the audit log about one resource. @property before old values, under the names and in the forms of the API */
export interface PastEdit {
  at: number;
  before: OldValues;
}

/** The present settings of a monitor. @property locations IDs */
export interface PresentMonitor extends Omit<MonitorSettings, "since" | "places"> {
  createdAt: number;
  locations: readonly string[];
  downWhen: DownWhen;
}

/** An edit of a monitor. @property kind a pause of all monitors has no old values */
export type MonitorEdit = PastEdit & { kind: "updated" | "all_paused" };

/**
 * The settings of a monitor over time, the first ones first.
 *
 * @param edits the oldest first @param nameOf the name of a location by its ID
 */
export function monitorSettings(
  { createdAt, ...present }: PresentMonitor,
  edits: readonly MonitorEdit[],
  nameOf: (locationId: string) => string,
): MonitorSettings[] {
  const settings: MonitorSettings[] = [];
  let current: Omit<PresentMonitor, "createdAt"> = present;
  for (const { at, before, kind } of edits.toReversed()) {
    // A pause of all monitors does not say which ones were paused already.
    if (kind === "all_paused") current = { ...current, enabled: false };
    else if (typeof before.enabled === "boolean") current = { ...current, enabled: !before.enabled };
    settings.push({ since: at, ...shown(current, nameOf) });
    current = kind === "all_paused" ? { ...current, enabled: true } : earlier(current, before);
  }
  settings.push({ since: createdAt, ...shown(current, nameOf) });
  return withoutRepetitions(settings.reverse());
}

function earlier(
  current: Omit<PresentMonitor, "createdAt">,
  before: OldValues,
): Omit<PresentMonitor, "createdAt"> {
  const { confirmations, recoveries, enabled, config, locations, downWhen, alertBindings, dependsOn } =
    before as Partial<Omit<PresentMonitor, "createdAt">> & { alertBindings?: AlertBinding[] };
  return {
    confirmations: confirmations ?? current.confirmations,
    recoveries: recoveries ?? current.recoveries,
    enabled: enabled ?? current.enabled,
    config: config ? (restoredConfig(config, current.config) as MonitorConfig) : current.config,
    locations: locations ?? current.locations,
    downWhen: downWhen ?? current.downWhen,
    bindings: alertBindings?.map(pastBinding) ?? current.bindings,
    dependsOn: dependsOn ?? current.dependsOn,
  };
}

/** The log has the hours of a binding only if they are set. */
export function pastBinding({ alertChannelId, scheduleId, ...timing }: AlertBinding): PastBinding {
  return {
    channelId: alertChannelId ?? null,
    scheduleId: scheduleId ?? null,
    timing: { ...AT_ONCE, ...timing },
  };
}

function shown(
  { locations, downWhen, ...others }: Omit<PresentMonitor, "createdAt">,
  nameOf: (locationId: string) => string,
): Omit<MonitorSettings, "since"> {
  const places = isOnlyHere(locations) ? null : { names: locations.map(nameOf), downWhen };
  return { ...others, places };
}

/** Drops settings that are the same as those before: an edit may change only what a replay does not need. */
function withoutRepetitions<Settings extends { since: number }>(settings: readonly Settings[]): Settings[] {
  const kept: Settings[] = [];
  for (const one of settings) {
    const last = kept.at(-1);
    if (!last || !isSameJson({ ...last, since: 0 }, { ...one, since: 0 })) kept.push(one);
  }
  return kept;
}

/** A channel that exists, or that was deleted. @property deletedAt null if it exists */
export interface PresentChannel {
  id: string;
  type: StoredChannelType;
  enabled: boolean;
  notifyOn: NotifyOn;
  createdAt: number;
  deletedAt: number | null;
}

/** A channel with its settings over time. A deleted one is disabled since then. @param edits the oldest first */
export function pastChannel(
  { id, type, createdAt, deletedAt, ...present }: PresentChannel,
  edits: readonly PastEdit[],
): PastChannel {
  const settings: { since: number; enabled: boolean; notifyOn: NotifyOn }[] = [];
  if (deletedAt !== null) settings.push({ since: deletedAt, ...present, enabled: false });
  let current = present;
  for (const { at, before } of edits.toReversed()) {
    settings.push({ since: at, ...current });
    current = {
      enabled: (before.enabled as boolean | undefined) ?? current.enabled,
      notifyOn: (before.notifyOn as NotifyOn | undefined) ?? current.notifyOn,
    };
  }
  settings.push({ since: createdAt, ...current });
  return { id, type, settings: withoutRepetitions(settings.reverse()) };
}

/** The settings of a deleted channel, as far as the entry about its deletion has them. */
export function deletedChannel(id: string, { at, before }: PastEdit): PresentChannel {
  const { type = "WEBHOOK", enabled = true, notifyOn = [...EVERY_GROUP] } = before as Partial<PresentChannel>;
  return { id, type, enabled, notifyOn, createdAt: 0, deletedAt: at };
}

/** A maintenance that exists, or that was deleted. @property deletedAt null if it exists */
export interface PresentMaintenance extends MaintenanceDefinition {
  createdAt: number;
  deletedAt: number | null;
}

/** The settings of a deleted maintenance; undefined if the entry about its deletion does not have them. */
export function deletedMaintenance(
  { id, name }: { id: string; name: string },
  { at, before }: PastEdit,
): PresentMaintenance | undefined {
  if (!before.selector) return undefined;
  const none = { startsAt: null, endsAt: null, cron: null, timezone: null, duration: null, until: null };
  const empty = { ...none, selector: {}, endedRun: null, endedRunAt: null } as const;
  const definition = earlierMaintenance({ ...empty, id, title: name }, before);
  return { ...definition, createdAt: 0, deletedAt: at };
}

/** The definition before an edit. The log has times as texts. */
function earlierMaintenance(current: MaintenanceDefinition, before: OldValues): MaintenanceDefinition {
  const changed = before as Partial<MaintenanceDefinition>;
  const time = (field: "startsAt" | "endsAt" | "until"): number | null => {
    const value = before[field];
    return typeof value === "string" ? Date.parse(value) : value === null ? null : current[field];
  };
  const isOtherEnd = current.cron === null && "endsAt" in before;
  return {
    ...current,
    selector: changed.selector ?? current.selector,
    ...{ startsAt: time("startsAt"), endsAt: time("endsAt"), until: time("until") },
    cron: changed.cron === undefined ? current.cron : changed.cron,
    timezone: changed.timezone === undefined ? current.timezone : changed.timezone,
    duration: changed.duration === undefined ? current.duration : changed.duration,
    ...(isOtherEnd && { endedRun: null, endedRunAt: null }),
  };
}

/** A definition of a maintenance, while it was in force. */
interface Version {
  from: number;
  to: number;
  definition: MaintenanceDefinition;
}

/** The calendar of some maintenances over time. @param editsOf the edits of one, the oldest first */
export function pastCalendar(
  maintenances: readonly PresentMaintenance[],
  editsOf: (id: string) => readonly PastEdit[],
): Calendar {
  const versions = maintenances.flatMap((one) => versionsOf(one, editsOf(one.id)));
  if (versions.length === 0) return EMPTY_CALENDAR;
  const starts = [...new Set([0, ...versions.flatMap(({ from, to }) => [from, to])])]
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const calendars = starts.map((start) =>
    createCalendar(
      versions.filter(({ from, to }) => from <= start && start < to).map(({ definition }) => definition),
    ),
  );
  return {
    windowOf(monitor, at) {
      const place = starts.findLastIndex((start) => start <= at);
      return calendars[place]?.windowOf(monitor, at) ?? null;
    },
  };
}

function versionsOf({ createdAt, deletedAt, ...present }: PresentMaintenance, edits: readonly PastEdit[]) {
  const versions: Version[] = [];
  let definition: MaintenanceDefinition = present;
  let to = deletedAt ?? Number.POSITIVE_INFINITY;
  for (const { at, before } of edits.toReversed()) {
    versions.push({ from: at, to, definition });
    definition = earlierMaintenance(definition, before);
    to = at;
  }
  versions.push({ from: createdAt, to, definition });
  return versions;
}
