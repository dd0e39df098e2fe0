import type { FormEvent, ReactNode } from "react";

interface Props {
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
export function CheckList({ legend, name, options, children, describedBy, onCount }: Props) {
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
