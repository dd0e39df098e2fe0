import { useQuery } from "@tanstack/react-query";
import { foundMonitorsQuery, monitorNamesQuery, offeredMonitorsQuery } from "../data/shared-queries.ts";
import { useSettled } from "../data/use-settled.ts";
import { usePickerSearch } from "../form/monitor-picker.tsx";
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
  const { text, search, clear } = usePickerSearch();
  const settled = useSettled(text);
  const query = useQuery(foundMonitorsQuery(settled));
  // Enter must not choose a monitor that was found for an older text.
  const found = (settled === text && query.data) || [];
  const choose = (id: string) => {
    onChange(id);
    clear();
  };
  return (
    <>
      <input
        {...search(() => found[0] && choose(found[0].id))}
        aria-label="Search for a monitor"
        placeholder="Search by name or target"
      />
      {found.length > 0 && (
        <ul className="picker-found" aria-label="Monitors found">
          {found.map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="button-small" onClick={() => choose(id)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {settled === text && query.data?.length === 0 && <p className="text-hint">No monitor matches.</p>}
    </>
  );
}
