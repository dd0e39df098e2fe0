import { api, call, type Event } from "../data/api.ts";
import { MONITOR_TYPES, monitorTypeWords } from "../monitor/monitor-type.ts";
import { ALL_STATUSES, wordsOf } from "../status/status-names.ts";
import { PagedTable, usePages } from "../ui/paged-table.tsx";
import { useFilters } from "../ui/use-url-filters.ts";
import { View } from "../ui/view.tsx";
import { isUnderWay, RESULT_COLUMNS, ResultRow } from "./result-row.tsx";

const EVENT_COLUMNS = RESULT_COLUMNS.toSpliced(1, 0, "Monitor");

/** The results of all monitors. */
export function Events() {
  const [params, setFilter] = useFilters();
  const type = MONITOR_TYPES.find((one) => one === params.get("type"));
  const status = ALL_STATUSES.find((one) => one === params.get("status"));
  const filters = { ...(type && { type }), ...(status && { status }) };
  const pages = usePages<Event>({
    queryKey: ["events", filters],
    load: (query) => call(api.events.get({ query: { limit: "50", ...filters, ...query } })),
    isUnderWay,
  });
  return (
    <View title="Events">
      <search className="toolbar">
        <select
          aria-label="Type"
          value={type ?? ""}
          onChange={({ target }) => setFilter("type", target.value)}
        >
          <option value="">All types</option>
          {MONITOR_TYPES.map((one) => (
            <option key={one} value={one}>
              {monitorTypeWords[one].name}
            </option>
          ))}
        </select>
        <select
          aria-label="Status"
          value={status ?? ""}
          onChange={({ target }) => setFilter("status", target.value)}
        >
          <option value="">Any status</option>
          {ALL_STATUSES.map((one) => (
            <option key={one} value={one}>
              {wordsOf(one)}
            </option>
          ))}
        </select>
      </search>
      <section className="card" aria-label="Results">
        <PagedTable
          of="events"
          pages={pages}
          columns={EVENT_COLUMNS}
          row={(event) => <ResultRow key={event.id} result={event} />}
          none={type || status ? "Nothing matches." : "Nothing has been seen yet."}
        />
      </section>
    </View>
  );
}
