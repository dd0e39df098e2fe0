import type { KeyboardEvent, ReactNode } from "react";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { FieldError } from "../../form/fields.tsx";
import { useForm } from "../../form/form.tsx";
import { fill, texts } from "../../languages/texts.ts";
import type { LayoutActions } from "./layout-fields.tsx";
import type { ComponentEntry, Entry, GroupEntry } from "./page-layout.ts";

interface Actions {
  actions: LayoutActions;
  onRename: (key: string, name: string) => void;
}

interface ComponentProps extends Actions {
  component: ComponentEntry;
  /** In the list of all components, which the API calls `components`. */
  position: number;
  /** The name of its monitor. */
  name: string;
  /** The type of its monitor; undefined if that is not known. */
  type: MonitorType | undefined;
}

export function ComponentRow({ component, position, name: own, type, ...actions }: ComponentProps) {
  return (
    <LayoutRow
      {...actions}
      entry={component}
      name={component.name.trim() || own}
      words={texts.pages.layout.component}
      input={{
        name: `components.${position}.name`,
        placeholder: own,
        "aria-label": fill(texts.pages.layout.componentName, { monitor: own }),
      }}
    >
      <p className="text-hint text-wrap">
        {own}
        {type && ` · ${texts.common.kinds[type]}`}
      </p>
    </LayoutRow>
  );
}

interface GroupProps extends Actions {
  group: GroupEntry;
  /** The position of its first component in the list of all components; undefined without components. */
  position: number | undefined;
}

export function GroupRow({ group, position, ...actions }: GroupProps) {
  const name = group.name.trim();
  const { group: named, groupWithoutName } = texts.pages.layout;
  return (
    <LayoutRow
      {...actions}
      entry={group}
      name={name}
      words={name ? named : groupWithoutName}
      input={{
        className: "layout-group-name",
        "data-control": "name",
        name: position === undefined ? undefined : `components.${position}.group`,
        placeholder: texts.pages.layout.groupName,
        "aria-label": texts.pages.layout.groupName,
      }}
    >
      {group.components.length === 0 && <p className="text-hint">{texts.pages.layout.emptyGroup}</p>}
    </LayoutRow>
  );
}

interface Props extends Actions {
  entry: Entry;
  /** The name in `words`. */
  name: string;
  /** For screen readers: what the buttons do. */
  words: Record<keyof typeof texts.pages.layout.component, string>;
  /** Attributes of the input that has the name of the entry. */
  input: {
    name: string | undefined;
    placeholder: string;
    "aria-label": string;
    className?: string;
    "data-control"?: string;
  };
  children: ReactNode;
}

/** The row of a component or of the name of a group: a handle, its fields, and buttons that move and delete it. */
function LayoutRow({ entry, name, words, input, actions, onRename, children }: Props) {
  const { drag, startDrag, step, remove } = actions;
  const { key } = entry;
  const { errors } = useForm();
  const error = input.name && errors[input.name];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    step(key, event.key === "ArrowUp" ? "up" : "down", "handle");
  };
  const marks = [
    "layout-row",
    drag?.key === key && "layout-row-dragged",
    drag?.slot.before === key && "layout-row-target",
  ];
  return (
    <div className={marks.filter(Boolean).join(" ")} data-key={key}>
      <button
        type="button"
        className="button-quiet layout-button layout-handle"
        data-control="handle"
        aria-label={fill<string>(words.move, { name })}
        aria-describedby="layout-hint"
        onPointerDown={(event) => startDrag(key, event)}
        onKeyDown={onKeyDown}
      >
        <Icon shape="handle" />
      </button>
      <div className="layout-fields">
        <input
          {...input}
          value={entry.name}
          {...(error && { "aria-invalid": true, "aria-describedby": `${input.name}-error` })}
          onInput={({ currentTarget }) => onRename(key, currentTarget.value)}
          autoComplete="off"
        />
        <FieldError id={`${input.name}-error`} error={error} />
        {children}
      </div>
      <div className="layout-buttons">
        {(["up", "down"] as const).map((direction) => (
          <button
            key={direction}
            type="button"
            className="button-quiet layout-button"
            data-control={direction}
            aria-label={fill<string>(words[direction], { name })}
            onClick={() => step(key, direction, direction)}
          >
            <Icon shape={direction} />
          </button>
        ))}
        <button
          type="button"
          className="button-quiet layout-button"
          aria-label={fill<string>(words.remove, { name })}
          onClick={() => remove(key, fill<string>(words.removed, { name }))}
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
