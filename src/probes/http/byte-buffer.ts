import { countPassed } from "../reclaim.ts";

const EMPTY = new Uint8Array();

/** Collects bytes up to a limit. Most bodies arrive at once: the first bytes are not copied. */
export class ByteBuffer {
  private bytes: Uint8Array = EMPTY;
  private used = 0;

  /** @param most the limit in bytes */
  constructor(private readonly most: number) {}

  /** Whether more bytes than the limit were added; those are dropped. */
  isCut = false;

  add(more: Uint8Array): void {
    const room = this.most - this.used;
    const added = more.length > room ? more.subarray(0, room) : more;
    this.isCut ||= more.length > room;
    if (this.used === 0) {
      this.bytes = added;
    } else {
      this.reserve(this.used + added.length);
      this.bytes.set(added, this.used);
    }
    this.used += added.length;
  }

  /** Drops all bytes. What follows is added to a buffer that is cut. */
  clear(): void {
    this.bytes = EMPTY;
    this.used = 0;
  }

  /** @returns a view of the bytes so far, not a copy */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.used);
  }

  private reserve(needed: number): void {
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.most, Math.max(needed, this.bytes.length * 2, 4096)));
    larger.set(this.view());
    // The smaller buffer is garbage now.
    countPassed(this.bytes.length);
    this.bytes = larger;
  }
}
