import { emptyColumns, type ResultColumns } from "../../domain/results/segments/columns.ts";
import {
  decodeNumbers,
  decodeSegment,
  encodeSegment,
  type SegmentHead,
} from "../../domain/results/segments/segment.ts";
import type { ResultRow, Stretch } from "./result-items.ts";
import { eachDuration, packDurations } from "./timings.ts";

/** The columns of a segment that choose it. @property statuses a bit for the code of each status */
export interface FoundSegment {
  monitorPk: number;
  firstPk: number;
  lastPk: number;
  statuses: number;
}

/** A row of `result_segments`. @property lastAt the latest time, milliseconds since 1970 */
export type SegmentRow = FoundSegment & SegmentHead & { lastAt: number; data: Uint8Array };

/** @param columns 1 to `MAX_RESULTS` results */
export function segmentOf(monitorPk: number, columns: ResultColumns): SegmentRow {
  const lastPk = columns.pks.at(-1) ?? 0;
  const lastAt = columns.times.reduce((a, b) => Math.max(a, b));
  const statuses = columns.statuses.reduce((bits, status) => bits | (1 << status), 0);
  return { monitorPk, lastPk, lastAt, statuses, ...encodeSegment(columns) };
}

/** Results of one monitor as columns. @param previous results before them */
export function columnsOf(
  rows: readonly ResultRow[],
  previous: ResultColumns = emptyColumns(0),
): ResultColumns {
  const columns = emptyColumns(previous.count + rows.length);
  for (const name of ["pks", "times", "statuses", "parts", "details"] as const)
    columns[name].set(previous[name]);
  for (const [bit, values] of previous.durations.entries()) columns.durations[bit]?.set(values);
  for (const [place, { pk, status, timings, detailPk, createdAt }] of rows.entries()) {
    const at = previous.count + place;
    columns.pks[at] = pk;
    columns.times[at] = createdAt;
    columns.statuses[at] = status;
    columns.details[at] = detailPk ?? 0;
    if (timings === null) continue;
    columns.parts[at] = timings[0] ?? 0;
    eachDuration(timings, (bit, hundredths) => {
      (columns.durations[bit] as Float64Array)[at] = hundredths;
    });
  }
  return columns;
}

/** The columns of a segment that choose its results. @property isWithin whether the result at a place is of the stretch */
interface Numbers extends Pick<ResultColumns, "count" | "pks" | "statuses"> {
  isWithin: (at: number) => boolean;
}

/**
 * Which results of a segment are of a stretch of time. It decodes as little as possible.
 *
 * @throws RangeError if the segment is damaged so that it shows
 */
export function numbersWithin(
  segment: SegmentHead & Pick<SegmentRow, "lastAt" | "data">,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: Stretch,
): Numbers {
  const { firstAt, lastAt } = segment;
  if (lastAt < from || firstAt >= to)
    return { count: 0, pks: new Float64Array(), statuses: new Uint8Array(), isWithin: () => false };
  if (firstAt >= from && lastAt < to) return { ...decodeNumbers(segment), isWithin: () => true };
  const { count, pks, statuses, times } = decodeSegment(segment);
  const isWithin = (at: number) => (times[at] ?? 0) >= from && (times[at] ?? 0) < to;
  return { count, pks, statuses, isWithin };
}

/** One of the results as a row. @param at its place */
export function rowAt(columns: ResultColumns, at: number, monitorPk: number): ResultRow {
  const durations = columns.durations;
  return {
    pk: columns.pks[at] ?? 0,
    monitorPk,
    status: columns.statuses[at] ?? 0,
    timings: packDurations(columns.parts[at] ?? 0, (bit) => durations[bit]?.[at] ?? 0),
    detailPk: columns.details[at] || null,
    createdAt: columns.times[at] ?? 0,
  };
}
