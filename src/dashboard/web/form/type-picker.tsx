import type { ReactNode } from "react";

interface Props<Type extends string> {
  legend: string;
  options: readonly { type: Type; label: string; description?: string; icon?: ReactNode }[];
  value: Type;
  onChange: (type: Type) => void;
}

/** A tile for each type, of which one is selected. */
export function TypePicker<Type extends string>({ legend, options, value, onChange }: Props<Type>) {
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
