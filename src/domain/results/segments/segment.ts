import { BitReader, BitWriter, fold, readRice, unfold, writeRice } from "./rice.ts";

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

/** Decodes only which statuses and details there are, each combination once: a few microseconds. @throws RangeError as `decodeSegment` */
export function decodeKinds(segment: Segment): Pick<Kind, "status" | "detail">[] {
  const bits = new BitReader(segment.data);
  assertFormat(bits);
  return readKindList(bits, assertedCount(segment));
}

/**
 * The only combination of a segment that has one: its data begins with the format, the byte 1, and these whole bytes.
 *
 * @param head the status, the parts, and the number of the detail as a varint
 */
export function kindOfHead(head: Uint8Array): Pick<Kind, "status" | "detail"> {
  const bits = new BitReader(head);
  const status = bits.read(8);
  bits.skip(8);
  return { status, detail: bits.readVarint() };
}

function assertedCount({ count }: Segment): number {
  if (count < 1 || count > MAX_RESULTS) throw new RangeError(`a segment has ${count} results`);
  return count;
}

function assertFormat(bits: BitReader): void {
  const format = bits.read(8);
  if (format !== FORMAT && format !== UNCHECKED_FORMAT)
    throw new RangeError("a segment has an unknown format");
}

function readNumbers(bits: BitReader, columns: Omit<ResultColumns, "durations" | "times">, first: number) {
  assertFormat(bits);
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

/*
 * A check starts near a slot, and its result has the time of its end. So a segment has a grid of slots, and for each result how
 * many slots it is after the previous result, minus 1, and how far its start is from its slot. The start is the time minus
 * the latency, in whole milliseconds.
 */

type Times = Pick<ResultColumns, "count" | "times" | "durations">;

const HUNDREDTHS = 100;
const SECOND = 1000;

/** @param base milliseconds since 1970, near the first result */
function writeTimes(out: BitWriter, columns: Times, base: number): void {
  const starts = columns.times.slice();
  for (let at = 0; at < columns.count; at++) starts[at] = (starts[at] ?? 0) - latencyAt(columns, at);
  const [first = 0] = starts;
  const step = stepOf(starts);
  const [skipped, offsets] = [new Float64Array(starts.length - 1), new Float64Array(starts.length - 1)];
  let slot = 0;
  let isRegular = true;
  for (let at = 1; at < starts.length; at++) {
    const since = (starts[at] ?? 0) - first;
    const next = Math.round(since / step);
    skipped[at - 1] = next - slot - 1;
    offsets[at - 1] = since - next * step;
    isRegular &&= next === slot + 1;
    slot = next;
  }
  out.writeVarint(fold(first - base));
  out.writeVarint(step);
  out.write(isRegular ? 0 : 1, 1);
  if (!isRegular) writeRice(out, skipped);
  writeRice(out, offsets);
}

/** The usual distance of two results: whole seconds, if it is near one. Smaller errors would add up. */
function stepOf(starts: Float64Array): number {
  const distances = new Float64Array(starts.length - 1);
  for (let at = 1; at < starts.length; at++) distances[at - 1] = (starts[at] ?? 0) - (starts[at - 1] ?? 0);
  const usual = distances.sort()[distances.length >> 1] ?? 0;
  return Math.max(1, usual < SECOND / 2 ? usual : Math.round(usual / SECOND) * SECOND);
}

/** Fills `times`, with the latencies in `durations`. */
function readTimes(bits: BitReader, columns: Times, base: number): void {
  const { count, times } = columns;
  const first = base + unfold(bits.readVarint());
  const step = bits.readVarint();
  const skipped = bits.read(1) === 0 ? null : readRice(bits, count - 1);
  const offsets = readRice(bits, count - 1);
  times[0] = first + latencyAt(columns, 0);
  for (let at = 1, slot = 0; at < count; at++) {
    slot += 1 + (skipped?.[at - 1] ?? 0);
    times[at] = first + slot * step + (offsets[at - 1] ?? 0) + latencyAt(columns, at);
  }
}

function latencyAt({ durations }: Times, at: number): number {
  return Math.round((durations[LATENCY]?.[at] ?? 0) / HUNDREDTHS);
}

/*
 * Most results of a monitor have the same status, durations and detail. A segment has each combination once, in the order of
 * their first results, and then runs of results with one combination: its place in the list, and the length of the run as an
 * Elias gamma code. If there is one combination, there are no runs.
 */

type Kinds = Pick<ResultColumns, "count" | "statuses" | "parts" | "details">;

interface Kind {
  status: number;
  parts: number;
  detail: number;
}

function writeKinds(out: BitWriter, columns: Kinds): void {
  const { kinds, runs } = runsOf(columns);
  out.writeVarint(kinds.length);
  for (const { status, parts, detail } of kinds) {
    out.write(status, 8);
    out.write(parts, 8);
    out.writeVarint(detail);
  }
  if (kinds.length === 1) return;
  const width = widthOf(kinds.length);
  for (const { place, length } of runs) {
    out.write(place, width);
    const zeros = 31 - Math.clz32(length);
    out.write(0, zeros);
    out.write(length, zeros + 1);
  }
}

function runsOf({ count, statuses, parts, details }: Kinds) {
  const kinds: Kind[] = [];
  const places = new Map<string, number>();
  const runs: { place: number; length: number }[] = [];
  for (let at = 0; at < count; at++) {
    const run = runs.at(-1);
    if (run && isSame(at)) {
      run.length++;
      continue;
    }
    const kind = { status: statuses[at] ?? 0, parts: parts[at] ?? 0, detail: details[at] ?? 0 };
    const key = `${kind.status} ${kind.parts} ${kind.detail}`;
    const place = places.get(key) ?? kinds.push(kind) - 1;
    places.set(key, place);
    runs.push({ place, length: 1 });
  }
  return { kinds, runs };

  function isSame(at: number): boolean {
    return (
      statuses[at] === statuses[at - 1] && parts[at] === parts[at - 1] && details[at] === details[at - 1]
    );
  }
}

/** Fills the columns. @throws RangeError if the bits are no kinds of so many results */
function readKinds(bits: BitReader, { count, statuses, parts, details }: Kinds): void {
  const kinds = readKindList(bits, count);
  const amount = kinds.length;
  const width = widthOf(amount);
  for (let at = 0; at < count; ) {
    const kind = kinds[bits.read(width)];
    const length = amount === 1 ? count : readLength(bits);
    if (!kind || length > count - at) throw new RangeError("a segment has a wrong run");
    statuses.fill(kind.status, at, at + length);
    parts.fill(kind.parts, at, at + length);
    details.fill(kind.detail, at, at + length);
    at += length;
  }
}

function readKindList(bits: BitReader, count: number): Kind[] {
  const amount = bits.readVarint();
  if (amount < 1 || amount > count) throw new RangeError("a segment has more kinds than results");
  const kinds: Kind[] = [];
  for (let at = 0; at < amount; at++)
    kinds.push({ status: bits.read(8), parts: bits.read(8), detail: bits.readVarint() });
  return kinds;
}

/** An Elias gamma code, at least 1. */
function readLength(bits: BitReader): number {
  const zeros = Math.clz32(bits.peek());
  if (zeros > 11) throw new RangeError("a segment has a run without a length");
  bits.skip(zeros);
  return bits.read(zeros + 1);
}

/** Bits for the places in a list. */
function widthOf(length: number): number {
  return 32 - Math.clz32(length - 1);
}

/** Which durations a result has, as the bits of its `parts`: the first byte of the packed timings in `store/results/timings.ts`. */
export const DURATIONS = ["resolve", "connect", "tls", "firstByte", "latency"] as const;

const LATENCY = DURATIONS.indexOf("latency");

/**
 * Results of one monitor, by column, in the order of their numbers. Statuses and numbers are as in the database. Numbers and
 * times have more than 32 bits.
 */
export interface ResultColumns {
  count: number;
  /** The numbers of the results, ascending. */
  pks: Float64Array;
  /** Milliseconds since 1970. */
  times: Float64Array;
  statuses: Uint8Array;
  /** One bit for each of `DURATIONS`, and more that belong to the same byte. */
  parts: Uint8Array;
  /** The number of the detail; 0 for a result without one. */
  details: Float64Array;
  /**
   * In the order of `DURATIONS`, in hundredths of a millisecond; 0 for one that the result does not have. The first three may be the
   * number, the length and the start of a run, see `store/results/timings.ts`.
   */
  durations: readonly Float64Array[];
}

export function emptyColumns(count: number): ResultColumns {
  return {
    count,
    pks: new Float64Array(count),
    times: new Float64Array(count),
    statuses: new Uint8Array(count),
    parts: new Uint8Array(count),
    details: new Float64Array(count),
    durations: DURATIONS.map(() => new Float64Array(count)),
  };
}
