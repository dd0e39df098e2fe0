import { DISPLAY_STATES } from "../../../domain/monitors/display-state.ts";
import { rangeIn } from "../../../domain/monitors/overview-query.ts";
import type { Range } from "../../../domain/results/range.ts";
import { MONITOR_TYPES } from "../monitor/monitor-types.ts";
import { type SetFilter, useUrlFilters } from "../ui/filters/use-url-filters.ts";
import { type Filters, SORTS } from "./select-monitors.ts";
import { parseTags } from "./tags.ts";

export type OverviewFilters = Filters & { range: Range };

export function useOverviewFilters(): [OverviewFilters, SetFilter] {
  const [params, setFilter] = useUrlFilters();
  const find = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === params.get(name));
  const filters = {
    search: params.get("search") ?? "",
    type: find(MONITOR_TYPES, "type") ?? ("" as const),
    tags: parseTags(params.get("tag")),
    state: find(DISPLAY_STATES, "status") ?? ("" as const),
    sort: find(SORTS, "sort") ?? ("trouble" as const),
    range: rangeIn(params),
  };
  return [filters, setFilter];
}
