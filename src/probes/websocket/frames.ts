import { randomBytes } from "node:crypto";
import type { Connection } from "../connections/connection.ts";
import { ProbeError } from "../probe-error.ts";

export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** Continuation, text and binary: other codes below 8 are reserved (RFC 6455, 5.2). */
const LAST_DATA = 2;

const FINAL = 0x80;
const RESERVED = 0x70;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;

/** Maximum length of a control frame, in bytes (RFC 6455, 5.5). */
const MAX_CONTROL = 125;

/** How many bytes and how many frames a server may send before its pong. */
const MAX_BYTES = 1024 * 1024;
const MAX_FRAMES = 1024;

/** A control frame. @property payload one character for each byte */
export interface ControlFrame {
  opcode: number;
  payload: string;
}

/** A control frame of a client, which is masked. @param payload at most 125 bytes */
export function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  const mask = randomBytes(4);
  const masked = payload.map((byte, at) => byte ^ (mask[at % mask.length] as number));
  return Buffer.concat([Buffer.from([FINAL | opcode, MASKED | payload.length]), mask, masked]);
}

/** Reads the frames of a server. */
export class FrameReader {
  private bytesLeft = MAX_BYTES;
  private framesLeft = MAX_FRAMES;

  /** @param unread what was read of the connection already */
  constructor(
    private readonly connection: Connection,
    private unread: string,
  ) {}

  /** The next control frame. Skips the data before it. @throws ProbeError `unexpected`, `closed`, or the error of the connection */
  async nextControl(): Promise<ControlFrame> {
    for (;;) {
      const { first, second } = await this.start();
      const opcode = first & OPCODE;
      if ((first & RESERVED) !== 0 || (opcode > LAST_DATA && (opcode < CLOSE || opcode > PONG)))
        throw malformed("a frame of no kind that was agreed on");
      if ((second & MASKED) !== 0) throw malformed("a masked frame");
      if (opcode > LAST_DATA) return { opcode, payload: await this.control(first, second) };
      await this.skip(await this.dataLength(second & LENGTH));
    }
  }

  private async start(): Promise<{ first: number; second: number }> {
    if (this.framesLeft-- === 0) throw tooMuch(`${MAX_FRAMES.toLocaleString("en")} frames`);
    const start = await this.take(2);
    return { first: start.charCodeAt(0), second: start.charCodeAt(1) };
  }

  private async control(first: number, second: number): Promise<string> {
    const length = second & LENGTH;
    if ((first & FINAL) === 0) throw malformed("a fragmented control frame");
    if (length > MAX_CONTROL) throw malformed(`a control frame of more than ${MAX_CONTROL} bytes`);
    return await this.take(length);
  }

  /** @param short the length, or the kind of the length that follows */
  private async dataLength(short: number): Promise<number> {
    if (short <= MAX_CONTROL) return short;
    const bytes = await this.take(short === MAX_CONTROL + 1 ? 2 : 8);
    return [...bytes].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  }

  private async take(count: number): Promise<string> {
    this.spend(count);
    while (this.unread.length < count) this.unread += await this.more();
    return this.taken(count);
  }

  private async skip(count: number): Promise<void> {
    this.spend(count);
    let left = count;
    while (this.unread.length < left) {
      left -= this.unread.length;
      this.unread = await this.more();
    }
    this.taken(left);
  }

  private taken(count: number): string {
    const taken = this.unread.slice(0, count);
    this.unread = this.unread.slice(count);
    return taken;
  }

  private spend(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft < 0) throw tooMuch(`${MAX_BYTES / 1024 / 1024} MiB`);
  }

  private async more(): Promise<string> {
    const more = await this.connection.read();
    if (more === undefined)
      throw new ProbeError("closed", "the server closed the connection before its pong");
    return more;
  }
}

function malformed(what: string): ProbeError {
  return new ProbeError("unexpected", `the server sent ${what}`);
}

function tooMuch(limit: string): ProbeError {
  return new ProbeError("unexpected", `the server sent more than ${limit} before its pong`);
}
