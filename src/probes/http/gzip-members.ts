import { createInflateRaw } from "node:zlib";
import { MAX_BODY } from "./response-parser.ts";

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
