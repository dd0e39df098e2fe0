import { dayOf } from "../../domain/results/rollup.ts";
import {
  decodeKinds,
  decodeNumbers,
  decodeSegment,
  emptyColumns,
  encodeSegment,
  FORMAT,
  MAX_RESULTS,
  type ResultColumns,
  type SegmentHead,
  UNCHECKED_FORMAT,
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

/** The columns of `result_segments`, and the fields of a row in this order. */
export const SEGMENT_COLUMNS = "monitor_pk, first_pk, last_pk, first_at, last_at, statuses, count, data";
export const SEGMENT_FIELDS = [
  "monitorPk",
  "firstPk",
  "lastPk",
  "firstAt",
  "lastAt",
  "statuses",
  "count",
  "data",
] as const satisfies (keyof SegmentRow)[];

/** @param columns 1 to `MAX_RESULTS` results */
export function segmentOf(monitorPk: number, columns: ResultColumns): SegmentRow {
  const segment = { monitorPk, ...summaryOf(columns), ...encodeSegment(columns) };
  return { ...segment, data: withChecksum(segment) };
}

/** The columns of a segment that follow from its results. */
function summaryOf({ pks, times, statuses }: ResultColumns) {
  return {
    lastPk: pks.at(-1) ?? 0,
    lastAt: times.reduce((a, b) => Math.max(a, b)),
    statuses: statuses.reduce((bits, status) => bits | (1 << status), 0),
  };
}

/** Bytes at the end of the data, the highest first. */
const CHECKSUM = 4;

function withChecksum(segment: SegmentRow): Uint8Array {
  const { data } = segment;
  const checked = new Uint8Array(data.length + CHECKSUM);
  checked.set(data);
  new DataView(checked.buffer).setUint32(data.length, checksumOf(segment));
  return checked;
}

/** The CRC-32 of all columns of a segment. @param segment with its data without the checksum */
function checksumOf(segment: SegmentRow): number {
  const { monitorPk, firstPk, lastPk, firstAt, lastAt, statuses, count, data } = segment;
  const head = `${monitorPk} ${firstPk} ${lastPk} ${firstAt} ${lastAt} ${statuses} ${count} `;
  return Bun.hash.crc32(data, Bun.hash.crc32(head));
}

/** @returns the segment with its data without the checksum @throws RangeError if a column is not as it was written */
function verified(segment: SegmentRow): SegmentRow {
  const { data } = segment;
  if (data[0] === UNCHECKED_FORMAT) return segment;
  if (data[0] !== FORMAT || data.length <= CHECKSUM) throw new RangeError("a segment has an unknown format");
  const end = data.length - CHECKSUM;
  const found = { ...segment, data: data.subarray(0, end) };
  const checksum = new DataView(data.buffer, data.byteOffset + end, CHECKSUM).getUint32(0);
  if (checksum !== checksumOf(found)) throw new RangeError("a segment does not match its checksum");
  return found;
}

/** @throws RangeError if the segment is damaged */
export function readSegment(segment: SegmentRow): ResultColumns {
  return decodeSegment(verified(segment));
}

/** The codes of the statuses and the numbers of the details, 0 without one; each combination once. @throws RangeError as `readSegment` */
export function readKinds(segment: SegmentRow): ReturnType<typeof decodeKinds> {
  return decodeKinds(verified(segment));
}

/** @returns undefined if the segment is damaged */
export function readIntact(segment: SegmentRow): ResultColumns | undefined {
  try {
    return readSegment(segment);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @returns why a segment is damaged, and also whether its row says something else than its results; null if it is intact */
export function damageOf(segment: SegmentRow): string | null {
  try {
    const columns = readSegment(segment);
    const { lastPk, lastAt, statuses } = summaryOf(columns);
    if (lastPk !== segment.lastPk) return "they end with another result";
    const firstAt = columns.times.reduce((a, b) => Math.min(a, b));
    if (firstAt !== segment.firstAt || lastAt !== segment.lastAt) return "their times are others";
    return statuses === segment.statuses ? null : "their statuses are others";
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** How many damaged segments are reported one by one. */
const MAX_REPORTED = 1000;

/** The segments that were left out since the start because they are damaged (behavior 6.12). Each is reported once. */
export class DamagedSegments {
  readonly #known = new Set<string>();
  #report: (text: string) => void = () => {};

  /** @param report gets a text for each segment that is found from now on */
  listen(report: (text: string) => void): void {
    this.#report = report;
  }

  /** @returns what `read` returns; undefined if the segment is damaged */
  skip<Found>(segment: SegmentRow, read: (segment: SegmentRow) => Found): Found | undefined {
    try {
      return read(segment);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#note(segment, error);
      return undefined;
    }
  }

  #note({ monitorPk, firstPk, count }: SegmentRow, { message }: RangeError): void {
    const key = `${monitorPk} ${firstPk}`;
    if (this.#known.has(key) || this.#known.size >= MAX_REPORTED) return;
    this.#known.add(key);
    this.#report(
      `${count} results of monitor ${monitorPk}, from result ${firstPk} on, are left out: ${message}`,
    );
  }
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
 * @throws RangeError if the segment is damaged
 */
export function readNumbers(
  segment: SegmentRow,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: Stretch = {},
): Numbers {
  const { firstAt, lastAt } = segment;
  if (lastAt < from || firstAt >= to)
    return { count: 0, pks: new Float64Array(), statuses: new Uint8Array(), isWithin: () => false };
  const { data, ...intact } = verified(segment);
  // Without a checksum, only the times show some damages.
  const isChecked = data[0] !== UNCHECKED_FORMAT;
  if (isChecked && firstAt >= from && lastAt < to)
    return { ...decodeNumbers({ ...intact, data }), isWithin: () => true };
  const { count, pks, statuses, times } = decodeSegment({ ...intact, data });
  const isWithin = (at: number) => (times[at] ?? 0) >= from && (times[at] ?? 0) < to;
  return { count, pks, statuses, isWithin };
}

/** All results as rows. */
export function eachRow(columns: ResultColumns, monitorPk: number): ResultRow[] {
  return Array.from({ length: columns.count }, (_, at) => rowAt(columns, at, monitorPk));
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

/*
 * The segments of a monitor on PostgreSQL overlap by a late result: it is in the segment of its day, and has a larger number than
 * results of later days. In the embedded database they do not overlap.
 */

/** @param segments by monitor and first number @returns the same results in segments that do not overlap, in this order */
export async function* separated(segments: AsyncIterable<SegmentRow>): AsyncGenerator<SegmentRow> {
  let group: SegmentRow[] = [];
  let last = 0;
  for await (const segment of segments) {
    if (group[0]?.monitorPk !== segment.monitorPk || segment.firstPk > last) {
      yield* separate(group);
      group = [];
      last = 0;
    }
    group.push(segment);
    last = Math.max(last, segment.lastPk);
  }
  yield* separate(group);
}

/** A damaged segment stays as it is. */
function separate(overlapping: SegmentRow[]): SegmentRow[] {
  if (overlapping.length < 2) return overlapping;
  const damaged: SegmentRow[] = [];
  const rows: ResultRow[] = [];
  for (const segment of overlapping) {
    const columns = readIntact(segment);
    if (columns) rows.push(...eachRow(columns, segment.monitorPk));
    else damaged.push(segment);
  }
  return [...damaged, ...segmentsOf(rows.sort((a, b) => a.pk - b.pk))];
}

/** @param rows results of one monitor, in the order of their numbers */
export function segmentsOf(rows: readonly ResultRow[]): SegmentRow[] {
  const segments: SegmentRow[] = [];
  for (let from = 0; from < rows.length; ) {
    const { monitorPk, createdAt } = rows[from] as ResultRow;
    const some = rows.slice(from, from + MAX_RESULTS);
    const other = some.findIndex((row) => dayOf(row.createdAt) !== dayOf(createdAt));
    const moved = other < 0 ? some : some.slice(0, other);
    segments.push(segmentOf(monitorPk, columnsOf(moved)));
    from += moved.length;
  }
  return segments;
}

/** Two lists by monitor and first number as one. */
export async function* merged(
  one: AsyncIterator<SegmentRow>,
  other: AsyncIterator<SegmentRow>,
): AsyncGenerator<SegmentRow> {
  let [first, second] = [await one.next(), await other.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && isBefore(first.value, second.value))) {
      yield (first as IteratorYieldResult<SegmentRow>).value;
      first = await one.next();
    } else {
      yield second.value;
      second = await other.next();
    }
  }
}

function isBefore(a: SegmentRow, b: SegmentRow): boolean {
  return (a.monitorPk - b.monitorPk || a.firstPk - b.firstPk) < 0;
}
