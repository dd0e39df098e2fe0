import { useId, useState } from "react";
import { useSearchParams } from "wouter";
import { RANGES, type Range } from "../../../domain/results/range.ts";
import { ApiError } from "../data/api.ts";
import { texts } from "../languages/texts.ts";

/** @param value empty for no filter */
export type SetFilter = (name: string, value: string) => void;

/** The filters of a view, kept in the address, so that a reader can share them, and Back restores them. */
export function useUrlFilters(): [URLSearchParams, SetFilter] {
  const [params, setParams] = useSearchParams();
  const setFilter = (name: string, value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return [params, setFilter];
}

interface Props<Value extends string> {
  label: string;
  value: Value | "";
  options: readonly { value: Value; label: string }[];
  /** The label of the option that filters nothing; without it, there is none. */
  any?: string;
  onChange: (value: string) => void;
}

/** A drop-down list that filters or sorts a list. */
export function SelectFilter<Value extends string>({ label, value, options, any, onChange }: Props<Value>) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {any && <option value="">{any}</option>}
      {optionsOf(options)}
    </select>
  );
}

export interface SelectOption {
  value: string | number;
  label: string;
}

/** The options of a `select`. No component, because Preact sets a default value only on children that are options. */
export function optionsOf(options: readonly SelectOption[]) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

interface SegmentsProps<Value extends string> {
  legend: string;
  /** Empty if none is selected. */
  value: Value | "";
  options: readonly {
    value: Value;
    label: string /** For screen readers, if the label is short. */;
    name?: string;
  }[];
  onChange: (value: Value) => void;
}

/** Buttons of which at most one is selected. */
export function Segments<Value extends string>({ legend, value, options, onChange }: SegmentsProps<Value>) {
  const group = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={group}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-label={option.name}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function RangePicker({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const { legend, short, names } = texts.ui.range;
  const options = RANGES.map((range) => ({ value: range, label: short[range], name: names[range] }));
  return <Segments legend={legend} value={value} options={options} onChange={onChange} />;
}

/** An error message, also for screen readers. Nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p className="failure" role="alert">
      {describeError(error)}
    </p>
  );
}

export function describeError(error: unknown): string {
  if (error instanceof ApiError)
    return error.status === 401 && error.message === "Unauthorized"
      ? texts.ui.errors.signedOut
      : error.message;
  return texts.ui.errors.unreachable;
}

/** Runs an action of a button. @returns the error of the last run, whether one runs, and the function that runs one */
export function useAction() {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async (action: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    try {
      await action();
      setError(undefined);
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  return { error, busy, run };
}
