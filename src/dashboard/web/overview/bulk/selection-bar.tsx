import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Filters } from "../../../../domain/overview/selection.ts";
import type { MonitorSummary, Overview } from "../../data/api.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { formatCount, formatNumber } from "../../ui/numbers.ts";
import type { OverviewFilters } from "../filter-bar.tsx";
import { isPartial } from "../overview-queries.ts";
import { type BulkAction, CHANGES, DELETION } from "./bulk-actions.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import { listNames } from "./bulk-words.ts";
import { MaintenanceDialog } from "./maintenance-dialog.tsx";
import { among, isSelected, NOTHING, type Selected, type Selection, selectorOf } from "./selection.ts";

interface Props {
  selection: Selection;
  /** The list. */
  monitors: readonly MonitorSummary[];
  /** How many monitors match the filters, also those that are on other pages. */
  matching: number;
  filters: OverviewFilters;
  /** Ends the mode. */
  end: () => void;
}

const MAINTENANCE = "maintenance";

/** How many monitors are selected, and what can be done with them. */
export function SelectionBar({ selection, monitors, matching, filters, end }: Props) {
  const selected = useSyncExternalStore(selection.subscribe, selection.current);
  const [open, setOpen] = useState<BulkAction | typeof MAINTENANCE | null>(null);
  const [done, setDone] = useState<{ text: string } | null>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  // The button that opened the dialog may be disabled now.
  useEffect(() => outcome.current?.focus(), [done]);
  useList(selection, monitors);
  useFilters(selection, filters);
  useEscape(end);
  const count = selected.matching ? matching : selected.ids.size;
  const dialog = {
    selector: selectorOf(selected),
    count,
    onClose: () => setOpen(null),
    onDone(text: string) {
      setOpen(null);
      setDone({ text });
      if (open === DELETION) selection.set(NOTHING);
    },
  };
  const names = () =>
    listNames(
      monitors.filter(({ id }) => isSelected(selected, id)).map(({ name }) => name),
      count,
    );
  const buttonOf = (action: NonNullable<typeof open>, label: string, className?: string) => (
    <button
      type="button"
      key={label}
      className={className}
      disabled={count === 0}
      onClick={() => setOpen(action)}
    >
      {label}
    </button>
  );
  return (
    <section className="bulk-bar" aria-label="Selected monitors">
      <div className="actions">
        <p role="status">{formatCount(count, "monitor")} selected</p>
        <SelectButtons {...{ selection, matching, filters, count }} shown={monitors.map(({ id }) => id)} />
        <button type="button" className="bulk-bar-end" onClick={end}>
          Done
        </button>
      </div>
      <div className="actions bulk-bar-actions">
        {CHANGES.map((action) => buttonOf(action, action.label))}
        {buttonOf(MAINTENANCE, "Maintenance")}
        {buttonOf(DELETION, DELETION.label, "button-danger-quiet")}
      </div>
      {done && (
        <p ref={outcome} tabIndex={-1}>
          {done.text}
        </p>
      )}
      {open === MAINTENANCE && <MaintenanceDialog {...dialog} names={names()} />}
      {open && open !== MAINTENANCE && <BulkDialog {...dialog} action={open} />}
    </section>
  );
}

interface ButtonsProps extends Pick<Props, "selection" | "matching" | "filters"> {
  /** The IDs of the list. */
  shown: readonly string[];
  /** How many monitors are selected. */
  count: number;
}

function SelectButtons({ selection, matching, filters, shown, count }: ButtonsProps) {
  const isPage = matching > shown.length;
  const buttonOf = (label: string, selected: Selected) => (
    <button
      type="button"
      className="button-quiet"
      disabled={selected === NOTHING && count === 0}
      onClick={() => selection.set(selected)}
    >
      {label}
    </button>
  );
  const list = { ids: new Set(shown) };
  return (
    <>
      {isPage && buttonOf("Select page", list)}
      {buttonOf(`Select all ${formatNumber(matching)}`, isPage ? { ...NOTHING, matching: filters } : list)}
      {buttonOf("Select none", NOTHING)}
    </>
  );
}

/** Keeps the selection up to date with the order of the list, and without deleted monitors. */
function useList(selection: Selection, monitors: readonly MonitorSummary[]): void {
  const queries = useQueryClient();
  useEffect(() => {
    selection.shown = monitors.map(({ id }) => id);
    const overview = queries.getQueryData<Overview>(queryKeys.overview);
    if (overview && !isPartial(overview))
      selection.set(among(selection.current(), new Set(overview.monitors.map(({ id }) => id))));
  }, [selection, monitors, queries]);
}

/** Other filters end the selection of all monitors that match. */
function useFilters(selection: Selection, filters: OverviewFilters): void {
  const key = keyOf(filters);
  useEffect(() => {
    const { matching } = selection.current();
    if (matching && keyOf(matching) !== key) selection.set(NOTHING);
  }, [selection, key]);
}

function keyOf(matching: Filters): string {
  return JSON.stringify(selectorOf({ ...NOTHING, matching }));
}

/** Escape in a dialog or a field is for these only. */
function useEscape(onEnd: () => void): void {
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const isElsewhere = (target as Element).closest("dialog, select, [type=search]");
      if (key === "Escape" && !isElsewhere && !document.querySelector("dialog[open]")) onEnd();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onEnd]);
}
