import { useSyncExternalStore } from "react";
import type { MonitorSummary } from "../../data/api.ts";
import { fill, texts } from "../../languages/texts.ts";
import { isSelected, Selection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";

/** The parts of the overview that are shown while the reader selects monitors. @param button gets the focus at the end */
export function startSelecting(onEnd: () => void, button: HTMLElement) {
  const end = () => {
    onEnd();
    button.focus();
  };
  return { selection: new Selection(), Bar: SelectionBar, Checkbox: RowCheckbox, end };
}

export type SelectMode = ReturnType<typeof startSelecting>;

interface Props {
  selection: Selection;
  monitor: MonitorSummary;
}

/** The label is larger than the box, for fingers. */
function RowCheckbox({ selection, monitor: { id, name } }: Props) {
  const isChecked = useSyncExternalStore(selection.subscribe, () => isSelected(selection.current(), id));
  return (
    <label className="row-check">
      <input
        type="checkbox"
        aria-label={fill(texts.bulk.select, { name })}
        checked={isChecked}
        onClick={({ shiftKey }) => selection.click(id, shiftKey)}
      />
    </label>
  );
}
