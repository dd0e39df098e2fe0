import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isMatch } from "../../../../domain/overview/selection.ts";
import { MAX_COMPONENTS } from "../../../../domain/pages/page-request.ts";
import type { MonitorSummary } from "../../data/api.ts";
import { findIds } from "../../data/monitor-search.ts";
import { FieldError } from "../../form/fields.tsx";
import { reportChange, useForm } from "../../form/form.tsx";
import { useMonitorSearch } from "../../form/monitor-picker.tsx";
import { hidden, rich } from "../../languages/rich.tsx";
import { plural, texts } from "../../languages/texts.ts";
import { Failure, useAction } from "../../ui/filters.tsx";
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
  const words = texts.pages.layout;
  const newKey = () => `new ${opened} ${++created.current}`;
  const add = (ids: readonly string[]) =>
    actions.append(
      ids.map((monitorId) => ({ key: newKey(), monitorId, name: "" })),
      plural(words.announcement.added, ids.length),
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
      <legend>{words.legend}</legend>
      <p className="text-hint" id="layout-hint">
        {words.hint}
      </p>
      {layout.length === 0 && <p className="view-empty layout-empty">{words.none}</p>}
      <ol
        className={isEnd(null) ? "layout-list layout-end" : "layout-list"}
        ref={list}
        aria-label={words.list}
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
                aria-label={entry.name || texts.pages.group}
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
          onClick={() =>
            actions.append([{ key: newKey(), name: "", components: [] }], words.announcement.groupAdded)
          }
        >
          {words.addGroup}
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
        aria-label={texts.pages.layout.search}
        placeholder={texts.pages.layout.searchPlaceholder}
      />
      <div className="picker-found">
        {found.map(({ id, name }) => (
          <button key={id} type="button" className="button-small" onClick={() => add([id])}>
            {rich(texts.form.picker.add, { hidden, name })}
          </button>
        ))}
        {free > 1 && used.length + free <= MAX_COMPONENTS && (
          <button type="button" className="button-small button-quiet" onClick={() => action.run(addAll)}>
            {plural(texts.pages.layout.addAll, free)}
          </button>
        )}
      </div>
      {isNone && <p className="text-hint">{texts.form.picker.none}</p>}
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
  /** @param removed what is said then, for example `Removed: Shop.` */
  remove: (key: string, removed: string) => void;
  /** Adds entries at the end. @param added what is said then, for example `Added: 3 monitors.` */
  append: (entries: Layout, added: string) => void;
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
  const words = texts.pages.layout.announcement;
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
    announce(describePlace(moved, key));
    onChange(moved);
  };
  const { drag, start } = useDrag({ list, layout, onDrop: ({ key, slot }) => move(key, slot, "handle") });
  return {
    drag,
    startDrag: start,
    step(key, direction, control) {
      const slot = stepSlot(layout, key, direction);
      if (slot) move(key, slot, control);
      else announce(direction === "up" ? words.isFirst : words.isLast);
    },
    remove(key, removed) {
      const next = neighborOf(list.current, key);
      if (next) focus(next, "handle");
      announce(removed);
      onChange(remove(layout, key));
    },
    append(entries, added) {
      const [first] = entries;
      if (first && isGroup(first)) focus(first.key, "name");
      announce(added);
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
