import { RESULT_STATUSES, statusLabel } from "../../../domain/monitors/status.ts";
import { api, type Event, getAnswer } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { MONITOR_TYPES, monitorTypeLabels } from "../monitor/monitor-types.ts";
import { SelectFilter } from "../ui/filters/select-filter.tsx";
import { useUrlFilters } from "../ui/filters/use-url-filters.ts";
import { PagedTable, usePages } from "../ui/table/paged-table.tsx";
import { View } from "../ui/view/view.tsx";
import { hasPendingAlert, RESULT_COLUMNS, ResultRow } from "./result-row.tsx";

const EVENT_COLUMNS = RESULT_COLUMNS.toSpliced(1, 0, "Monitor");

/** The results of all monitors. */
export function Events() {
  const [params, setFilter] = useUrlFilters();
  const type = MONITOR_TYPES.find((one) => one === params.get("type"));
  const status = RESULT_STATUSES.find((one) => one === params.get("status"));
  const filters = { ...(type && { type }), ...(status && { status }) };
  const pages = usePages<Event>({
    queryKey: queryKeys.events(filters),
    load: (query) => getAnswer(api.events.get({ query: { limit: "50", ...filters, ...query } })),
    isUnderWay: hasPendingAlert,
  });
  return (
    <View title="Events">
      <search className="filter-bar">
        <SelectFilter
          label="Type"
          any="All types"
          value={type ?? ""}
          options={MONITOR_TYPES.map((value) => ({ value, label: monitorTypeLabels[value].name }))}
          onChange={(value) => setFilter("type", value)}
        />
        <SelectFilter
          label="Status"
          any="Any status"
          value={status ?? ""}
          options={RESULT_STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
          onChange={(value) => setFilter("status", value)}
        />
      </search>
      <section className="card" aria-label="Results">
        <PagedTable
          of="events"
          pages={pages}
          columns={EVENT_COLUMNS}
          row={(event) => <ResultRow key={event.id} result={event} />}
          none={type || status ? "No result matches." : "No results yet."}
        />
      </section>
    </View>
  );
}
