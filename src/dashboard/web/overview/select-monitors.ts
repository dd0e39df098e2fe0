import {
  byName,
  DISPLAY_STATES,
  type DisplayState,
  displayStateOf,
  worstFirst,
} from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Standing } from "../data/api.ts";
import { targetOf } from "../monitor/monitor-type.ts";

export const SORTS = ["trouble", "name", "uptime", "latency"] as const;
export type Sort = (typeof SORTS)[number];

export interface Filters {
  search: string;
  type: MonitorType | "";
  mood: DisplayState | "";
  sort: Sort;
}

/** The monitors that pass the filters, in order. */
export function selectMonitors(monitors: Standing[], { search, type, mood, sort }: Filters): Standing[] {
  const needle = search.trim().toLowerCase();
  const passes = (one: Standing) =>
    (type === "" || one.type === type) &&
    (mood === "" || displayStateOf(one) === mood) &&
    (needle === "" || `${one.name} ${targetOf(one.type, one.config)}`.toLowerCase().includes(needle));
  return monitors.filter(passes).sort(orders[sort]);
}

/** How all stands, in words: the worst that is there decides. */
export function overallOf(counts: Record<DisplayState, number>): { mood: DisplayState; words: string } {
  const total = DISPLAY_STATES.reduce((sum, mood) => sum + counts[mood], 0);
  const be = (count: number) => (count === 1 ? "is" : "are");
  if (counts.down > 0) return { mood: "down", words: `${counts.down} of ${total} ${be(counts.down)} down` };
  if (counts.warning > 0) {
    return {
      mood: "warning",
      words: `${counts.warning} of ${total} ${counts.warning === 1 ? "needs" : "need"} a look`,
    };
  }
  if (counts.healthy > 0) return { mood: "healthy", words: "All is well" };
  return counts.waiting > 0
    ? { mood: "waiting", words: "Waiting for first results" }
    : { mood: "paused", words: "Everything is paused" };
}

const orders: Record<Sort, (a: Standing, b: Standing) => number> = {
  trouble: worstFirst,
  name: byName,
  uptime: (a, b) => uptimeOf(a) - uptimeOf(b) || byName(a, b),
  latency: (a, b) => (b.latest?.latencyMs ?? -1) - (a.latest?.latencyMs ?? -1) || byName(a, b),
};

function uptimeOf({ uptime }: Standing): number {
  return uptime ? Number.parseFloat(uptime) : 101;
}
