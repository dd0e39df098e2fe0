import { DISPLAY_STATES } from "../../../domain/monitors/display-state.ts";
import { MONITOR_TYPES, monitorTypeLabels } from "../monitor/monitor-types.ts";
import { stateLabels } from "../status/status-labels.ts";
import { RangePicker } from "../ui/filters/range-picker.tsx";
import { SelectFilter } from "../ui/filters/select-filter.tsx";
import type { SetFilter } from "../ui/filters/use-url-filters.ts";
import { SORTS } from "./select-monitors.ts";
import type { OverviewFilters } from "./use-overview-filters.ts";

const sortLabels = {
  trouble: "Problems first",
  name: "By name",
  uptime: "Lowest uptime first",
  latency: "Slowest first",
};

export function FilterBar({ filters, setFilter }: { filters: OverviewFilters; setFilter: SetFilter }) {
  return (
    <search className="filter-bar">
      <input
        type="search"
        placeholder="Search"
        aria-label="Search by name or target"
        value={filters.search}
        onChange={({ target }) => setFilter("search", target.value)}
      />
      <SelectFilter
        label="Type"
        any="All types"
        value={filters.type}
        options={MONITOR_TYPES.map((value) => ({ value, label: monitorTypeLabels[value].name }))}
        onChange={(type) => setFilter("type", type)}
      />
      <SelectFilter
        label="Status"
        any="Any status"
        value={filters.state}
        options={DISPLAY_STATES.map((value) => ({ value, label: stateLabels[value] }))}
        onChange={(state) => setFilter("status", state)}
      />
      <SelectFilter
        label="Order"
        value={filters.sort}
        options={SORTS.map((value) => ({ value, label: sortLabels[value] }))}
        onChange={(sort) => setFilter("sort", sort)}
      />
      <RangePicker value={filters.range} onChange={(range) => setFilter("range", range)} />
    </search>
  );
}
