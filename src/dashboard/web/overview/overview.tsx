import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { STANDINGS, type Standing, type StandingCounts } from "../../../domain/monitors/standing.ts";
import { FirstMonitor, lazyView } from "../app/lazy-views.tsx";
import { useHasRole } from "../app/session.tsx";
import { unnotifiedQuery } from "../data/shared-queries.ts";
import { StandingMark, StatusMark, standingLabels } from "../status/status-mark.tsx";
import type { SetFilter } from "../ui/filters.tsx";
import { formatCount, formatNumber } from "../ui/numbers.ts";
import { View } from "../ui/view.tsx";
import type { SelectMode } from "./bulk/select-mode.tsx";
import { FilterBar, type OverviewFilters, TagFilter, useOverviewFilters } from "./filter-bar.tsx";
import { LazyFirstSteps } from "./lazy-first-steps.tsx";
import { MonitorList } from "./monitor-list.tsx";
import { Selecting } from "./monitor-row.tsx";
import { useOverview } from "./overview-queries.ts";
import { describeOverall } from "./select-monitors.ts";
import { areStepsOver } from "./steps-memory.ts";

export function Overview() {
  const [filters, setFilter] = useOverviewFilters();
  const [page, setPage] = usePage(filters);
  const { selected, matching, tags, counts, buckets, isWhole, error } = useOverview(filters, page);
  const mayWrite = useHasRole("admin");
  const [mode, setMode] = useState<SelectMode | null>(null);
  if (!selected || !counts) {
    return <View title="Overview" error={error} />;
  }
  const total = STANDINGS.reduce((sum, state) => sum + counts[state], 0);
  if (total === 0) return <FirstMonitor />;
  const actions = mayWrite && (
    <>
      {total > counts.paused && <LazyPauseAll />}
      <Link className="button button-primary" href="/monitors/new">
        New monitor
      </Link>
    </>
  );
  const maySelect = mayWrite && total > 1;
  return (
    <View title="Overview" aside={actions}>
      <OverallState counts={counts} selected={filters.state} setFilter={setFilter} />
      {mayWrite && !areStepsOver() && <LazyFirstSteps monitors={total} />}
      <FilterBar filters={filters} setFilter={setFilter} />
      <div className={maySelect ? "overview-choices overview-select" : "overview-choices"}>
        <TagFilter tags={tags} selected={filters.tags} setFilter={setFilter} />
        <Suspense>
          <ListTools mode={mode} onMode={maySelect && setMode} />
        </Suspense>
      </div>
      {mode && <mode.Bar {...mode} monitors={selected} matching={matching} filters={filters} />}
      <p className="visually-hidden" role="status">
        {isWhole && `${formatCount(matching, "monitor")} shown`}
      </p>
      {isWhole && matching === 0 && <p className="view-empty">No monitor matches.</p>}
      <Selecting value={mode}>
        <MonitorList monitors={selected} buckets={buckets ?? []} />
      </Selecting>
      {isWhole && matching > selected.length && (
        <Suspense>
          <Pages page={page} matching={matching} onPage={setPage} />
        </Suspense>
      )}
    </View>
  );
}

/** The page of a list that the server selects: the first one of other filters. */
function usePage(filters: OverviewFilters): [number, (page: number) => void] {
  const of = JSON.stringify(filters);
  const [chosen, setChosen] = useState({ of, page: 0 });
  return [chosen.of === of ? chosen.page : 0, (page) => setChosen({ of, page })];
}

const Pages = lazyView(async () => (await import("./list-pages.tsx")).Pages);

/** The list does not wait for their script, and is shown without them if it cannot be loaded. */
const ListTools = lazy(async () => {
  const { ListTools } = await import("./list-tools.tsx").catch(() => ({ ListTools: (_: object) => null }));
  return { default: ListTools };
});

const PauseAll = lazy(async () => ({ default: (await import("./pause-all.tsx")).PauseAll }));

/** Until its script is loaded, a button that cannot be pressed takes its place. */
function LazyPauseAll() {
  return (
    <Suspense
      fallback={
        <button type="button" disabled>
          Pause all
        </button>
      }
    >
      <PauseAll />
    </Suspense>
  );
}

interface Props {
  counts: StandingCounts;
  /** The state that the list is filtered by. */
  selected: Standing | "";
  setFilter: SetFilter;
}

/** The worst state of all monitors, and a filter for each state. */
function OverallState({ counts, selected, setFilter }: Props) {
  const { state, text } = describeOverall(counts);
  const { data: unnotified = 0 } = useQuery({ ...unnotifiedQuery, enabled: useHasRole("admin") });
  return (
    <section className="overall" aria-label="Overall state">
      <p className="overall-text" role="status">
        <StatusMark state={state} size={36} />
        {text}
      </p>
      <div className="overall-counts">
        {STANDINGS.filter((one) => counts[one] > 0 || one === selected).map((one) => (
          <button
            key={one}
            type="button"
            className="overall-count"
            aria-pressed={selected === one}
            onClick={() => setFilter("status", selected === one ? "" : one)}
          >
            <StandingMark standing={one} size={14} />
            <b>{formatNumber(counts[one])}</b> {standingLabels[one]}
          </button>
        ))}
        {unnotified > 0 && (
          <Link className="button overall-count" href="/channels/choose">
            <StatusMark state="warning" size={14} />
            <b>{formatNumber(unnotified)}</b> notify nobody
          </Link>
        )}
      </div>
    </section>
  );
}
