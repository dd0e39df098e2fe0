import { api, call, type Result } from "../data/api.ts";
import { isUnderWay, RESULT_COLUMNS, ResultRow } from "../events/result-row.tsx";
import { PagedTable, usePages } from "../ui/paged-table.tsx";

/** The results of a monitor, page by page. */
export function Results({ id }: { id: string }) {
  const pages = usePages<Result>({
    queryKey: ["results", id],
    load: (query) => call(api.monitors({ id }).results.get({ query: { limit: "25", ...query } })),
    isUnderWay,
  });
  return (
    <section className="card" aria-labelledby="results">
      <h2 id="results">Results</h2>
      <PagedTable
        of="results"
        pages={pages}
        columns={RESULT_COLUMNS}
        row={(result) => <ResultRow key={result.id} result={result} />}
        none="None yet."
      />
    </section>
  );
}
