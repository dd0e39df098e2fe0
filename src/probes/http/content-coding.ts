import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { countPassed } from "../connections/connection.ts";
import type { Closable } from "../lifetime.ts";
import { Turns, type TurnTaker } from "../turns.ts";
import { badBody, type Head, MAX_BODY } from "./response-parser.ts";

/** Maximum of decoded text, in bytes. */
export const MAX_TEXT = 1024 * 1024;

const GZIP = new Set(["gzip", "x-gzip"]);

/** Coded bytes that a decoder gets at a time: a few of them may take long, and only between two steps it can end. */
const STEP = 16 * 1024;

/** Decoded bytes that a decoder gives at a time. Each time costs a turn of the event loop. */
const CHUNK = 64 * 1024;

/** More are not in use, and each takes memory. */
const MAX_CODINGS = 2;

export interface Body {
  bytes: Uint8Array;
  /** Whether the body has more than these bytes. */
  isCut: boolean;
}

export const BROTLI = "br";

/** The checks that decode Brotli with little memory: up to 4 MiB of window, or only the start of a body. */
const narrowTurns = new Turns(3);

/** The checks that decode whole bodies of Brotli with more memory: a window may have 16 MiB. */
const wideTurns = new Turns(1);

/** Waits for a turn to decode Brotli (behavior 1.63). @param isWide whether its windows may have more than 4 MiB */
export function takeBrotliTurn(taker: TurnTaker, { isWide }: { isWide: boolean }): Promise<Closable> {
  return (isWide ? wideTurns : narrowTurns).take(taker);
}

/** Whether the window of Brotli has more than 4 MiB, which its first four bits say (RFC 7932, 9.1). */
export function hasWideWindow([first = 0]: Uint8Array): boolean {
  return (first & 0xf) >= 0xd && (first & 1) === 1;
}

/**
 * Decodes a body. Stops at the limit, so that a small body that decodes to a large one takes no memory.
 *
 * @param taker the check, whose end ends the decoding
 * @param isPart whether the body was not read to its end or limit
 * @throws ProbeError `bad_body` if the coding is unknown, or the body does not decode
 */
export async function decodeBody(
  head: Head,
  sent: Body,
  taker: TurnTaker,
  { isPart = false } = {},
): Promise<Body> {
  if (sent.bytes.length === 0) return cut(sent);
  const codings = decodableCodings(head);
  if (codings.length === 0) return cut(sent);
  taker.leaveTarget();
  const turn = codings.includes(BROTLI) ? await takeBrotliTurn(taker, { isWide: false }) : undefined;
  try {
    return await decodeAll(codings, sent, { isPart, taker });
  } finally {
    turn?.close();
  }
}

/** Whether the body must be decoded. */
export function isCoded(head: Head): boolean {
  return codingsOf(head).length > 0;
}

/** The codings of a body, the last of which was applied last. @throws ProbeError `bad_body` if there are too many */
export function decodableCodings(head: Head): string[] {
  const codings = codingsOf(head);
  if (codings.length > MAX_CODINGS) throw badBody("it has too many content codings");
  return codings;
}

function codingsOf({ headers }: Head): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

function cut({ bytes, isCut }: Body): Body {
  return { bytes: bytes.subarray(0, MAX_TEXT), isCut: isCut || bytes.length > MAX_TEXT };
}

interface Decoding {
  isPart: boolean;
  taker: TurnTaker;
}

async function decodeAll(codings: string[], sent: Body, decoding: Decoding): Promise<Body> {
  let body = sent;
  for (const coding of codings.toReversed()) body = await decode(coding, body, decoding);
  return cut(body);
}

/** Other clients ignore what follows the end of gzip, so these bytes are dropped if it does not decode with them. */
async function decode(coding: string, body: Body, decoding: Decoding): Promise<Body> {
  try {
    return await decodeWhole(coding, body, decoding);
  } catch (error) {
    const length = isGzip(coding) ? await lengthOfMembers(body.bytes) : undefined;
    if (length === undefined || length === body.bytes.length) throw error;
    return decodeWhole(coding, { bytes: body.bytes.subarray(0, length), isCut: false }, decoding);
  }
}

