import { useQuery } from "@tanstack/react-query";
import { monitorNamesQuery, offeredMonitorsQuery } from "../data/monitor-lists.ts";
import { useMonitorSearch } from "../form/monitor-search.ts";
import { Failure } from "../ui/failure.tsx";
import { SelectFilter } from "../ui/filters.tsx";

interface Props {
  /** The ID of the monitor whose outages are shown; empty for all. */
  value: string;
  onChange: (id: string) => void;
}

/** A list of all monitors or, if they are too many for one, a search. */
export function MonitorFilter({ value, onChange }: Props) {
  const { data: offered } = useQuery(offeredMonitorsQuery);
  const { data: names } = useQuery(monitorNamesQuery(value ? [value] : []));
  const options = (offered ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isOffered = value === "" || options.some((option) => option.value === value);
  const label = names ? (names.get(value) ?? "Unknown monitor") : "…";
  return (
    <>
      <SelectFilter
        label="Monitor"
        any="All monitors"
        value={value}
        options={isOffered ? options : [...options, { value, label }]}
        onChange={onChange}
      />
      {offered === null && <MonitorSearch onChange={onChange} />}
    </>
  );
}

function MonitorSearch({ onChange }: Pick<Props, "onChange">) {
  const choose = ({ id }: { id: string }) => {
    onChange(id);
    clear();
  };
  const { input, clear, found, isNone, error } = useMonitorSearch({ onChoose: choose });
  return (
    <>
      <input {...input} aria-label="Search for a monitor" placeholder="Search by name, target or tag" />
      {found.length > 0 && (
        <ul className="picker-found" aria-label="Monitors found">
          {found.map((monitor) => (
            <li key={monitor.id}>
              <button type="button" className="button-small" onClick={() => choose(monitor)}>
                {monitor.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNone && <p className="text-hint">No monitor matches.</p>}
      <Failure error={error} />
    </>
  );
}
