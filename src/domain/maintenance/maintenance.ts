import type { Selector } from "../monitors/selector.ts";

/**
 * When a maintenance has windows: one, from `startsAt` to `endsAt`, or one at each run of `cron`. The fields of the other
 * form are null. Times are milliseconds since 1970.
 */
export interface MaintenanceTimes {
  startsAt: number | null;
  endsAt: number | null;
  cron: string | null;
  /** IANA name; null: UTC. */
  timezone: string | null;
  /** Seconds that elapse, so that a change of clocks does not change it. */
  duration: number | null;
  /** No run starts after it. */
  until: number | null;
  /**
   * With `cron`, the start of the latest run that was ended early, and when; null if none was. With one window that was ended
   * early, the end that it had before, and when it was ended.
   */
  endedRun: number | null;
  endedRunAt: number | null;
}

/** What decides whether a monitor is in a window. */
export interface MaintenanceDefinition extends MaintenanceTimes {
  id: string;
  title: string;
  selector: Selector;
}

/** A window in which a monitor is; several open ones count as the one that ends last. */
export interface MonitorMaintenance {
  /** That of the maintenance. */
  id: string;
  title: string;
  endsAt: number;
}

export const MAINTENANCE_STATES = ["scheduled", "active", "ended"] as const;
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number];

/** A maintenance as users see it. */
export interface Maintenance extends MaintenanceDefinition {
  message: string | null;
  /** IDs of channels that exist. */
  notifyChannelIds: string[];
  /** The name under which a configuration file knows it; null if none does. */
  ref: string | null;
  state: MaintenanceState;
  /** Of the open window, or else of the next one; null without one. */
  nextStartsAt: number | null;
  nextEndsAt: number | null;
  createdAt: number;
  updatedAt: number;
}
