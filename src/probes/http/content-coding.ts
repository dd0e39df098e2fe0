import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { AnswerBody } from "../../domain/checks/expectations.ts";
import type { Closable } from "../lifetime.ts";
import { countPassed } from "../reclaim.ts";
import { Turns, type TurnTaker } from "../turns.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { lengthOfMembers } from "./gzip-members.ts";
import { badBody, type Head } from "./response-head.ts";
import { MAX_BODY } from "./response-parser.ts";

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

/** The body for expectations. */
export function textOf({ bytes, isCut }: Body): AnswerBody {
  return {
    raw: () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
    utf8() {
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      } catch {
        return undefined;
      }
    },
    isCut,
  };
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
        // The whole window is reserved at once, and becomes memory as it fills. One that grows would be copied each time.
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
