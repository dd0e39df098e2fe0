import { useQuery } from "@tanstack/react-query";
import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { MonitorSummary } from "../data/api.ts";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { foundMonitorsQuery } from "../data/monitor-search.ts";
import { useSettled } from "../data/use-settled.ts";
import { hidden, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Failure } from "../ui/filters.tsx";
import { exactText, Field, useFieldNotes } from "./fields.tsx";
import { reportChange } from "./form.tsx";
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
                {rich(texts.form.picker.remove, { hidden, name: nameOf(one) })}
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        {...input}
        aria-label={fill(texts.form.picker.search, { field: legend })}
        placeholder={texts.form.picker.placeholder}
      />
      {found.length > 0 && (
        <ul className="picker-found">
          {found.map((monitor) => (
            <li key={monitor.id}>
              <button type="button" className="button-small" onClick={() => choose([...chosen, monitor])}>
                {rich(texts.form.picker.add, { hidden, name: monitor.name })}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNone && <p className="text-hint">{texts.form.picker.none}</p>}
      <Failure error={error ?? names.error} />
      {errorBelow}
      {hintBelow}
    </fieldset>
  );
}

interface Options {
  /** IDs of monitors that are not offered. */
  without?: readonly string[];
  /** Whether the first monitors are offered before there is a text. */
  offersFirst?: boolean;
  /** Called by Enter with the first monitor that matches. */
  onChoose: (monitor: MonitorSummary) => void;
}

/**
 * A search for monitors on the server, after the reader has stopped typing. Enter chooses the first monitor, also if it is
 * pressed before the monitors are found.
 *
 * @returns `count` of all monitors that match, also of monitors that are not offered; undefined until it is known
 */
export function useMonitorSearch({ without = [], offersFirst = false, onChoose }: Options) {
  const [text, setText] = useState("");
  const [isEntered, setEntered] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const settled = useSettled(text);
  const isWanted = text.trim() !== "";
  const { data, isPlaceholderData, error } = useQuery({
    ...foundMonitorsQuery(settled, without),
    enabled: settled.trim() !== "" || offersFirst,
  });
  const isCurrent = settled === text && data !== undefined && !isPlaceholderData;
  const first = isCurrent ? data.found[0] : undefined;
  useEffect(() => {
    if (!isEntered || !isCurrent) return;
    setEntered(false);
    if (first && isWanted) onChoose(first);
  }, [isEntered, isCurrent, first, isWanted, onChoose]);
  const clear = () => {
    setText("");
    field.current?.focus();
  };
  const input = {
    ref: field,
    type: "search",
    value: text,
    autoComplete: "off",
    onInput(event: FormEvent<HTMLInputElement>) {
      // It is no field of the form.
      event.stopPropagation();
      setText(event.currentTarget.value);
      setEntered(false);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Enter") return;
      // Otherwise, the browser would send the form.
      event.preventDefault();
      setEntered(true);
    },
  };
  const isShown = isWanted || offersFirst;
  return {
    text,
    input,
    clear,
    // While Enter waits for its monitor, another choice would clear the search.
    found: (isShown && !isEntered && data?.found.filter(({ id }) => !without.includes(id))) || [],
    count: isCurrent ? data.count : undefined,
    isNone: isWanted && isCurrent && data.found.length === 0,
    error,
  };
}

/** The IANA name of a time zone, with the names that the browser knows. */
export function ZoneField({ value, hint }: { value: string; hint?: ReactNode }) {
  return (
    <Field name="timezone" label={texts.form.timeZone} hint={hint}>
      {(props) => <ZoneInput {...props} defaultValue={value} />}
    </Field>
  );
}

export function ZoneInput(props: ComponentProps<"input">) {
  const list = useId();
  return (
    <>
      <input {...props} list={list} {...exactText} />
      <datalist id={list}>
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
