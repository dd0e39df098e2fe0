import { useId } from "react";

interface Props<Value extends string> {
  legend: string;
  value: Value;
  options: readonly {
    value: Value;
    label: string /** For screen readers, if the label is short. */;
    name?: string;
  }[];
  onChange: (value: Value) => void;
}

/** Buttons of which one is always selected. */
export function Segments<Value extends string>({ legend, value, options, onChange }: Props<Value>) {
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
