import { byName } from "../monitors/display-state.ts";
import { describeTarget, kindOf, type MonitorKind } from "../monitors/kinds/kinds.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { type Attended, type Standing, standingOf, worstFirst } from "../monitors/standing.ts";

/* The filters and orders of the overview, which the page applies to few monitors, and the server to many. */

/** An empty text and an empty list filter nothing. */
export interface Filters {
  search: string;
  type: MonitorType | "";
  kind?: MonitorKind | "";
  state: Standing | "";
  /** A monitor must have all of them. */
  tags: readonly string[];
  /** A monitor must have one of them. */
  anyTag?: readonly string[];
}

interface Filtered extends Attended {
  type: MonitorType;
  tags: readonly string[];
}

/** @property text in lower case, if it is known; otherwise, it and the kind are made from the rest */
type Searched = { text: string; kind: MonitorKind } | { name: string; config: object };

export function isMatch(
  one: Filtered & Searched,
  { search, type, kind = "", state, tags, anyTag = [] }: Filters,
): boolean {
  const needle = search.trim().toLowerCase();
  return (
    (type === "" || one.type === type) &&
    (kind === "" || ("kind" in one ? one.kind : kindOf(one.type, one.config)) === kind) &&
    (state === "" || standingOf(one) === state) &&
    tags.every((tag) => one.tags.includes(tag)) &&
    (anyTag.length === 0 || anyTag.some((tag) => one.tags.includes(tag))) &&
    (needle === "" || ("text" in one ? one.text : searchText(one.type, one)).includes(needle))
  );
}

/** The text in which a search looks, in lower case. */
export function searchText(
  type: MonitorType,
  { name, config, tags }: { name: string; config: object; tags: readonly string[] },
): string {
  return [name, describeTarget(type, config as Record<string, unknown>), ...tags].join(" ").toLowerCase();
}

export const SORTS = ["trouble", "name", "uptime", "latency"] as const;
export type Sort = (typeof SORTS)[number];

export interface Sorted extends Attended {
  name: string;
  uptime?: string | null | undefined;
  latest: { latencyMs: number | null } | null;
}

export const ORDERS: Record<Sort, (a: Sorted, b: Sorted) => number> = {
  trouble: worstFirst,
  name: byName,
  uptime: (a, b) => uptimeOf(a) - uptimeOf(b) || byName(a, b),
  latency: (a, b) => (b.latest?.latencyMs ?? -1) - (a.latest?.latencyMs ?? -1) || byName(a, b),
};

/** Percent. A monitor without uptime is last. */
function uptimeOf({ uptime }: Sorted): number {
  return uptime ? Number.parseFloat(uptime) : 101;
}

/** The tags with the number of their monitors, most used first, then by name. */
export function mostUsedFirst(
  counts: Iterable<[tag: string, count: number]>,
): { tag: string; count: number }[] {
  return Array.from(counts, ([tag, count]) => ({ tag, count })).sort(
    (a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1),
  );
}
