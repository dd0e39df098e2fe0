import { byName } from "../../../../domain/monitors/display-state.ts";
import type { MonitorSummary } from "../../data/api.ts";
import { usePickerSearch } from "../../form/monitor-picker.tsx";
import { formatCount } from "../../ui/numbers.ts";

interface Props {
  monitors: readonly MonitorSummary[];
  /** IDs of the monitors that are on the page. */
  used: readonly string[];
  onAdd: (ids: readonly string[]) => void;
}

/** How many monitors are offered one by one. */
const MAX_OFFERED = 8;

/** Monitors to add, found by their names and tags. */
export function AddMonitors({ monitors, used, onAdd }: Props) {
  const { text, search, clear } = usePickerSearch();
  const offered = offeredMonitors(monitors, text, new Set(used));
  const add = (ids: readonly string[]) => {
    onAdd(ids);
    clear();
  };
  return (
    <div className="picker">
      <input
        {...search(() => offered[0] && text.trim() !== "" && add([offered[0].id]))}
        aria-label="Search for monitors to add"
        placeholder="Add monitors: search by name or tag"
      />
      <div className="picker-found">
        {offered.slice(0, MAX_OFFERED).map(({ id, name }) => (
          <button key={id} type="button" className="button-small" onClick={() => add([id])}>
            <span className="visually-hidden">Add </span>
            {name}
          </button>
        ))}
        {offered.length > 1 && (
          <button
            type="button"
            className="button-small button-quiet"
            onClick={() => add(offered.map(({ id }) => id))}
          >
            Add all {formatCount(offered.length, "monitor")}
          </button>
        )}
      </div>
      {offered.length === 0 && text.trim() !== "" && <p className="text-hint">No monitor matches.</p>}
    </div>
  );
}

interface Named {
  id: string;
  name: string;
  tags: readonly string[];
}

/** Sorting more monitors than this is slow, so none is offered until the reader enters a text. */
const MAX_LISTED = 500;

/** The monitors that are not on the page yet and whose name or one of whose tags contains a text, by name. */
export function offeredMonitors<Monitor extends Named>(
  monitors: readonly Monitor[],
  text: string,
  used: ReadonlySet<string>,
): Monitor[] {
  const needle = text.trim().toLowerCase();
  if (needle === "" && monitors.length > MAX_LISTED) return [];
  return monitors
    .filter(({ id }) => !used.has(id))
    .filter(({ name, tags }) => [name, ...tags].some((one) => one.toLowerCase().includes(needle)))
    .sort(byName);
}
