import fc from "fast-check";
import { DURATIONS, emptyColumns, type ResultColumns } from "../../../src/domain/results/segments/segment.ts";

const START = Date.UTC(2027, 5, 1, 12);
const DAY = 24 * 60 * 60 * 1000;

/** A result of a segment. */
interface Result {
  /** Numbers since the previous result. */
  distance: number;
  at: number;
  status: number;
  detail: number;
  /** By duration; null without it. */
  durations: (number | null)[];
}

const hundredths = fc.oneof(
  fc.nat(100_000),
  fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER / 8),
);
const result: fc.Arbitrary<Result> = fc.record({
  distance: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 2 ** 40 })),
  at: fc.integer({ min: -DAY, max: DAY }),
  status: fc.nat(15),
  detail: fc.oneof(fc.constantFrom(0, 7), fc.nat(2 ** 40)),
  durations: fc.tuple(...DURATIONS.map(() => fc.option(hundredths.map(Math.floor)))),
});
/** The results of a segment of any kind. */
export const segments = fc.array(result, { minLength: 1, maxLength: 200 });

export function columnsOf(results: readonly Result[]): ResultColumns {
  const columns = emptyColumns(results.length);
  let pk = 0;
  for (const [at, { distance, at: time, status, detail, durations }] of results.entries()) {
    columns.pks[at] = pk += distance;
    columns.times[at] = START + time;
    columns.statuses[at] = status;
    columns.details[at] = detail;
    for (const [bit, value] of durations.entries()) {
      if (value === null) continue;
      columns.parts[at] = (columns.parts[at] ?? 0) | (1 << bit);
      (columns.durations[bit] as Float64Array)[at] = value;
    }
  }
  return columns;
}
