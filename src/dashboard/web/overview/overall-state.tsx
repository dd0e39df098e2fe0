import { Link } from "wouter";
import { DISPLAY_STATES, type DisplayState } from "../../../domain/monitors/display-state.ts";
import { MaintenanceMark } from "../status/maintenance-label.tsx";
import { stateLabels } from "../status/status-labels.ts";
import { StatusMark } from "../status/status-mark.tsx";
import type { SetFilter } from "../ui/filters/use-url-filters.ts";
import { formatNumber } from "../ui/numbers.ts";
import { describeOverall } from "./select-monitors.ts";

interface Props {
  counts: Record<DisplayState, number>;
  /** How many monitors are in maintenance. */
  inMaintenance: number;
  /** The state that the list is filtered by. */
  selected: DisplayState | "";
  setFilter: SetFilter;
}

/** The worst state of all monitors, and a filter for each state. */
export function OverallState({ counts, inMaintenance, selected, setFilter }: Props) {
  const { state, text } = describeOverall(counts);
  return (
    <section className="overall" aria-label="Overall state">
      <p className="overall-text" role="status">
        <StatusMark state={state} size={36} />
        {text}
      </p>
      <div className="overall-counts">
        {DISPLAY_STATES.filter((one) => counts[one] > 0 || one === selected).map((one) => (
          <button
            key={one}
            type="button"
            className="overall-count"
            aria-pressed={selected === one}
            onClick={() => setFilter("status", selected === one ? "" : one)}
          >
            <StatusMark state={one} size={14} />
            <b>{formatNumber(counts[one])}</b> {stateLabels[one]}
          </button>
        ))}
        {inMaintenance > 0 && (
          <Link className="button overall-count" href="/maintenances">
            <MaintenanceMark />
            <b>{formatNumber(inMaintenance)}</b> in maintenance
          </Link>
        )}
      </div>
    </section>
  );
}