function decodeWhole(coding: string, { bytes, isCut }: Body, { isPart, taker }: Decoding): Promise<Body> {
  const { promise, resolve, reject } = Promise.withResolvers<Body>();
  const text = new ByteBuffer(MAX_BODY);
  const decoder = decoderOf(coding, bytes, isCut);
  taker.lifetime.add({ close: () => void decoder.destroy() });
  const finish = (hasMore: boolean) => resolve({ bytes: text.view(), isCut: hasMore });
  decoder.on("data", (more: Buffer) => {
    text.add(more);
    countPassed(more.length);
    if (!text.isCut) return;
    decoder.destroy();
    finish(true);
  });
  decoder.once("error", () => reject(badBody(`it does not decode as ${coding}`)));
  decoder.once("end", () => {
    if (isCut && !isPart && text.view().length < MAX_TEXT)
      reject(badBody(`as ${coding}, it is longer than its text`));
    else finish(isCut);
  });
  for (let at = 0; at < bytes.length; at += STEP) decoder.write(bytes.subarray(at, at + STEP));
  decoder.end();
  return promise;
}

/**
 * @param bytes the start of the body
 * @param isCut whether the coded bytes end early, which is then no error
 * @throws ProbeError `bad_body` if the coding is unknown
 */
export function decoderOf(coding: string, bytes: Uint8Array, isCut = false): Transform {
  const finish = { chunkSize: CHUNK, ...(isCut && { finishFlush: constants.Z_SYNC_FLUSH }) };
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(finish);
    case "deflate":
      return isZlib(bytes) ? createInflate(finish) : createInflateRaw(finish);
    case BROTLI:
      return createBrotliDecompress({
        ...finish,
        // The whole window is reserved at once, and becomes memory as it fills. A window that grows would be copied each time.
        params: { [constants.BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION]: 1 },
        ...(isCut && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
      });
    default:
      throw badBody("it has a content coding other than gzip, deflate and br");
  }
}

export function isGzip(coding: string): boolean {
  return GZIP.has(coding);
}

/** Some servers send `deflate` without the header of zlib (RFC 1950, 2.2). */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** Size of a CRC and a length, in bytes. */
const TRAILER = 8;
const FIXED_HEADER = 10;

/** Each takes a decoder of its own. */
const MAX_MEMBERS = 100;

/** Bits of the flags in a header (RFC 1952, 2.3.1). */
const HAS_CRC = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/**
 * The length of the members at the start of gzip data, which other bytes may follow (RFC 1952, 2.2).
 *
 * @returns undefined if there is none, or one does not decode or is cut
 */
export async function lengthOfMembers(bytes: Uint8Array): Promise<number | undefined> {
  let end = 0;
  for (let members = 0; isMember(bytes, end); members++) {
    const start = headerEnd(bytes, end);
    const used = await inflatedLength(bytes.subarray(start));
    if (used === undefined || members === MAX_MEMBERS) return undefined;
    end = start + used + TRAILER;
  }
  return end > 0 && end <= bytes.length ? end : undefined;
}

function isMember(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
}

function headerEnd(bytes: Uint8Array, start: number): number {
  const flags = bytes[start + 3] ?? 0;
  let at = start + FIXED_HEADER;
  if (flags & HAS_EXTRA) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  for (const text of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & text)) continue;
    const zero = bytes.indexOf(0, at);
    at = zero < 0 ? bytes.length : zero + 1;
  }
  return flags & HAS_CRC ? at + 2 : at;
}

/** How many bytes a deflate stream has; undefined if it does not end or decodes to more than a body may have. */
function inflatedLength(bytes: Uint8Array): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const decoder = createInflateRaw();
  let decoded = 0;
  decoder.on("data", (more: Buffer) => {
    decoded += more.length;
    if (decoded <= MAX_BODY) return;
    decoder.destroy();
    resolve(undefined);
  });
  decoder.once("error", () => resolve(undefined));
  decoder.once("end", () => resolve(decoder.bytesWritten));
  decoder.end(bytes);
  return promise;
}

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
