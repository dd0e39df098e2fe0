import { Readable, type Transform } from "node:stream";
import { countPassed } from "../connections/connection.ts";
import type { Closable } from "../lifetime.ts";
import { ProbeError } from "../probe-error.ts";
import type { TurnTaker } from "../turns.ts";
import {
  BROTLI,
  ByteBuffer,
  decodableCodings,
  decoderOf,
  hasWideWindow,
  isGzip,
  lengthOfMembers,
  takeBrotliTurn,
} from "./content-coding.ts";
import { badBody, framingOf, type Head, isBodiless, MAX_BODY } from "./response-parser.ts";

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
 * @param taker the check, whose end ends the decoding
 * @throws ProbeError `bad_body` if it breaks off, or does not decode to the end of its coding
 */
export async function readWhole(
  head: Head,
  sent: AsyncGenerator<Uint8Array>,
  taker: TurnTaker,
): Promise<void> {
  const limit: Limit = { isReached: false };
  const codings = decodableCodings(head);
  const decoding = new Decoding(taker, codings, mayBeEmptyOf(head));
  let parts = upTo(limit, sent);
  for (const coding of codings.toReversed()) parts = upTo(limit, decoded(coding, parts, decoding));
  try {
    for await (const _ of parts);
  } catch (error) {
    // A body that is cut at the limit does not decode to its end.
    if (!limit.isReached) throw error;
  } finally {
    decoding.close();
  }
}

/** Whether nothing is a body too: servers name the coding that a longer one would have. */
function mayBeEmptyOf({ statusCode, headers }: Head): boolean {
  return isBodiless(statusCode) || framingOf(headers) !== Number.POSITIVE_INFINITY;
}

/** The decoding of one body, which needs at most one turn. */
class Decoding implements Closable {
  private turn: Promise<Closable> | undefined;

  constructor(
    private readonly taker: TurnTaker,
    private readonly codings: readonly string[],
    readonly mayBeEmpty: boolean,
  ) {}

  /** @throws if the check ends before its turn */
  async decoderOf(coding: string, start: Uint8Array): Promise<Transform> {
    if (coding === BROTLI) await this.takeTurn(start);
    const decoder = decoderOf(coding, start);
    this.taker.lifetime.add({ close: () => void decoder.destroy() });
    return decoder;
  }

  private takeTurn(start: Uint8Array): Promise<Closable> {
    const isTwice = this.codings.every((coding) => coding === BROTLI) && this.codings.length > 1;
    this.turn ??= takeBrotliTurn(this.taker, { isWide: isTwice || hasWideWindow(start) });
    return this.turn;
  }

  close(): void {
    this.turn?.then((turn) => turn.close()).catch(() => {});
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

async function* decoded(
  coding: string,
  parts: AsyncGenerator<Uint8Array>,
  decoding: Decoding,
): AsyncGenerator<Uint8Array> {
  // A turn begins when most bodies have arrived, so that a server that sends slowly holds none.
  const start = await startOf(parts, coding === BROTLI ? MAX_BODY : START);
  if (start.length === 0 && decoding.mayBeEmpty) return;
  const decoder = await decoding.decoderOf(coding, start);
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
    for await (const part of source.pipe(decoder)) {
      countPassed(part.length);
      yield part;
    }
  } catch (error) {
    if (error instanceof ProbeError || !(await isEnd(error))) throw error;
  }
}

/** Enough to see which decoder it needs. */
const START = 2;

/**
 * Each part is copied, so that the buffers of the connection are garbage at once, and counted as such.
 *
 * @param enough bytes
 */
async function startOf(parts: AsyncGenerator<Uint8Array>, enough: number): Promise<Uint8Array> {
  const start = new ByteBuffer(Number.POSITIVE_INFINITY);
  while (start.view().length < enough) {
    const { done, value } = await parts.next();
    if (done) break;
    start.add(value);
  }
  return start.view();
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
    // Bytes that are cut show nothing.
    if (kept.isCut) kept.clear();
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
