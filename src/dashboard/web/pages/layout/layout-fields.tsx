import { useEffect, useRef, useState } from "react";
import { FieldError } from "../../form/fields.tsx";
import { reportChange, useForm } from "../../form/form.tsx";
import { formatCount } from "../../ui/numbers.ts";
import type { ComponentMonitors } from "../component-monitors.ts";
import { groupPositions } from "../page-values.ts";
import { AddMonitors } from "./add-monitors.tsx";
import { ComponentRow, GroupRow } from "./layout-row.tsx";
import { type ComponentEntry, componentEntries, isGroup, type Layout, rename } from "./page-layout.ts";
import { useLayoutActions } from "./use-layout-actions.ts";

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
