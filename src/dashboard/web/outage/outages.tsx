import { useQuery } from "@tanstack/react-query";
import { monitorLabelsQuery } from "../data/shared-queries.ts";
import { SelectFilter } from "../ui/filters/select-filter.tsx";
import { useUrlFilters } from "../ui/filters/use-url-filters.ts";
import { View } from "../ui/view/view.tsx";
import { EndedOutages } from "./ended-outages.tsx";
import { OpenOutages } from "./open-outages.tsx";

/** The outages of all monitors or of one, those that continue first. */
export function Outages() {
  const [params, setFilter] = useUrlFilters();
  const monitorId = params.get("monitor") ?? "";
  return (
    <View title="Outages">
      <p className="text-lead">An outage lasts from the first check that saw a problem until the recovery.</p>
      <search className="filter-bar">
        <MonitorFilter value={monitorId} onChange={(id) => setFilter("monitor", id)} />
      </search>
      <OpenOutages monitorId={monitorId} />
      <EndedOutages monitorId={monitorId} />
    </View>
  );
}

function MonitorFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data: monitors } = useQuery(monitorLabelsQuery);
  const options = monitors?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const isKnown = value === "" || options.some((option) => option.value === value);
  const label = monitors ? "Unknown monitor" : "…";
  return (
    <SelectFilter
      label="Monitor"
      any="All monitors"
      value={value}
      options={isKnown ? options : [...options, { value, label }]}
      onChange={onChange}
    />
  );
}
