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
