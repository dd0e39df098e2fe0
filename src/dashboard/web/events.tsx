import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { call, type Event, type Page } from "./api.ts";
import { Failure, TableBox, View } from "./parts.tsx";
import { ResultRow } from "./result-row.tsx";
import { ALL_STATUSES, MONITOR_TYPES, monitorTypeWords, wordsOf } from "./words.ts";

/** The results of all monitors, most recent first. */
export function Events() {
  const [params, setParams] = useSearchParams();
  const type = params.get("type") ?? "";
  const status = params.get("status") ?? "";
  const filters = `${type && `&type=${type}`}${status && `&status=${status}`}`;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["events", filters],
    queryFn: ({ pageParam }) => call<Page<Event>>("GET", `/events?limit=50${filters}${pageParam}`),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => (cursor === null ? undefined : `&cursor=${cursor}`),
    placeholderData: (before) => before,
  });
  const filter = (name: string, value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const events = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <View title="Events">
      <search className="toolbar">
        <select aria-label="Type" value={type} onChange={({ target }) => filter("type", target.value)}>
          <option value="">All types</option>
          {MONITOR_TYPES.map((one) => (
            <option key={one} value={one}>
              {monitorTypeWords[one].name}
            </option>
          ))}
        </select>
        <select aria-label="Status" value={status} onChange={({ target }) => filter("status", target.value)}>
          <option value="">Any status</option>
          {ALL_STATUSES.map((one) => (
            <option key={one} value={one}>
              {wordsOf(one)}
            </option>
          ))}
        </select>
      </search>
      <Failure error={error} />
      {data && events.length === 0 && <p className="none">Nothing has been seen yet.</p>}
      {events.length > 0 && (
        <section className="card" aria-label="Results">
          <TableBox of="events">
            <table>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Monitor</th>
                  <th scope="col">Status</th>
                  <th scope="col" className="number">
                    Latency
                  </th>
                  <th scope="col">Seen</th>
                  <th scope="col">Alert</th>
                </tr>
              </thead>
              <tbody>
                {events.map((event) => (
                  <ResultRow key={event.id} result={event} />
                ))}
              </tbody>
            </table>
          </TableBox>
          {hasNextPage && (
            <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Older events
            </button>
          )}
        </section>
      )}
    </View>
  );
}
