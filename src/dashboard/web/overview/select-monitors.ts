import { type Filters, isMatch, ORDERS, type Sort } from "../../../domain/overview/selection.ts";
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
