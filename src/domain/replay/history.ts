import type { AlertTiming } from "../alerts/alert-binding.ts";
import type { StoredChannelType } from "../alerts/channel.ts";
import type { NotifyOn } from "../alerts/notify.ts";
import type { Detail } from "../checks/observation.ts";
import type { DownWhen } from "../locations/location.ts";
import type { Calendar } from "../maintenance/maintenance.ts";
import type { Confirmation } from "../monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";

/*
 * The past, as a replay knows it: the recorded results, outages and notifications of monitors, and the settings under which they were
 * made. Times are milliseconds since 1970.
 */

/** A range of time, without its end. */
export interface ReplayedRange {
  from: number;
  to: number;
}

/** The past of the selected monitors of an organization, and of those that they depend on. */
export interface ReplayedPast {
  range: ReplayedRange;
  /** By the ID of the monitor. Every monitor comes after those that it depends on. */
  monitors: ReadonlyMap<string, MonitorPast>;
  /** The maintenances that were in force, also deleted ones. */
  calendar: Calendar;
  /** The default channels of the organization, for schedules that reach nobody. */
  defaultChannelIds: readonly string[];
  /** By the ID of the channel. */
  channels: ReadonlyMap<string, PastChannel>;
  /** Who is on call, by the ID of the schedule. @returns the channels of the person */
  onCall: ReadonlyMap<string, (at: number) => readonly string[]>;
}

export interface MonitorPast {
  id: string;
  name: string;
  type: MonitorType;
  tags: readonly string[];
  /** Whether the selector names it; otherwise a selected monitor depends on it. */
  isSelected: boolean;
  /** The settings over time, the first one first; at least one. */
  settings: readonly MonitorSettings[];
  /** Interesting results, by time: see `PastChecks`. */
  checks: PastChecks;
  /** The outages that touch the range, by the time of their start. */
  outages: readonly PastOutage[];
  /** The notifications about its changes of status that were created in the range, in their order. */
  notifications: readonly PastNotification[];
}

/** @property since when they came into force; the first ones hold before as well */
export interface MonitorSettings extends Confirmation {
  since: number;
  enabled: boolean;
  config: MonitorConfig;
  /** Null if only this server checks it. The names of its locations, in the order of their slots. */
  places: { names: readonly string[]; downWhen: DownWhen } | null;
  bindings: readonly PastBinding[];
  /** IDs of monitors. */
  dependsOn: readonly string[];
}

/** One of both IDs is null. */
export interface PastBinding {
  channelId: string | null;
  scheduleId: string | null;
  timing: AlertTiming;
}

/** @property settings over time, the first one first; at least one */
export interface PastChannel {
  id: string;
  type: StoredChannelType;
  settings: readonly { since: number; enabled: boolean; notifyOn: NotifyOn }[];
}

/**
 * The results of a monitor that are not like the usual good ones, and those around them, by the time of their ends: of each stretch
 * of other results also the `BEFORE` good results before it and the `AFTER` after it, of every location. Between two stretches,
 * there were good results only, or none.
 *
 * @property kinds equal statuses and details @property kindOf the position in `kinds` of each result
 * @property latencies milliseconds; NaN without one @property isAfterUsual whether usual results before it are left out
 */
export interface PastChecks {
  count: number;
  times: Float64Array;
  kindOf: Uint16Array;
  latencies: Float32Array;
  isAfterUsual: Uint8Array;
  kinds: readonly CheckKind[];
}

/** @property status as it was recorded; what the check saw, if that differed, is in the detail (behavior 11.7) */
export interface CheckKind {
  status: Status;
  detail: Detail | null;
}

/** How many usual results are kept before and after each stretch of others: a recovery needs up to 11. */
export const BEFORE = 2;
export const AFTER = 12;

export interface PastOutage {
  id: string;
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  /** The worst of it. */
  status: Status;
  /** When it was acknowledged, and taken back; `until` is null if it was not. */
  acknowledged: readonly { at: number; until: number | null }[];
}

/** A notification of a channel about a change of status, or its repetition. */
export interface PastNotification {
  channelId: string;
  /** Null if its outage is not known any more. */
  outageId: string | null;
  /** The status that it reports. */
  status: Status;
  /** When its change of status was recorded, or when the repetition was due. */
  createdAt: number;
  /** When it was released to be sent; null if it was not: it was muted or withdrawn, or waits. */
  sentAt: number | null;
  isReminder: boolean;
}

/** The settings of a monitor that were in force at a moment. */
export function settingsAt({ settings }: Pick<MonitorPast, "settings">, at: number): MonitorSettings {
  return (settings.findLast(({ since }) => since <= at) ?? settings[0]) as MonitorSettings;
}
