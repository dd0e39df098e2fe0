import { iso, isoOrNull } from "../iso-time.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import type { Selector } from "../monitors/selector.ts";

/**
 * When a maintenance has windows: once, from `startsAt` to `endsAt`, or at each run of `cron`. The fields of the other
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

/** The part of a maintenance that decides whether a monitor is in a window. */
export interface MaintenanceDefinition extends MaintenanceTimes {
  id: string;
  title: string;
  selector: Selector;
}

/** A window in which a monitor is. If several are open, the window that ends last. */
export interface MonitorMaintenance {
  /** ID of the maintenance. */
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
  /** Start and end of the open window, or else of the next window; null without a window. */
  nextStartsAt: number | null;
  nextEndsAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** The maintenance window that a monitor is in at a moment, in milliseconds since 1970; null if it is in none. */
export type WindowAt = (at: number) => MonitorMaintenance | null;

/** A result with the ID of the maintenance in whose window it was made, if it was made in one (behavior 14.33). */
export function withMaintenance(result: NewResult, { windowAt }: { windowAt: WindowAt | null }): NewResult {
  const window = windowAt?.(result.createdAt);
  return window ? { ...result, detail: { ...result.detail, maintenance: window.id } } : result;
}

/** Whether a result was made in a maintenance window. */
export function isInMaintenance({ detail }: Pick<NewResult, "detail">): boolean {
  return detail?.maintenance !== undefined;
}

/** A maintenance as the API and the command line show it, with ISO times (behavior 14.40). */
export function shownMaintenance({ endedRun: _, endedRunAt: __, ...maintenance }: Maintenance) {
  const { startsAt, endsAt, until, nextStartsAt, nextEndsAt, createdAt, updatedAt } = maintenance;
  return {
    ...maintenance,
    startsAt: isoOrNull(startsAt),
    endsAt: isoOrNull(endsAt),
    until: isoOrNull(until),
    nextStartsAt: isoOrNull(nextStartsAt),
    nextEndsAt: isoOrNull(nextEndsAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}
