import { MAX_OUTPUT } from "../../domain/heartbeats/run-output.ts";

/** The last `MAX_OUTPUT` bytes of an output, of any length. */
export class OutputTail {
  #last = Buffer.alloc(0);
  #isCut = false;

  add(chunk: Uint8Array): void {
    const all = Buffer.concat([this.#last, chunk.subarray(-MAX_OUTPUT)]);
    this.#isCut ||= this.#last.length + chunk.length > MAX_OUTPUT;
    this.#last = all.subarray(-MAX_OUTPUT);
  }

  /** Whole characters of valid UTF-8. What is no UTF-8 is replaced here: it becomes longer, and the server keeps the first bytes. */
  bytes(): Uint8Array<ArrayBuffer> {
    const text = new TextEncoder().encode(new TextDecoder().decode(this.#start(this.#last, this.#isCut)));
    return this.#start(text.subarray(-MAX_OUTPUT), text.length > MAX_OUTPUT);
  }

  /** Leaves out the rest of a character that was cut at the start. */
  #start<Bytes extends Uint8Array>(bytes: Bytes, isCut: boolean): Bytes {
    let start = 0;
    while (isCut && start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return bytes.subarray(start) as Bytes;
  }
}
