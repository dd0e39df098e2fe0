import { useInfiniteQuery } from "@tanstack/react-query";
import { call, type Page, type Result } from "./api.ts";
import { Failure, TableBox } from "./parts.tsx";
import { ResultRow } from "./result-row.tsx";

/** The results of a monitor, most recent first, page by page. */
export function Results({ id }: { id: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["results", id],
    queryFn: ({ pageParam }) => call<Page<Result>>("GET", `/monitors/${id}/results?limit=25${pageParam}`),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => (cursor === null ? undefined : `&cursor=${cursor}`),
    refetchInterval: ({ state }) => (state.data?.pages.some(isUnderWay) ? UNDER_WAY_PACE : false),
  });
  const results = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section className="card" aria-labelledby="results">
      <h2 id="results">Results</h2>
      <Failure error={error} />
      {data && results.length === 0 && <p className="muted">None yet.</p>}
      {results.length > 0 && (
        <TableBox of="results">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Status</th>
                <th scope="col" className="number">
                  Latency
                </th>
                <th scope="col">Seen</th>
                <th scope="col">Alert</th>
              </tr>
            </thead>
            <tbody>
              {results.map((result) => (
                <ResultRow key={result.id} result={result} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older results
        </button>
      )}
    </section>
  );
}

/** While an alert waits to be delivered. */
const UNDER_WAY_PACE = 2000;

function isUnderWay({ data }: Page<Result>): boolean {
  return data.some(({ alertOutcome }) => alertOutcome?.status === "pending");
}
