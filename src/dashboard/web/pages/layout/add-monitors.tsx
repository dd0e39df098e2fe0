import { type KeyboardEvent, useRef, useState } from "react";
import { byName } from "../../../../domain/monitors/display-state.ts";
import { formatCount } from "../../ui/numbers.ts";
import type { KnownMonitor } from "./layout-row.tsx";

interface Props {
  monitors: readonly KnownMonitor[];
  /** IDs of the monitors that are on the page. */
  used: readonly string[];
  onAdd: (ids: readonly string[]) => void;
}

/** How many monitors are offered one by one. */
const MOST_OFFERED = 8;

/** Monitors to add, found by their names and tags. */
export function AddMonitors({ monitors, used, onAdd }: Props) {
  const [text, setText] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const offered = offeredMonitors(monitors, text, new Set(used));
  const add = (ids: readonly string[]) => {
    onAdd(ids);
    setText("");
    search.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Otherwise, the browser would send the form.
    event.preventDefault();
    if (offered[0] && text.trim() !== "") add([offered[0].id]);
  };
  return (
    <div className="picker">
      <input
        ref={search}
        type="search"
        aria-label="Search for monitors to add"
        placeholder="Add monitors: search by name or tag"
        value={text}
        onInput={(event) => {
          // It is no field of the form.
          event.stopPropagation();
          setText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
      />
      <div className="picker-found">
        {offered.slice(0, MOST_OFFERED).map(({ id, name }) => (
          <button key={id} type="button" className="button-small" onClick={() => add([id])}>
            <span className="visually-hidden">Add </span>
            {name}
          </button>
        ))}
        {offered.length > 1 && (
          <button
            type="button"
            className="button-small button-quiet"
            onClick={() => add(offered.map(({ id }) => id))}
          >
            Add all {formatCount(offered.length, "monitor")}
          </button>
        )}
      </div>
      {offered.length === 0 && text.trim() !== "" && <p className="text-hint">No monitor matches.</p>}
    </div>
  );
}

interface Named {
  id: string;
  name: string;
  tags: readonly string[];
}

/** Of more monitors than this, none is offered before the reader has entered a text: to sort them takes long. */
const MOST_LISTED = 500;

/** The monitors that are not on the page yet and whose name or one of whose tags contains a text, by name. */
export function offeredMonitors<Monitor extends Named>(
  monitors: readonly Monitor[],
  text: string,
  used: ReadonlySet<string>,
): Monitor[] {
  const needle = text.trim().toLowerCase();
  if (needle === "" && monitors.length > MOST_LISTED) return [];
  return monitors
    .filter(({ id }) => !used.has(id))
    .filter(({ name, tags }) => [name, ...tags].some((one) => one.toLowerCase().includes(needle)))
    .sort(byName);
}
