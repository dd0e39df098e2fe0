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
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
