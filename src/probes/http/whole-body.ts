import { Readable, type Transform } from "node:stream";
import { ProbeError } from "../probe-error.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { decodableCodings, decoderOf, isGzip } from "./content-coding.ts";
import { lengthOfMembers } from "./gzip-members.ts";
import { badBody, framingOf, type Head, isBodiless } from "./response-head.ts";
import { MAX_BODY } from "./response-parser.ts";

/** How much of a body is read to see whether it is whole, as it is sent and after each step of its decoding, in bytes. */
const MOST = 16 * 1024 * 1024;

/** Whether a body has more bytes than are read, so that its end is not judged. */
interface Limit {
  isReached: boolean;
}

/**
 * Reads a body to its end or limit, and keeps nothing of it (behavior 10.95, 10.96).
 *
 * @param sent the body as it arrives
 * @throws ProbeError `bad_body` if it breaks off, or does not decode to the end of its coding
 */
export async function readWhole(head: Head, sent: AsyncGenerator<Uint8Array>): Promise<void> {
  const limit: Limit = { isReached: false };
  const mayBeEmpty = isBodiless(head.statusCode) || framingOf(head.headers) !== Number.POSITIVE_INFINITY;
  let parts = upTo(limit, sent);
  for (const coding of decodableCodings(head).toReversed())
    parts = upTo(limit, decoded(coding, parts, mayBeEmpty));
  try {
    for await (const _ of parts);
  } catch (error) {
    // A body that is cut at the limit does not decode to its end.
    if (!limit.isReached) throw error;
  }
}

async function* upTo(limit: Limit, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const part of parts) {
    yield part;
    read += part.length;
    limit.isReached ||= read >= MOST;
    if (limit.isReached) return;
  }
}

/** @param mayBeEmpty whether nothing is a body too: servers name the coding that a longer one would have */
async function* decoded(
  coding: string,
  parts: AsyncGenerator<Uint8Array>,
  mayBeEmpty: boolean,
): AsyncGenerator<Uint8Array> {
  const start = await startOf(parts);
  if (start.length === 0 && mayBeEmpty) return;
  const decoder = decoderOf(coding, start);
  const kept = new ByteBuffer(isGzip(coding) ? MAX_BODY : 0);
  const source = Readable.from(joined(start, parts, kept), { objectMode: false });
  source.once("error", (error) => decoder.destroy(error));
  try {
    yield* decodedBy(decoder, source, async (error) => {
      return isGzip(coding) && (isAfterMember(start, error) || (await isByteAfterMembers(kept, error)));
    });
    // The bytes after the end of the coding must arrive too.
    source.unpipe(decoder);
    if (!source.readableEnded) for await (const _ of source);
  } catch (error) {
    throw error instanceof ProbeError ? error : badBody(`it does not decode as ${coding}`);
  } finally {
    source.destroy();
  }
}

/** @param isEnd whether an error only means that other bytes follow the end of the coding */
async function* decodedBy(
  decoder: Transform,
  source: Readable,
  isEnd: (error: unknown) => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of source.pipe(decoder)) yield part;
  } catch (error) {
    if (error instanceof ProbeError || !(await isEnd(error))) throw error;
  }
}

/** Enough to see which decoder it needs. */
const START = 2;

async function startOf(parts: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = Buffer.alloc(0);
  while (start.length < START) {
    const { done, value } = await parts.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

async function* joined(
  start: Uint8Array,
  parts: AsyncIterable<Uint8Array>,
  kept: ByteBuffer,
): AsyncGenerator<Uint8Array> {
  kept.add(start);
  yield start;
  for await (const part of parts) {
    kept.add(part);
    yield part;
  }
}

/** Whether gzip has ended and other bytes follow, which other clients ignore. A first member has the right start. */
function isAfterMember([first, second]: Uint8Array, error: unknown): boolean {
  return first === 0x1f && second === 0x8b && (error as Error).message === "incorrect header check";
}

/** Whether gzip has ended and one byte follows, such as a line feed, which the decoder takes for the start of another member. */
async function isByteAfterMembers(kept: ByteBuffer, error: unknown): Promise<boolean> {
  const bytes = kept.view();
  const mayBe = (error as Error).message === "unexpected end of file" && !kept.isCut && bytes.at(-1) !== 0x1f;
  return mayBe && (await lengthOfMembers(bytes)) === bytes.length - 1;
}
