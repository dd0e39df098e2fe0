import { isSelected } from "../monitors/selector.ts";
import type { MaintenanceDefinition, MonitorMaintenance } from "./maintenance.ts";
import { nextChangeAfter, openWindowAt } from "./windows.ts";

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
