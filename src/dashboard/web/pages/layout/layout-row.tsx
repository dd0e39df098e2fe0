import type { KeyboardEvent, ReactNode } from "react";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import type { Status } from "../../../../domain/monitors/status.ts";
import { useForm } from "../../form/form.tsx";
import { monitorTypeLabels } from "../../monitors/monitor-types.ts";
import type { ComponentEntry, GroupEntry } from "./page-layout.ts";
import type { LayoutActions } from "./use-layout-actions.ts";

export interface KnownMonitor {
  id: string;
  name: string;
  type: MonitorType;
  tags: readonly string[];
  enabled: boolean;
  status: Status;
  maintenance: object | null;
}

interface Props {
  component: ComponentEntry;
  /** In the list of all components, which the API calls `components`. */
  position: number;
  /** Undefined if it was deleted meanwhile. */
  monitor: KnownMonitor | undefined;
  actions: LayoutActions;
  onRename: (key: string, name: string) => void;
}

export function ComponentRow({ component: { key, name }, position, monitor, actions, onRename }: Props) {
  const field = `components.${position}.name`;
  const error = useForm().errors[field];
  const own = monitor?.name ?? "Deleted monitor";
  return (
    <LayoutRow rowKey={key} name={name.trim() || own} actions={actions} removal="Remove">
      <input
        name={field}
        value={name}
        placeholder={own}
        aria-label={`Name of ${own} on the page`}
        {...(error && { "aria-invalid": true, "aria-describedby": `${field}-error` })}
        onInput={({ currentTarget }) => onRename(key, currentTarget.value)}
        autoComplete="off"
      />
      {error && (
        <p className="field-error" id={`${field}-error`} role="alert">
          {error}
        </p>
      )}
      <p className="text-hint text-wrap">
        {own}
        {monitor && ` · ${monitorTypeLabels[monitor.type].name}`}
      </p>
    </LayoutRow>
  );
}

interface GroupProps {
  group: GroupEntry;
  /** Of its first component in the list of all components; undefined without components. */
  position: number | undefined;
  actions: LayoutActions;
  onRename: (key: string, name: string) => void;
}

export function GroupRow({ group: { key, name, components }, position, actions, onRename }: GroupProps) {
  const field = position === undefined ? undefined : `components.${position}.group`;
  const { errors } = useForm();
  const error = field && errors[field];
  return (
    <LayoutRow rowKey={key} name={`the group ${name.trim()}`.trim()} actions={actions} removal="Remove">
      <input
        className="layout-group-name"
        data-control="name"
        name={field}
        value={name}
        placeholder="Name of the group"
        aria-label="Name of the group"
        {...(error && { "aria-invalid": true, "aria-describedby": `${field}-error` })}
        onInput={({ currentTarget }) => onRename(key, currentTarget.value)}
        autoComplete="off"
      />
      {error && (
        <p className="field-error" id={`${field}-error`} role="alert">
          {error}
        </p>
      )}
      {components.length === 0 && (
        <p className="text-hint">Move components into this group. It is not saved while it is empty.</p>
      )}
    </LayoutRow>
  );
}

interface RowProps {
  rowKey: string;
  /** What screen readers call it. */
  name: string;
  actions: LayoutActions;
  /** What the button that deletes does. */
  removal: string;
  children: ReactNode;
}

/** The row of a component or of the name of a group: a handle, its fields, and buttons that move and delete it. */
function LayoutRow({ rowKey, name, actions, removal, children }: RowProps) {
  const { drag, startDrag, step, remove } = actions;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    step(rowKey, event.key === "ArrowUp" ? "up" : "down", "handle");
  };
  const marks = [
    "layout-row",
    drag?.key === rowKey && "layout-row-dragged",
    drag?.slot.before === rowKey && "layout-row-target",
  ];
  return (
    <div className={marks.filter(Boolean).join(" ")} data-key={rowKey}>
      <button
        type="button"
        className="button-quiet layout-button layout-handle"
        data-control="handle"
        aria-label={`Move ${name}`}
        aria-describedby="layout-hint"
        onPointerDown={(event) => startDrag(rowKey, event)}
        onKeyDown={onKeyDown}
      >
        <Icon shape="handle" />
      </button>
      <div className="layout-fields">{children}</div>
      <div className="layout-buttons">
        {(["up", "down"] as const).map((direction) => (
          <button
            key={direction}
            type="button"
            className="button-quiet layout-button"
            data-control={direction}
            aria-label={`Move ${name} ${direction}`}
            onClick={() => step(rowKey, direction, direction)}
          >
            <Icon shape={direction} />
          </button>
        ))}
        <button
          type="button"
          className="button-quiet layout-button"
          aria-label={`${removal} ${name}`}
          onClick={() => remove(rowKey, name)}
        >
          <Icon shape="remove" />
        </button>
      </div>
    </div>
  );
}

const shapes = {
  handle: "M6 3.5v.01M6 8v.01M6 12.5v.01M10.5 3.5v.01M10.5 8v.01M10.5 12.5v.01",
  up: "m3.5 9.5 4.5-4 4.5 4",
  down: "m3.5 6.5 4.5 4 4.5-4",
  remove: "m4 4 8 8m0-8-8 8",
} as const;

function Icon({ shape }: { shape: keyof typeof shapes }) {
  return (
    <svg
      className={`layout-icon layout-icon-${shape}`}
      width={16}
      height={16}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={shapes[shape]} />
    </svg>
  );
}
