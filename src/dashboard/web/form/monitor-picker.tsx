import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { Failure } from "../ui/failure.tsx";
import { useFieldNotes } from "./fields.tsx";
import { reportChange } from "./form.tsx";
import { useMonitorSearch } from "./monitor-search.ts";
import { useRestoredValues } from "./use-draft.tsx";

interface Props {
  legend: string;
  /** The name of the field in the API, and of the form values that have the IDs. */
  name: string;
  /** IDs of the monitors that are chosen at first. */
  chosen: readonly string[];
  /** IDs of monitors that must not be chosen. */
  excluded?: readonly string[];
  hint?: ReactNode;
}

/** @property name undefined if it was chosen before the form was opened */
interface Chosen {
  id: string;
  name?: string;
}

/** Monitors that the reader finds by a search: a list of all would be too long. */
export function MonitorPicker({ legend, name, chosen: stored, excluded = [], hint }: Props) {
  const initial = useRestoredValues(name) ?? stored;
  const element = useRef<HTMLFieldSetElement>(null);
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => initial.map((id) => ({ id })));
  const names = useQuery(monitorNamesQuery(initial));
  const { describedBy, errorBelow, hintBelow } = useFieldNotes(name, hint);
  useEffect(() => reportChange(element.current), [chosen]);
  const choose = (next: readonly Chosen[]) => {
    setChosen(next);
    clear();
  };
  const { input, clear, found, isNone, error } = useMonitorSearch({
    without: [...excluded, ...chosen.map(({ id }) => id)],
    onChoose: (monitor) => choose([...chosen, monitor]),
  });
  const nameOf = ({ id, name }: Chosen) => name ?? (names.data ? (names.data.get(id) ?? id) : "…");
  return (
    <fieldset className="picker" data-list={name} ref={element} {...describedBy}>
      <legend>{legend}</legend>
      {chosen.length > 0 && (
        <ul className="picker-chosen">
          {chosen.map((one) => (
            <li key={one.id}>
              <input type="hidden" name={name} value={one.id} />
              <span className="text-wrap">{nameOf(one)}</span>
              <button
                type="button"
                className="button-quiet button-small"
                onClick={() => choose(chosen.filter(({ id }) => id !== one.id))}
              >
                Remove
                <span className="visually-hidden"> {nameOf(one)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input {...input} aria-label={`Search for ${legend}`} placeholder="Search by name, target or tag" />
      {found.length > 0 && (
        <ul className="picker-found">
          {found.map((monitor) => (
            <li key={monitor.id}>
              <button type="button" className="button-small" onClick={() => choose([...chosen, monitor])}>
                <span className="visually-hidden">Add </span>
                {monitor.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNone && <p className="text-hint">No monitor matches.</p>}
      <Failure error={error ?? names.error} />
      {errorBelow}
      {hintBelow}
    </fieldset>
  );
}
