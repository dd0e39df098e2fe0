import { api, getAnswer, type Result } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import {
  hasPendingAlert,
  RESULT_COLUMNS,
  RESULT_COLUMNS_WITH_LOCATION,
  ResultRow,
} from "../events/result-row.tsx";
import { CsvExport } from "../export/csv-export.tsx";
import { PagedTable, usePages } from "../ui/table/paged-table.tsx";

/** The results of a monitor, page by page. @property hasLocation whether other locations check the monitor */
export function Results({ id, hasLocation }: { id: string; hasLocation: boolean }) {
  const pages = usePages<Result>({
    queryKey: queryKeys.results(id),
    load: (query) => getAnswer(api.monitors({ id }).results.get({ query: { limit: "25", ...query } })),
    isUnderWay: hasPendingAlert,
  });
  return (
    <section className="card" aria-labelledby="results">
      <div className="card-head">
        <h2 id="results">Results</h2>
        <CsvExport of="results" path={`/api/v1/monitors/${id}/results.csv`} />
      </div>
      <PagedTable
        of="results"
        pages={pages}
        columns={hasLocation ? RESULT_COLUMNS_WITH_LOCATION : RESULT_COLUMNS}
        row={(result) => <ResultRow key={result.id} result={result} hasLocation={hasLocation} />}
        none="No results yet."
      />
    </section>
  );
}
