import { useQuery } from "@tanstack/react-query";
import { MONITOR_TYPES } from "../../../domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { RESULT_STATUSES, type ResultStatus } from "../../../domain/monitors/status.ts";
import { api, type Event, getAnswer } from "../data/api.ts";
import { tagsQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { texts } from "../languages/texts.ts";
import { FilterToggle } from "../overview/filter-bar.tsx";
import { Segments, SelectFilter, type SetFilter, useUrlFilters } from "../ui/filters.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { View } from "../ui/view.tsx";
import { hasPendingAlert, ResultRow, resultColumns } from "./result-row.tsx";
import {
  countOf,
  FilterSheet,
  NoneMatches,
  ProblemsFilter,
  TimeFilter,
  type TimeFilters,
  timeFilters,
  useFilters,
} from "./time-filter.tsx";

/** The changes of status of all monitors, or all their results. */
export function Events() {
  const [params, setFilter] = useUrlFilters();
  const filters = useFilters(params, eventFilters);
  const { changes, ...others } = filters;
  const pages = usePages<Event>({
    queryKey: queryKeys.events(filters),
    load: (query) => getAnswer(api.events.get({ query: { limit: "50", ...filters, ...query } })),
    isUnderWay: hasPendingAlert,
  });
  const tags = useQuery(tagsQuery);
  // With the filter by tag or without: it would move the others.
  const { title, columns, lists } = texts.results;
  if (tags.isPending) return <View title={title} />;
  const isFiltered = Object.keys(others).length > 0;
  const words = lists[changes ? "changes" : "all"];
  return (
    <View title={title} aside={<FilterToggle active={countEventFilters(filters)} />}>
      <Filters params={params} filters={filters} setFilter={setFilter} />
      <section className="card" aria-label={words.label}>
        <PagedTable
          label={words.table}
          older={words.older}
          pages={pages}
          columns={resultColumns(columns.monitor)}
          row={(event) => <ResultRow key={event.id} result={event} />}
          none={isFiltered ? <NoneMatches text={words.noneMatches} setFilter={setFilter} /> : words.none}
        />
      </section>
    </View>
  );
}

interface Props {
  params: URLSearchParams;
  filters: EventFilters;
  setFilter: SetFilter;
}

function Filters({ params, filters, setFilter }: Props) {
  const { changes, type = "", status = "", tag = "" } = filters;
  const { lists, filters: words } = texts.results;
  return (
    <FilterSheet done={lists[changes ? "changes" : "all"].show}>
      <TimeFilter params={params} filters={filters} setFilter={setFilter} />
      <SelectFilter
        label={words.type}
        any={words.anyType}
        value={type}
        options={MONITOR_TYPES.map((value) => ({ value, label: texts.common.kinds[value] }))}
        onChange={(value) => setFilter("type", value)}
      />
      <SelectFilter
        label={words.status}
        any={words.anyStatus}
        value={status}
        options={RESULT_STATUSES.map((value) => ({ value, label: texts.status.label[value] }))}
        onChange={(value) => setFilter("status", value)}
      />
      <TagSelect value={tag} onChange={(value) => setFilter("tag", value)} />
      <ProblemsFilter filters={filters} setFilter={setFilter} />
      <Segments
        legend={words.shown}
        value={changes ? "changes" : "all"}
        options={(["changes", "all"] as const).map((value) => ({ value, label: lists[value].option }))}
        onChange={(value) => setFilter("show", value === "all" ? "all" : "")}
      />
    </FilterSheet>
  );
}

function countEventFilters({ type, status, tag, problems, from, to }: EventFilters): number {
  return countOf([type, status, tag, problems, from ?? to]);
}

/** Nothing if no monitor has a tag. What is below appears with it, so that nothing moves. */
export function TagSelect({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const { data, isLoading } = useQuery(tagsQuery);
  const tags = new Set(data);
  if (value) tags.add(value);
  if (tags.size === 0 && !isLoading) return null;
  const options = [...tags].sort().map((tag) => ({ value: tag, label: tag }));
  const { tag: label, anyTag: any } = texts.results.filters;
  return (
    <>
      <SelectFilter label={label} any={any} value={value} options={options} onChange={onChange} />
      {isLoading && <span className="skeleton" hidden />}
    </>
  );
}

/** The parameters of `GET /events`, without those that filter nothing. */
export interface EventFilters extends TimeFilters {
  changes?: "true";
  type?: MonitorType;
  status?: ResultStatus;
  tag?: string;
}

/** The filters in the address of the view. Only changes are shown, except with `show=all`. What is unknown filters nothing. */
export function eventFilters(params: URLSearchParams): EventFilters {
  const type = MONITOR_TYPES.find((one) => one === params.get("type"));
  const status = RESULT_STATUSES.find((one) => one === params.get("status"));
  const tag = params.get("tag");
  return {
    ...(params.get("show") !== "all" && { changes: "true" }),
    ...(type && { type }),
    ...(status && { status }),
    ...(tag && { tag }),
    ...timeFilters(params),
  };
}
