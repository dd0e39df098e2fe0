import { useId } from "react";
import { RANGES, type Range } from "../../../../domain/results/range.ts";

export const rangeLabels: Record<Range, string> = {
  "1d": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

export function RangePicker({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Range</legend>
      {RANGES.map((range) => (
        <label key={range}>
          <input
            type="radio"
            name={name}
            checked={range === value}
            onChange={() => onChange(range)}
            aria-label={rangeLabels[range]}
          />
          <span>{range}</span>
        </label>
      ))}
    </fieldset>
  );
}
