import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isMatch } from "../../../../domain/overview/selection.ts";
import { MAX_COMPONENTS } from "../../../../domain/pages/page-request.ts";
import type { MonitorSummary } from "../../data/api.ts";
import { findIds } from "../../data/monitor-search.ts";
import { FieldError } from "../../form/fields.tsx";
import { reportChange, useForm } from "../../form/form.tsx";
import { useMonitorSearch } from "../../form/monitor-picker.tsx";
import { Failure, useAction } from "../../ui/filters.tsx";
import { formatCount } from "../../ui/numbers.ts";
import { type ComponentMonitors, groupPositions } from "../page-fields.tsx";
import { ComponentRow, GroupRow } from "./layout-row.tsx";
import {
  type ComponentEntry,
  componentEntries,
  isGroup,
  type Layout,
  remove,
  rename,
} from "./page-layout.ts";
import { type Drag, describePlace, moveTo, type Slot, stepSlot, useDrag } from "./use-drag.ts";

interface Props {
  monitors: ComponentMonitors;
  layout: Layout;
  onChange: (layout: Layout) => void;
}

/** The components of a page and their groups, in their order (behavior 15.91). */
export function LayoutFields({ monitors, layout, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const created = useRef(0);
  // A draft may have components of an earlier opening.
  const [opened] = useState(Date.now);
  const actions = useLayoutActions({ list, layout, onChange });
  const error = useForm().errors.components;
  // The names of the fields have positions, so that a move or a removal changes the errors.
  useEffect(() => {
    if (layout) reportChange(field.current);
  }, [layout]);
  const components = componentEntries(layout);
  const groups = groupPositions(layout);
  const newKey = () => `new ${opened} ${++created.current}`;
  const add = (ids: readonly string[]) =>
    actions.append(
      ids.map((monitorId) => ({ key: newKey(), monitorId, name: "" })),
      `Added: ${formatCount(ids.length, "monitor")}.`,
    );
  const onRename = (key: string, name: string) => onChange(rename(layout, key, name));
  const row = (component: ComponentEntry) => (
    <li key={component.key}>
      <ComponentRow
        component={component}
        position={components.indexOf(component)}
        name={monitors.nameOf(component.monitorId)}
        type={monitors.byId.get(component.monitorId)?.type}
        actions={actions}
        onRename={onRename}
      />
    </li>
  );
  const { drag } = actions;
  const isEnd = (group: string | null) => drag?.slot.before === null && drag.slot.group === group;
  return (
    <fieldset className="layout">
      <legend>Components</legend>
      <p className="text-hint" id="layout-hint">
        In the order of the page. Drag the handle of a component, or press the arrow keys up and down on it.
      </p>
      {layout.length === 0 && (
        <p className="view-empty layout-empty">No components yet. Add monitors below.</p>
      )}
      <ol
        className={isEnd(null) ? "layout-list layout-end" : "layout-list"}
        ref={list}
        aria-label="Components"
      >
        {layout.map((entry) =>
          isGroup(entry) ? (
            <li key={entry.key} className="layout-group">
              <GroupRow
                group={entry}
                position={groups.get(entry.key)}
                actions={actions}
                onRename={onRename}
              />
              <ol
                className={isEnd(entry.key) ? "layout-list layout-end" : "layout-list"}
                aria-label={entry.name || "Group"}
              >
                {entry.components.map(row)}
              </ol>
            </li>
          ) : (
            row(entry)
          ),
        )}
      </ol>
      <FieldError error={error} />
      {/* Its name receives the errors of the whole list. */}
      <input type="hidden" name="components" ref={field} />
      <AddMonitors monitors={monitors} used={components.map(({ monitorId }) => monitorId)} onAdd={add} />
      <div className="actions">
        <button
          type="button"
          className="button-small"
          onClick={() => actions.append([{ key: newKey(), name: "", components: [] }], "Added: a group.")}
        >
          Add a group
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {actions.announcement}
      </p>
    </fieldset>
  );
}

interface AddMonitorsProps {
  /** IDs of the monitors that are on the page. */
  used: readonly string[];
  monitors: ComponentMonitors;
  onAdd: (ids: readonly string[]) => void;
}

/** Monitors to add, found by a search. */
function AddMonitors({ used, monitors, onAdd }: AddMonitorsProps) {
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

export interface LayoutActions {
  /** Null while nothing is dragged. */
  drag: Drag | null;
  startDrag: (key: string, event: PointerEvent) => void;
  /** @param control what the reader used, which keeps the focus */
  step: (key: string, direction: "up" | "down", control: string) => void;
  remove: (key: string, name: string) => void;
  /** Adds entries at the end. @param words what was added, for example `3 monitors are added.` */
  append: (entries: Layout, words: string) => void;
  /** For screen readers: the latest change. */
  announcement: string;
}

interface Options {
  list: RefObject<HTMLElement | null>;
  layout: Layout;
  onChange: (layout: Layout) => void;
}

/** Moves and deletes components and groups, and says what has changed. */
function useLayoutActions({ list, layout, onChange }: Options): LayoutActions {
  const [announcement, announce] = useState("");
  const focused = useRef<string | null>(null);
  // A row that was moved is another element, or was out of the document for a moment.
  useLayoutEffect(() => {
    if (focused.current !== null) list.current?.querySelector<HTMLElement>(focused.current)?.focus();
    focused.current = null;
  });
  const focus = (key: string, control: string) => {
    focused.current = `[data-key="${CSS.escape(key)}"] [data-control="${control}"]`;
  };
  const move = (key: string, slot: Slot, control: string) => {
    const moved = moveTo(layout, key, slot);
    focus(key, control);
    announce(`${describePlace(moved, key)}.`);
    onChange(moved);
  };
  const { drag, start } = useDrag({ list, layout, onDrop: ({ key, slot }) => move(key, slot, "handle") });
  return {
    drag,
    startDrag: start,
    step(key, direction, control) {
      const slot = stepSlot(layout, key, direction);
      if (slot) move(key, slot, control);
      else announce(direction === "up" ? "It is the first." : "It is the last.");
    },
    remove(key, name) {
      const next = neighborOf(list.current, key);
      if (next) focus(next, "handle");
      announce(`Removed: ${name}.`);
      onChange(remove(layout, key));
    },
    append(entries, words) {
      const [first] = entries;
      if (first && isGroup(first)) focus(first.key, "name");
      announce(words);
      onChange([...layout, ...entries]);
    },
    announcement,
  };
}

/** The key of the row after a row, or else of the one before it. */
function neighborOf(list: HTMLElement | null, key: string): string | undefined {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-key]") ?? [])];
  const keys = rows.map((row) => row.dataset.key);
  const at = keys.indexOf(key);
  return keys[at + 1] ?? keys[at - 1];
}
