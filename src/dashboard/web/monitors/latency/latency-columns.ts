import { type Range, rangeStart } from "../../../../domain/results/range.ts";
import type { Report } from "../../data/api.ts";

/** A value is null in a gap, and undefined if the series has no point at that time. */
export type Column = (number | null | undefined)[];
/** The times in seconds since 1970, and for each the mean, the shortest and the longest latency, and the threshold. */
type Columns = [times: number[], Column, Column, Column, Column];

/** Seconds between two points, by range. */
const STEPS: Record<Range, number> = { "1d": 600, "7d": 3600, "30d": 3600, "90d": 86_400 };

export interface Measured {
  latencies: Report["latencies"];
  /** Milliseconds above which a check counts as degraded; null if it is not known yet. */
  threshold: number | null;
  range: Range;
}

/**
 * The data of the chart. They span the whole range, also if only a part of it was measured. A time without measurements
 * is a gap in the line.
 *
 * @param now milliseconds since 1970
 */
export function columnsOf({ latencies, threshold, range }: Measured, now: number): Columns {
  const columns: Columns = [[], [], [], [], []];
  const add = (time: number, ...values: (number | null)[]) =>
    [time, ...values, threshold].forEach((value, at) => {
      (columns[at] as Column).push(value);
    });
  const step = STEPS[range];
  const from = rangeStart(range, now) / 1000;
  if (Date.parse(latencies[0]?.start ?? "") / 1000 > from) add(from, null, null, null);
  let previous: number | undefined;
  for (const { start, mean, shortest, longest } of latencies) {
    const time = Date.parse(start) / 1000;
    if (previous !== undefined && time - previous > step * 2.5) add(previous + step, null, null, null);
    add(time, mean, shortest, longest);
    previous = time;
  }
  if (previous !== undefined && previous < now / 1000) add(now / 1000, null, null, null);
  return columns;
}
