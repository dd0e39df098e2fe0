import { useEffect, useRef } from "react";
import { base } from "../app/base.ts";
import { api, getAnswer, type Result } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Card } from "../ui/card.tsx";
import { useUrlFilters } from "../ui/filters.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { hasPendingAlert, RESULT_COLUMNS, RESULT_COLUMNS_WITH_LOCATION, ResultRow } from "./result-row.tsx";
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
  return (
    <Card id="results" title="Results" aside={<CsvExport id={id} filters={filters} />}>
      <search ref={top} className="filter-bar">
        <TimeFilter params={params} filters={filters} setFilter={setFilter} />
        <ProblemsFilter filters={filters} setFilter={setFilter} />
      </search>
      <PagedTable
        label="Table of results"
        older="Older results"
        pages={pages}
        columns={hasLocation ? RESULT_COLUMNS_WITH_LOCATION : RESULT_COLUMNS}
        row={(result) => <ResultRow key={result.id} result={result} hasLocation={hasLocation} />}
        none={
          Object.keys(filters).length > 0 ? (
            <NoneMatches of="result" setFilter={setFilter} />
          ) : (
            "No results yet."
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
      Export <span className="visually-hidden">results</span> as CSV
    </a>
  );
}
