import type { BitReader, BitWriter } from "./bits.ts";

/*
 * Whole numbers that scatter around a middle, in blocks. A block begins with the difference of its median to the median of the
 * block before, and the parameter k. Each number is the difference to the median, with its sign as the lowest bit, as a Rice
 * code: the quotient by 2^k in ones, a zero, and the lowest k bits.
 */

const BLOCK = 64;

/** So many ones are followed by the whole number instead. */
const ESCAPE = 20;

/** Instead of k: all numbers of the block are the median. */
const ALL_EQUAL = 31;
const MAX_K = 30;

/** Reused, because it is needed for each block. */
const sorted = new Float64Array(BLOCK);
const folded = new Float64Array(BLOCK);

/** @param values whole numbers of at most 51 bits and a sign */
export function writeRice(out: BitWriter, values: Float64Array): void {
  let previous = 0;
  for (let at = 0; at < values.length; at += BLOCK) {
    const block = values.length <= BLOCK ? values : values.subarray(at, at + BLOCK);
    const median = medianOf(block);
    out.writeVarint(fold(median - previous));
    previous = median;
    writeBlock(out, block, median);
  }
}

function medianOf(block: Float64Array): number {
  sorted.set(block);
  sorted.fill(Number.POSITIVE_INFINITY, block.length);
  return sorted.sort()[block.length >> 1] ?? 0;
}

function writeBlock(out: BitWriter, block: Float64Array, median: number): void {
  let sum = 0;
  for (let at = 0; at < block.length; at++) {
    const value = fold((block[at] ?? 0) - median);
    folded[at] = value;
    sum += value;
  }
  if (sum === 0) {
    out.write(ALL_EQUAL, 5);
    return;
  }
  const k = bestParameter(block.length, sum);
  out.write(k, 5);
  for (let at = 0; at < block.length; at++) writeDifference(out, folded[at] ?? 0, k);
}

/** Outliers make the mean too large, never too small: hence the search downwards. */
function bestParameter(count: number, sum: number): number {
  let k = Math.min(MAX_K, Math.ceil(Math.log2(sum / count + 1)));
  let bits = bitsOf(count, k);
  for (; k > 0; k--) {
    const fewer = bitsOf(count, k - 1);
    if (fewer >= bits) break;
    bits = fewer;
  }
  return k;
}

function bitsOf(count: number, k: number): number {
  const unit = 2 ** k;
  let bits = 0;
  for (let at = 0; at < count; at++) {
    const difference = folded[at] ?? 0;
    const quotient = Math.floor(difference / unit);
    bits += quotient < ESCAPE ? quotient + 1 + k : ESCAPE + 8 * groupsOf(difference);
  }
  return bits;
}

function groupsOf(value: number): number {
  let groups = 1;
  for (let left = value; left >= 128; left = Math.floor(left / 128)) groups++;
  return groups;
}

function writeDifference(out: BitWriter, difference: number, k: number): void {
  const unit = 2 ** k;
  const quotient = Math.floor(difference / unit);
  if (quotient >= ESCAPE) {
    out.write(2 ** ESCAPE - 1, ESCAPE);
    out.writeVarint(difference);
    return;
  }
  out.write(2 ** (quotient + 1) - 2, quotient + 1);
  const low = difference - quotient * unit;
  if (k > 15) out.write(low >>> 15, k - 15);
  if (k > 0) out.write(low & 0x7fff, Math.min(k, 15));
}

/** @throws RangeError if the bits end before */
export function readRice(bits: BitReader, count: number): Float64Array {
  const values = new Float64Array(count);
  let median = 0;
  for (let start = 0; start < count; start += BLOCK) {
    median += unfold(bits.readVarint());
    const k = bits.read(5);
    const end = Math.min(start + BLOCK, count);
    for (let at = start; at < end; at++)
      values[at] = k === ALL_EQUAL ? median : median + readDifference(bits, k);
  }
  return values;
}

function readDifference(bits: BitReader, k: number): number {
  const next = bits.peek();
  const quotient = Math.clz32(~next);
  if (quotient >= ESCAPE) {
    bits.skip(ESCAPE);
    return unfold(bits.readVarint());
  }
  const width = quotient + 1 + k;
  if (width <= 25) {
    bits.skip(width);
    const low = k === 0 ? 0 : (next << (quotient + 1)) >>> (32 - k);
    const folded = (quotient << k) | low;
    // As `unfold`, in whole numbers of 32 bits.
    return (folded >>> 1) ^ -(folded & 1);
  }
  bits.skip(quotient + 1);
  const high = k > 15 ? bits.read(k - 15) * 2 ** 15 : 0;
  return unfold(quotient * 2 ** k + high + bits.read(Math.min(k, 15)));
}

/** The sign becomes the lowest bit. */
export function fold(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}

export function unfold(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
