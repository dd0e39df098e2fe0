import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { byName } from "../../../domain/monitors/display-state.ts";
import { useForm } from "./form.tsx";
import { reportChange } from "./use-form-data.ts";

interface Named {
  id: string;
  name: string;
}

interface Props {
  legend: string;
  /** The name of the field in the API, and of the form values that have the IDs. */
  name: string;
  /** The monitors that may be chosen. */
  monitors: readonly Named[];
  /** IDs of the monitors that are chosen at first. */
  chosen: readonly string[];
  hint?: ReactNode;
}

/** How many monitors a search shows. */
const MOST_FOUND = 8;

/** Monitors that the reader finds by their names: a list of all would be too long. */
export function MonitorPicker({ legend, name, monitors, chosen, hint }: Props) {
  const id = useId();
  const element = useRef<HTMLFieldSetElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [ids, setIds] = useState<readonly string[]>(chosen);
  const [text, setText] = useState("");
  const error = useForm().errors[name];
  const found = findMonitors(monitors, text, ids);
  useEffect(() => reportChange(element.current), [ids]);
  const choose = (next: readonly string[]) => {
    setIds(next);
    setText("");
    search.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Otherwise, the browser would send the form.
    event.preventDefault();
    if (found[0]) choose([...ids, found[0].id]);
  };
  const described = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <fieldset className="picker" ref={element} {...(described && { "aria-describedby": described })}>
      <legend>{legend}</legend>
      {ids.length > 0 && (
        <ul className="picker-chosen">
          {ids.map((one) => (
            <li key={one}>
              <input type="hidden" name={name} value={one} />
              <span className="text-wrap">{monitors.find((monitor) => monitor.id === one)?.name ?? one}</span>
              <button
                type="button"
                className="button-quiet button-small"
                onClick={() => choose(ids.filter((other) => other !== one))}
              >
                Remove
                <span className="visually-hidden"> {monitors.find(({ id }) => id === one)?.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={search}
        type="search"
        aria-label={`Search for ${legend}`}
        placeholder="Search by name"
        value={text}
        onInput={(event) => {
          // It is no field of the form.
          event.stopPropagation();
          setText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
      />
      {found.length > 0 && (
        <ul className="picker-found">
          {found.map((monitor) => (
            <li key={monitor.id}>
              <button type="button" className="button-small" onClick={() => choose([...ids, monitor.id])}>
                <span className="visually-hidden">Add </span>
                {monitor.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {text.trim() !== "" && found.length === 0 && <p className="text-hint">No monitor matches.</p>}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="text-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

/** The first monitors by name that match a text and are not chosen yet; none without a text. */
export function findMonitors<Monitor extends Named>(
  monitors: readonly Monitor[],
  text: string,
  chosen: readonly string[],
): Monitor[] {
  const needle = text.trim().toLowerCase();
  if (needle === "") return [];
  return monitors
    .filter(({ id, name }) => !chosen.includes(id) && name.toLowerCase().includes(needle))
    .sort(byName)
    .slice(0, MOST_FOUND);
}
