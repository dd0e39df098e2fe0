import {
  type Filters,
  isMatch,
  mostUsedFirst,
  ORDERS,
  type Sort,
} from "../../../domain/overview/selection.ts";
import type { MonitorSummary } from "../data/api.ts";

/** The monitors that match the filters, sorted. */
export function selectMonitors(
  monitors: MonitorSummary[],
  { sort, ...filters }: Filters & { sort: Sort },
): MonitorSummary[] {
  return monitors.filter((one) => isMatch(one, filters)).sort(ORDERS[sort]);
}

/** Filters as parameters of the API, without the tags. */
export function requestedFilters({ search, type, kind, state }: Filters) {
  const text = search.trim();
  return {
    ...(text && { search: text }),
    ...(type && { type }),
    ...(kind && { kind }),
    ...(state && { status: state }),
  };
}

/** Between two tags in the address. No tag can contain it. */
const SEPARATOR = ",";

/** The selected tags in the address, each once. */
export function parseTags(text: string | null): string[] {
  return [...new Set(text?.split(SEPARATOR).filter(Boolean))];
}

/** The text for the address if a tag is added to the selected ones or, if it is one of them, removed. */
export function toggleTag(selected: readonly string[], tag: string): string {
  const others = selected.filter((one) => one !== tag);
  return (others.length < selected.length ? others : [...selected, tag]).join(SEPARATOR);
}

interface Tagged {
  tags: readonly string[];
}

/** The tags of all monitors with the number of monitors that have them, most used first, then by name. */
export function countTags(monitors: readonly Tagged[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { tags } of monitors) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return mostUsedFirst(counts);
}
