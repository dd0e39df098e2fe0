import { RANGES, type Range } from "../../../../domain/results/range.ts";
import { Segments } from "./segments.tsx";

export const rangeLabels: Record<Range, string> = {
  "1d": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

export function RangePicker({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const options = RANGES.map((range) => ({ value: range, label: range, name: rangeLabels[range] }));
  return <Segments legend="Range" value={value} options={options} onChange={onChange} />;
}
