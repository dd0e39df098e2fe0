import { BitReader, BitWriter } from "./bits.ts";
import { emptyColumns, type ResultColumns } from "./columns.ts";
import { readKinds, writeKinds } from "./kinds.ts";
import { readRice, writeRice } from "./rice.ts";
import { readTimes, writeTimes } from "./times.ts";

/**
 * The formats are described in `docs/result-segments.md`. They differ by the checksum after the bits, which the store adds: segments
 * of the first format have none.
 */
export const FORMAT = 2;
export const UNCHECKED_FORMAT = 1;

/** The most results of a segment. */
export const MAX_RESULTS = 720;

/** The columns of a segment beside its data. @property firstAt the earliest time, milliseconds since 1970 */
export interface SegmentHead {
  count: number;
  firstPk: number;
  firstAt: number;
}

/** @param columns 1 to `MAX_RESULTS` results, whose times differ by some days at most @returns the data without its checksum */
export function encodeSegment(columns: ResultColumns): SegmentHead & { data: Uint8Array } {
  const { count, pks, parts, durations } = columns;
  const head = { count, firstPk: pks[0] ?? 0, firstAt: columns.times.reduce((a, b) => Math.min(a, b)) };
  const out = new BitWriter();
  out.write(FORMAT, 8);
  writeKinds(out, columns);
  const distances = new Float64Array(count - 1);
  for (let at = 1; at < count; at++) distances[at - 1] = (pks[at] ?? 0) - (pks[at - 1] ?? 0);
  writeRice(out, distances);
  for (const [bit, values] of durations.entries()) writeRice(out, measured({ parts, bit, values }));
  writeTimes(out, columns, head.firstAt);
  return { ...head, data: out.finish() };
}

type Segment = SegmentHead & { data: Uint8Array };

/** @param segment with its data without the checksum @throws RangeError if the data is damaged so that it shows */
export function decodeSegment(segment: Segment): ResultColumns {
  const columns = emptyColumns(assertedCount(segment));
  const bits = new BitReader(segment.data);
  readNumbers(bits, columns, segment.firstPk);
  const { parts, durations } = columns;
  for (const [bit, values] of durations.entries()) readDurations(bits, { parts, bit, values });
  readTimes(bits, columns, segment.firstAt);
  bits.assertEnd();
  return columns;
}

/** Decodes only the numbers, statuses and details: a fraction of the work. @throws RangeError as `decodeSegment` */
export function decodeNumbers(segment: Segment): Pick<ResultColumns, "count" | "pks" | "statuses"> {
  const count = assertedCount(segment);
  const columns = {
    ...{ count, pks: new Float64Array(count), details: new Float64Array(count) },
    ...{ statuses: new Uint8Array(count), parts: new Uint8Array(count) },
  };
  readNumbers(new BitReader(segment.data), columns, segment.firstPk);
  return columns;
}

function assertedCount({ count }: Segment): number {
  if (count < 1 || count > MAX_RESULTS) throw new RangeError(`a segment has ${count} results`);
  return count;
}

function readNumbers(bits: BitReader, columns: Omit<ResultColumns, "durations" | "times">, first: number) {
  const format = bits.read(8);
  if (format !== FORMAT && format !== UNCHECKED_FORMAT)
    throw new RangeError("a segment has an unknown format");
  readKinds(bits, columns);
  const { count, pks } = columns;
  const distances = readRice(bits, count - 1);
  pks[0] = first;
  for (let at = 1; at < count; at++) pks[at] = (pks[at - 1] ?? 0) + (distances[at - 1] ?? 0);
}

interface Duration {
  parts: Uint8Array;
  bit: number;
  values: Float64Array;
}

/** Only the values of results that have the duration. */
function measured(duration: Duration): Float64Array {
  const { values } = duration;
  const amount = countOf(duration);
  if (amount === values.length) return values;
  const some = new Float64Array(amount);
  for (let at = 0, next = 0; next < amount; at++) if (hasPart(duration, at)) some[next++] = values[at] ?? 0;
  return some;
}

function readDurations(bits: BitReader, duration: Duration): void {
  const { values } = duration;
  const some = readRice(bits, countOf(duration));
  for (let at = 0, next = 0; next < some.length; at++)
    if (hasPart(duration, at)) values[at] = some[next++] ?? 0;
}

function countOf(duration: Duration): number {
  let count = 0;
  for (let at = 0; at < duration.parts.length; at++) if (hasPart(duration, at)) count++;
  return count;
}

function hasPart({ parts, bit }: Duration, at: number): boolean {
  return ((parts[at] ?? 0) & (1 << bit)) !== 0;
}
