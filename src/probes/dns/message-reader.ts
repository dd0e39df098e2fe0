/** In bytes, with the lengths of the labels (RFC 1035, 2.3.4). */
const MAX_NAME = 255;
const MAX_LABEL = 63;
const POINTER = 0xc0;

/** In bytes. No name begins in it. */
const HEADER = 12;

/**
 * Maximum of the labels and pointers in the names of one message. A small message can have names with millions, because each of
 * them may point to the same long one, or begin a long chain of pointers.
 */
const MAX_STEPS = 64 * 1024;

/** A DNS message, or one of its fields, ends too early or contradicts itself. */
export class MalformedMessage extends Error {}

/**
 * A part of a DNS message (RFC 1035, 4), read from its start to its end. All methods throw `MalformedMessage` if they need
 * bytes beyond the end.
 */
export class MessageReader {
  /**
   * @param message all of it, because names point back
   * @param end where the part ends
   * @param work the steps that all parts of the message have taken
   */
  constructor(
    private readonly message: Buffer,
    private at = 0,
    private end = message.length,
    private readonly work = { steps: 0 },
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.end;
  }

  bytes(length: number): Buffer {
    const start = this.take(length);
    return this.message.subarray(start, start + length);
  }

  rest(): Buffer {
    return this.bytes(this.end - this.at);
  }

  part(length: number): MessageReader {
    const start = this.take(length);
    return new MessageReader(this.message, start, start + length, this.work);
  }

  uint8(): number {
    return this.message.readUInt8(this.take(1));
  }

  uint16(): number {
    return this.message.readUInt16BE(this.take(2));
  }

  uint32(): number {
    return this.message.readUInt32BE(this.take(4));
  }

  /** Bytes that follow a byte with their number. */
  string(): Buffer {
    return this.bytes(this.uint8());
  }

  /**
   * A name without a trailing dot, or `.` for the root. Its end may be a pointer to an earlier name.
   *
   * @param isMailbox whether a dot within a label is escaped
   */
  name({ isMailbox = false } = {}): string {
    const labels: string[] = [];
    let length = 1;
    const { end } = this;
    let pointedAt = this.at;
    let afterPointer: number | undefined;
    for (let size = this.uint8(); size > 0; size = this.uint8()) {
      if (++this.work.steps > MAX_STEPS) throw new MalformedMessage("its names are too long");
      if (size >= POINTER) {
        const target = ((size - POINTER) << 8) | this.uint8();
        // Only backwards: a loop of pointers would never end.
        if (target >= pointedAt) throw new MalformedMessage("a name points forward");
        // The ID is another one in each answer.
        if (target < HEADER) throw new MalformedMessage("a name points into the header");
        pointedAt = target;
        afterPointer ??= this.at;
        this.at = target;
        this.end = this.message.length;
        continue;
      }
      length += size + 1;
      if (size > MAX_LABEL || length > MAX_NAME) throw new MalformedMessage("a name is too long");
      const label = this.bytes(size).toString();
      labels.push(isMailbox ? label.replaceAll(".", "\\.") : label);
    }
    this.at = afterPointer ?? this.at;
    this.end = end;
    return labels.length === 0 ? "." : labels.join(".");
  }

  /** @returns the position of bytes, which are then read */
  private take(length: number): number {
    const start = this.at;
    if (start + length > this.end) throw new MalformedMessage("it ends too early");
    this.at = start + length;
    return start;
  }
}
