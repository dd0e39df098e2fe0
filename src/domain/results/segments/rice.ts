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

/** Writes bits into bytes, the highest bit of a byte first. */
export class BitWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** The bits that do not fill a byte yet, and how many they are. */
  #rest = 0;
  #count = 0;

  /** @param width at most 24 */
  write(value: number, width: number): void {
    let count = this.#count + width;
    const rest = (this.#rest << width) | value;
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    while (count >= 8) {
      count -= 8;
      this.#bytes[this.#length++] = rest >>> count;
    }
    this.#rest = rest & ((1 << count) - 1);
    this.#count = count;
  }

  /** A whole number below 2^53, in groups of seven bits, the lowest first. The first bit is set in all groups except the last. */
  writeVarint(value: number): void {
    let left = value;
    while (left >= 128) {
      this.write((left % 128) + 128, 8);
      left = Math.floor(left / 128);
    }
    this.write(left, 8);
  }

  /** The bytes so far, the last one filled with zeros. */
  finish(): Uint8Array {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Zeros after the end, which `peek` may read. */
const PADDING = 8;

/** The bits of a `BitWriter`. @throws RangeError for each read after the end */
export class BitReader {
  readonly #view: DataView;
  readonly #end: number;
  #at = 0;

  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(bytes.length + PADDING);
    padded.set(bytes);
    this.#view = new DataView(padded.buffer);
    this.#end = bytes.length * 8;
  }

  /** The next 25 bits or more, as the highest bits of 32. Reads nothing. */
  peek(): number {
    return this.#view.getInt32(this.#at >>> 3) << (this.#at & 7);
  }

  skip(width: number): void {
    this.#at += width;
    if (this.#at > this.#end) throw new RangeError("a segment ends too early");
  }

  /** @param width at most 24 */
  read(width: number): number {
    if (width === 0) return 0;
    const value = this.peek() >>> (32 - width);
    this.skip(width);
    return value;
  }

  readVarint(): number {
    let value = 0;
    for (let unit = 1; unit <= 2 ** 49; unit *= 128) {
      const group = this.read(8);
      value += (group % 128) * unit;
      if (group < 128 && value <= Number.MAX_SAFE_INTEGER) return value;
    }
    throw new RangeError("a segment has a number of more than 53 bits");
  }

  /** @throws RangeError unless only the zeros that fill the last byte are left */
  assertEnd(): void {
    const left = this.#end - this.#at;
    if (left >= 8 || this.read(left) !== 0) throw new RangeError("a segment goes on after its end");
  }
}
