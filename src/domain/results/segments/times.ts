import type { BitReader, BitWriter } from "./bits.ts";
import { LATENCY, type ResultColumns } from "./columns.ts";
import { fold, readRice, unfold, writeRice } from "./rice.ts";

/*
 * A check starts near a slot, and its result has the time of its end. So a segment has a grid of slots, and for each result
 * how many slots it is after the one before, minus one, and how far its start is from its slot. The start is the time minus
 * the latency, in whole milliseconds.
 */

type Times = Pick<ResultColumns, "count" | "times" | "durations">;

const HUNDREDTHS = 100;
const SECOND = 1000;

/** @param base milliseconds since 1970, near the first result */
export function writeTimes(out: BitWriter, columns: Times, base: number): void {
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
export function readTimes(bits: BitReader, columns: Times, base: number): void {
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
