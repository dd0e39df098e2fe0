import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { byName } from "../../../domain/monitors/display-state.ts";
import { useFieldNotes } from "./fields.tsx";
import { reportChange } from "./form.tsx";

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
const MAX_FOUND = 8;

/** Monitors that the reader finds by their names: a list of all would be too long. */
export function MonitorPicker({ legend, name, monitors, chosen, hint }: Props) {
  const element = useRef<HTMLFieldSetElement>(null);
  const [ids, setIds] = useState<readonly string[]>(chosen);
  const { text, search, clear } = usePickerSearch();
  const { describedBy, errorBelow, hintBelow } = useFieldNotes(name, hint);
  const found = findMonitors(monitors, text, ids);
  useEffect(() => reportChange(element.current), [ids]);
  const choose = (next: readonly string[]) => {
    setIds(next);
    clear();
  };
  return (
    <fieldset className="picker" ref={element} {...describedBy}>
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
        {...search(() => found[0] && choose([...ids, found[0].id]))}
        aria-label={`Search for ${legend}`}
        placeholder="Search by name"
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
      {errorBelow}
      {hintBelow}
    </fieldset>
  );
}

/** The search of a picker. @returns the text, what clears it, and the attributes of its input with what Enter does */
export function usePickerSearch() {
  const [text, setText] = useState("");
  const ref = useRef<HTMLInputElement>(null);
  const clear = () => {
    setText("");
    ref.current?.focus();
  };
  const search = (onEnter: () => void) => ({
    ref,
    type: "search",
    value: text,
    autoComplete: "off",
    onInput(event: FormEvent<HTMLInputElement>) {
      // It is no field of the form.
      event.stopPropagation();
      setText(event.currentTarget.value);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Enter") return;
      // Otherwise, the browser would send the form.
      event.preventDefault();
      onEnter();
    },
  });
  return { text, search, clear };
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
    .slice(0, MAX_FOUND);
}
