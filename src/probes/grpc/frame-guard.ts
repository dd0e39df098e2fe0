/** Length in 3 bytes, type, flags, stream in 4 bytes, of which the first bit says nothing (RFC 9113, 4.1). */
const HEAD = 9;

/** The stream of the first request of a client. The connection itself is 0. */
const FIRST_STREAM = 1;

/**
 * Follows the frames that a server of HTTP/2 sends, of which it must send none on a stream that nobody opened. Bun 1.4.5 fails
 * such a stream with an error that nothing can catch.
 */
export class FrameGuard {
  private head = "";
  private payloadLeft = 0;

  /** @param more one character for each byte @returns false if a frame is on a stream that nobody opened */
  accepts(more: string): boolean {
    for (let at = 0; at < more.length; ) {
      const skipped = Math.min(this.payloadLeft, more.length - at);
      this.payloadLeft -= skipped;
      const taken = more.slice(at + skipped, at + skipped + HEAD - this.head.length);
      at += skipped + taken.length;
      this.head += taken;
      if (this.head.length === HEAD && !this.endHead()) return false;
    }
    return true;
  }

  private endHead(): boolean {
    const head = Buffer.from(this.head, "latin1");
    this.head = "";
    this.payloadLeft = head.readUIntBE(0, 3);
    return (head.readUInt32BE(5) & 0x7fffffff) <= FIRST_STREAM;
  }
}
