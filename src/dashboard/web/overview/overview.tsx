import { useDeferredValue, useMemo } from "react";
import { Link } from "wouter";
import { FirstMonitor } from "../app/lazy-views.tsx";
import { useHasRole } from "../app/session.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatCount } from "../ui/numbers.ts";
import { View } from "../ui/view/view.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { LazyViewBar } from "./lazy-view-bar.tsx";
import { MonitorList } from "./monitor-list.tsx";
import { OverallState } from "./overall-state.tsx";
import { useOverview } from "./overview-queries.ts";
import { PauseAll } from "./pause-all.tsx";
import { selectMonitors } from "./select-monitors.ts";
import { TagFilter } from "./tag-filter.tsx";
import { useOverviewFilters } from "./use-overview-filters.ts";

export function Overview() {
  const [filters, setFilter] = useOverviewFilters();
  const { monitors, counts, buckets, isWhole, error } = useOverview(filters.range);
  const deferred = useDeferredValue(filters);
  // The server sends the first part of the list in its final order.
  const selected = useMemo(
    () => (isWhole ? selectMonitors(monitors ?? [], deferred) : (monitors ?? [])),
    [isWhole, monitors, deferred],
  );
  const mayWrite = useHasRole("admin");
  if (!monitors || !counts) {
    return (
      <View title="Overview">
        <Failure error={error} />
      </View>
    );
  }
  if (monitors.length === 0) return <FirstMonitor />;
  const actions = mayWrite && (
    <>
      {monitors.some(({ enabled }) => enabled) && <PauseAll />}
      <Link className="button button-primary" href="/monitors/new">
        New monitor
      </Link>
    </>
  );
  return (
    <View title="Overview" aside={actions}>
      <OverallState
        counts={counts}
        inMaintenance={monitors.filter(({ maintenance }) => maintenance).length}
        selected={filters.state}
        setFilter={setFilter}
      />
      <FilterBar filters={filters} setFilter={setFilter} />
      <div className="overview-choices">
        <TagFilter monitors={monitors} selected={filters.tags} setFilter={setFilter} />
        <LazyViewBar />
      </div>
      <p className="visually-hidden" role="status">
        {isWhole && `${formatCount(selected.length, "monitor")} shown`}
      </p>
      {isWhole && selected.length === 0 && <p className="view-empty">No monitor matches.</p>}
      <MonitorList monitors={selected} buckets={buckets ?? []} />
    </View>
  );
}
