import {
  byName,
  DISPLAY_STATES,
  type DisplayState,
  displayStateOf,
  worstFirst,
} from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { MonitorSummary } from "../data/api.ts";
import { hasTags } from "../data/tags.ts";
import { describeTarget } from "../monitors/monitor-types.ts";

export const SORTS = ["trouble", "name", "uptime", "latency"] as const;
export type Sort = (typeof SORTS)[number];

/** An empty text and an empty list filter nothing. */
export interface Filters {
  search: string;
  type: MonitorType | "";
  state: DisplayState | "";
  /** A monitor must have all of them. */
  tags: string[];
  sort: Sort;
}

/** The monitors that match the filters, sorted. */
export function selectMonitors(monitors: MonitorSummary[], filters: Filters): MonitorSummary[] {
  const { search, type, state, tags, sort } = filters;
  const needle = search.trim().toLowerCase();
  const matches = (one: MonitorSummary) =>
    (type === "" || one.type === type) &&
    (state === "" || displayStateOf(one) === state) &&
    hasTags(one, tags) &&
    (needle === "" || `${one.name} ${describeTarget(one.type, one.config)}`.toLowerCase().includes(needle));
  return monitors.filter(matches).sort(orders[sort]);
}

/** The worst state that any monitor has, and a sentence about it. */
export function describeOverall(counts: Record<DisplayState, number>): { state: DisplayState; text: string } {
  const total = DISPLAY_STATES.reduce((sum, state) => sum + counts[state], 0);
  const { down, warning, healthy, waiting } = counts;
  if (down > 0) return { state: "down", text: `${down} of ${total} ${down === 1 ? "is" : "are"} down` };
  if (warning > 0) {
    return { state: "warning", text: `${warning} of ${total} ${warning === 1 ? "has" : "have"} a warning` };
  }
  if (healthy > 0) return { state: "healthy", text: "All monitors are healthy" };
  return waiting > 0
    ? { state: "waiting", text: "Waiting for first results" }
    : { state: "paused", text: "All monitors are paused" };
}

const orders: Record<Sort, (a: MonitorSummary, b: MonitorSummary) => number> = {
  trouble: worstFirst,
  name: byName,
  uptime: (a, b) => uptimeOf(a) - uptimeOf(b) || byName(a, b),
  latency: (a, b) => (b.latest?.latencyMs ?? -1) - (a.latest?.latencyMs ?? -1) || byName(a, b),
};

/** Percent. A monitor without uptime is last. */
function uptimeOf({ uptime }: MonitorSummary): number {
  return uptime ? Number.parseFloat(uptime) : 101;
}
