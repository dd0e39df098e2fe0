import type { SelectedMonitor } from "../maintenance/maintenance.ts";
import { byName, type DisplayState, displayStateOf } from "./display-state.ts";
import type { Status } from "./status.ts";

/**
 * How lists order, count and filter a monitor: by its display state, or by what people do about it. A monitor that is down in a
 * maintenance, or whose outage somebody has acknowledged, must not hide one that nobody knows of (behavior 1.6).
 */
export type Standing = DisplayState | "acknowledged" | "maintenance";

/** The order of lists and counts. */
export const STANDINGS: readonly Standing[] = [
  "down",
  "warning",
  "waiting",
  "acknowledged",
  "maintenance",
  "healthy",
  "paused",
];

export type StandingCounts = Record<Standing, number>;

/** @property maintenance its open window @property acknowledgement of its open outage */
export interface Attended {
  status: Status;
  enabled: boolean;
  maintenance: object | null;
  acknowledgement: object | null;
}

export function standingOf({ maintenance, acknowledgement, ...monitor }: Attended): Standing {
  const state = displayStateOf(monitor);
  if (state === "paused") return state;
  if (maintenance) return "maintenance";
  return acknowledgement && (state === "down" || state === "warning") ? "acknowledged" : state;
}

/** @param before counts to which these monitors are added */
export function countStandings(monitors: Iterable<Attended>, before: StandingCounts = NONE): StandingCounts {
  const counts = { ...before };
  for (const monitor of monitors) counts[standingOf(monitor)]++;
  return counts;
}

const NONE: StandingCounts = {
  down: 0,
  warning: 0,
  waiting: 0,
  acknowledged: 0,
  maintenance: 0,
  healthy: 0,
  paused: 0,
};

/** How many monitors there are. */
export function totalOf(counts: StandingCounts): number {
  return STANDINGS.reduce((sum, standing) => sum + counts[standing], 0);
}

/** The statement of a headline about all monitors. */
export type Headline =
  | "down"
  | "warning"
  | "allHealthy"
  | "someHealthy"
  | "waiting"
  | "attended"
  | "allPaused";

/** The worst state that needs somebody, and the headline about it. */
export function headlineOf(counts: StandingCounts): { state: DisplayState; headline: Headline } {
  const { down, warning, healthy, waiting, acknowledged, maintenance } = counts;
  if (down > 0) return { state: "down", headline: "down" };
  if (warning > 0) return { state: "warning", headline: "warning" };
  if (healthy > 0) {
    const isAll = waiting + acknowledged + maintenance === 0;
    return { state: "healthy", headline: isAll ? "allHealthy" : "someHealthy" };
  }
  if (waiting > 0) return { state: "waiting", headline: "waiting" };
  return acknowledged + maintenance > 0
    ? { state: acknowledged > 0 ? "warning" : "healthy", headline: "attended" }
    : { state: "paused", headline: "allPaused" };
}

/** Whether a monitor is in trouble that is not planned: somebody looks at it, or should. */
export function isTroubled(standing: Standing): boolean {
  return standing === "down" || standing === "warning" || standing === "acknowledged";
}

/** Compares monitors by standing, then by name. */
export function worstFirst(a: Attended & { name: string }, b: Attended & { name: string }): number {
  return STANDINGS.indexOf(standingOf(a)) - STANDINGS.indexOf(standingOf(b)) || byName(a, b);
}

/** The people's part in the state of monitors: maintenances and acknowledgements of one organization at a moment. */
export interface Attendance<Window extends object = object, Acknowledgement extends object = object> {
  /** The window that a monitor is in; of several, the one that ends last. */
  maintenanceOf(monitor: { id: string; tags: readonly string[] }): Window | null;
  /** The acknowledgement of the open outage of a monitor. */
  acknowledgementOf(monitor: { id: string }): Acknowledgement | null;
}

/** @returns the monitor with what people do about it */
export function attended<
  Monitor extends { id: string; tags: readonly string[] },
  Window extends object,
  Acknowledgement extends object,
>(
  monitor: Monitor,
  { maintenanceOf, acknowledgementOf }: Attendance<Window, Acknowledgement>,
): Monitor & { maintenance: Window | null; acknowledgement: Acknowledgement | null } {
  return { ...monitor, maintenance: maintenanceOf(monitor), acknowledgement: acknowledgementOf(monitor) };
}

/** How many monitors need somebody, by state. */
export interface Attention {
  down: number;
  warning: number;
}

/** Counts monitors whose outage is not acknowledged, without those in maintenance (behavior 16.372). */
export function countAttention<Monitor extends SelectedMonitor & { status: Status }>(
  unattended: readonly Monitor[],
  maintenanceOf: (monitor: Monitor) => object | null,
): Attention {
  const counts = { down: 0, warning: 0 };
  for (const monitor of unattended) {
    const standing = standingOf({
      ...{ status: monitor.status, enabled: true },
      maintenance: maintenanceOf(monitor),
      acknowledgement: null,
    });
    if (standing === "down" || standing === "warning") counts[standing]++;
  }
  return counts;
}
