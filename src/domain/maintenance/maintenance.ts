import type { WindowEnd } from "../heartbeats/heartbeat.ts";
import { iso, isoOrNull } from "../iso-time.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { isSelected, type Selector } from "../monitors/selector.ts";
import { nextChangeAfter, openWindowAt } from "./windows.ts";

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
  /** Whether the subscribers of public pages are notified when its window is planned, moved or canceled. */
  notifySubscribers: boolean;
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

/** The end of the window that a monitor is in at a moment; undefined if its organization has no maintenances. */
export function windowEndOf(windowAt: WindowAt | null): WindowEnd | undefined {
  return windowAt ? (at) => windowAt(at)?.endsAt ?? null : undefined;
}

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

/** The part of a monitor that decides whether a selector names it. */
export interface SelectedMonitor {
  id: string;
  tags: readonly string[];
}

/** The maintenances of an organization. */
export interface Calendar {
  /** The window that a monitor is in at a moment, in milliseconds since 1970: see `findOpenWindow`. */
  windowOf(monitor: SelectedMonitor, at: number): MonitorMaintenance | null;
}

/** The calendar of an organization without maintenances. */
export const EMPTY_CALENDAR: Calendar = { windowOf: () => null };

/** The window of a monitor that is open at a moment; of several, the one that ends last (behavior 14.31). */
export function findOpenWindow(
  definitions: readonly MaintenanceDefinition[],
  monitor: SelectedMonitor,
  at: number,
): MonitorMaintenance | null {
  return lastOf(openAt(definitions, at), monitor);
}

/** A calendar that computes the open windows only when they change, because each recorded check needs them. */
export function createCalendar(definitions: readonly MaintenanceDefinition[]): Calendar {
  let present = NOTHING_KNOWN;
  // For late checks, which come from the past in their order.
  let past = present;
  return {
    windowOf(monitor, at) {
      if (at >= present.to) present = spanFrom(definitions, at);
      else if (at < present.from && !contains(past, at)) past = spanFrom(definitions, at);
      return lastOf(at < present.from ? past.open : present.open, monitor);
    },
  };
}

/** A stretch in which the same windows are open, without its end. */
interface Span {
  from: number;
  to: number;
  open: Open[];
}

const NOTHING_KNOWN: Span = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY, open: [] };

function spanFrom(definitions: readonly MaintenanceDefinition[], at: number): Span {
  return { from: at, to: firstChange(definitions, at), open: openAt(definitions, at) };
}

function contains({ from, to }: Span, at: number): boolean {
  return at >= from && at < to;
}

/** A maintenance with an open window, and its end. */
interface Open {
  definition: MaintenanceDefinition;
  endsAt: number;
}

function openAt(definitions: readonly MaintenanceDefinition[], at: number): Open[] {
  return definitions.flatMap((definition) => {
    const window = openWindowAt(definition, at);
    return window ? [{ definition, endsAt: window.endsAt }] : [];
  });
}

function lastOf(open: readonly Open[], monitor: SelectedMonitor): MonitorMaintenance | null {
  let last: Open | null = null;
  for (const one of open)
    if ((last === null || one.endsAt > last.endsAt) && isSelected(one.definition.selector, monitor))
      last = one;
  return last && { id: last.definition.id, title: last.definition.title, endsAt: last.endsAt };
}

function firstChange(definitions: readonly MaintenanceDefinition[], at: number): number {
  return Math.min(Number.POSITIVE_INFINITY, ...definitions.map((one) => nextChangeAfter(one, at)));
}
