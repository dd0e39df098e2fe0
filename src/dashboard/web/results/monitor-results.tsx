import { useEffect, useRef } from "react";
import { base } from "../app/base.ts";
import { api, getAnswer, type Result } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { hidden, rich } from "../languages/rich.tsx";
import { texts } from "../languages/texts.ts";
import { Card } from "../ui/card.tsx";
import { useUrlFilters } from "../ui/filters.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { hasPendingAlert, ResultRow, resultColumns } from "./result-row.tsx";
import {
  NoneMatches,
  ProblemsFilter,
  TimeFilter,
  type TimeFilters,
  timeFilters,
  useFilters,
} from "./time-filter.tsx";

const timesIn = (params: URLSearchParams) => timeFilters(params);

/** The results of a monitor, page by page. @property hasLocation whether other locations check the monitor */
export function Results({ id, hasLocation }: { id: string; hasLocation: boolean }) {
  const [params, setFilter] = useUrlFilters();
  const filters = useFilters(params, timesIn);
  const pages = usePages<Result>({
    queryKey: queryKeys.results(id, filters),
    load: (query) =>
      getAnswer(api.monitors({ id }).results.get({ query: { limit: "25", ...filters, ...query } })),
    isUnderWay: hasPendingAlert,
  });
  const top = useScrollToResults(pages.isSuccess);
  const { ofMonitor, columns, lists } = texts.results;
  return (
    <Card id="results" title={ofMonitor} aside={<CsvExport id={id} filters={filters} />}>
      <search ref={top} className="filter-bar">
        <TimeFilter params={params} filters={filters} setFilter={setFilter} />
        <ProblemsFilter filters={filters} setFilter={setFilter} />
      </search>
      <PagedTable
        label={lists.all.table}
        older={lists.all.older}
        pages={pages}
        columns={hasLocation ? resultColumns(columns.location) : resultColumns()}
        row={(result) => <ResultRow key={result.id} result={result} hasLocation={hasLocation} />}
        none={
          Object.keys(filters).length > 0 ? (
            <NoneMatches text={lists.all.noneMatches} setFilter={setFilter} />
          ) : (
            lists.all.none
          )
        }
      />
    </Card>
  );
}

/** A link to results of a time leads to them, below the rest of the view. */
function useScrollToResults(isLoaded: boolean) {
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isLoaded && location.hash === "#results") top.current?.closest("section")?.scrollIntoView();
  }, [isLoaded]);
  return top;
}

/** A link to all results that the list has, as a CSV file (behavior 14.99). */
function CsvExport({ id, filters }: { id: string; filters: TimeFilters }) {
  return (
    <a
      className="button button-small"
      href={`${base}/api/v1/monitors/${id}/results.csv?${new URLSearchParams({ ...filters })}`}
      download
    >
      {rich(texts.results.export, { hidden })}
    </a>
  );
}
