import { isMatch } from "../../../../domain/overview/selection.ts";
import { MAX_COMPONENTS } from "../../../../domain/pages/page.ts";
import type { MonitorSummary } from "../../data/api.ts";
import { findIds } from "../../data/monitor-search.ts";
import { useMonitorSearch } from "../../form/monitor-search.ts";
import { Failure, useAction } from "../../ui/failure.tsx";
import { formatCount } from "../../ui/numbers.ts";
import type { ComponentMonitors } from "../component-monitors.ts";

interface Props {
  /** IDs of the monitors that are on the page. */
  used: readonly string[];
  monitors: ComponentMonitors;
  onAdd: (ids: readonly string[]) => void;
}

/** Monitors to add, found by a search. */
export function AddMonitors({ used, monitors, onAdd }: Props) {
  const add = (ids: readonly string[]) => {
    onAdd(ids);
    clear();
  };
  const action = useAction();
  const { text, input, clear, found, count, isNone, error } = useMonitorSearch({
    without: used,
    offersFirst: true,
    onChoose: ({ id }) => add([id]),
  });
  const addAll = async () => {
    const ids = await findIds({ search: text });
    add(ids.filter((id) => !used.includes(id)));
  };
  const free = count === undefined ? 0 : count - countMatching(monitors.byId.values(), text);
  return (
    <div className="picker">
      <input
        {...input}
        aria-label="Search for monitors to add"
        placeholder="Add monitors: search by name, target or tag"
      />
      <div className="picker-found">
        {found.map(({ id, name }) => (
          <button key={id} type="button" className="button-small" onClick={() => add([id])}>
            <span className="visually-hidden">Add </span>
            {name}
          </button>
        ))}
        {free > 1 && used.length + free <= MAX_COMPONENTS && (
          <button type="button" className="button-small button-quiet" onClick={() => action.run(addAll)}>
            Add all {formatCount(free, "monitor")}
          </button>
        )}
      </div>
      {isNone && <p className="text-hint">No monitor matches.</p>}
      <Failure error={error ?? action.error} />
    </div>
  );
}

/** How many monitors a search matches. */
function countMatching(monitors: Iterable<MonitorSummary>, search: string): number {
  const filters = { search, type: "", state: "", tags: [] } as const;
  return [...monitors].filter((one) => isMatch(one, filters)).length;
}
