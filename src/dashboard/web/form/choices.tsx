import type { FormEvent, ReactNode } from "react";
import { useFieldNotes } from "./fields.tsx";

interface CheckListProps {
  legend: string;
  /** The name of the form value that has the checked values. */
  name: string;
  options: readonly { value: string; label: ReactNode; isChecked: boolean }[];
  /** A sentence instead of options, or below them. */
  children?: ReactNode;
  describedBy?: string | undefined;
  /** Called with the number of checked boxes when it changes. */
  onCount?: (count: number) => void;
}

/** Check boxes under one heading. */
export function CheckList({ legend, name, options, children, describedBy, onCount }: CheckListProps) {
  const count = ({ currentTarget }: FormEvent<HTMLElement>) =>
    onCount?.(currentTarget.querySelectorAll(":checked").length);
  return (
    <fieldset className="check-list" aria-describedby={describedBy} onInput={count}>
      <legend>{legend}</legend>
      {options.map(({ value, label, isChecked }) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={isChecked} />
          {label}
        </label>
      ))}
      {children}
    </fieldset>
  );
}

interface RadioProps<Value> {
  legend: string;
  /** The name of the form value. */
  name: string;
  options: readonly { value: Value; label: string; sent?: string }[];
  value: Value;
  onChange: (value: Value) => void;
  hint?: string;
}

/** Radio buttons under one heading. @property options `sent` is the form value, if it is not the value */
export function RadioList<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  hint,
}: RadioProps<Value>) {
  const { describedBy, hintBelow } = useFieldNotes(undefined, hint);
  return (
    <fieldset className="check-list" {...describedBy}>
      <legend>{legend}</legend>
      {options.map(({ value: one, label, sent = one }) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            value={sent}
            checked={one === value}
            onChange={() => onChange(one)}
          />
          {label}
        </label>
      ))}
      {hintBelow}
    </fieldset>
  );
}

interface TypeProps<Type extends string> {
  legend: string;
  options: readonly { type: Type; label: string; description?: string; icon?: ReactNode }[];
  value: Type;
  onChange: (type: Type) => void;
}

/** A tile for each type, of which one is selected. */
export function TypePicker<Type extends string>({ legend, options, value, onChange }: TypeProps<Type>) {
  return (
    <fieldset className="type-picker">
      <legend>{legend}</legend>
      {options.map(({ type, label, description, icon }) => (
        <label key={type}>
          <input
            type="radio"
            name="type"
            value={type}
            checked={type === value}
            onChange={() => onChange(type)}
          />
          <span>
            <b>
              {icon}
              {label}
            </b>
            {description && <small>{description}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
