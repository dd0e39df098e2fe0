import { invalid } from "../../../errors.ts";

/** The subset of CBOR (RFC 8949) that authenticators send. The keys of a map are numbers or texts. */
export type Cbor = number | string | boolean | null | Uint8Array | Cbor[] | CborMap;
export type CborMap = Map<number | string, Cbor>;

/** CTAP2 allows 4 levels (CTAP 2.1, section 8). */
const MAX_DEPTH = 4;

/** Values of one item; a credential has about 15. */
const MAX_VALUES = 200;

/**
 * Decodes the item at the start of some bytes. Like CTAP2, it refuses indefinite lengths, tags, floating-point numbers and
 * a key that a map has twice (CTAP 2.1, section 8).
 *
 * @returns the item, and how many bytes it has: others may follow
 * @throws AppError `invalid`
 */
export function decodeCbor(bytes: Uint8Array): { value: Cbor; length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let values = 0;

  /** Moves behind some bytes. @returns where they begin */
  function skip(count: number): number {
    if (count > bytes.length - at) throw malformed();
    at += count;
    return at - count;
  }

  /** The number in a head, which is a length, a count or the value itself. */
  function argument(additional: number): number {
    if (additional < 24) return additional;
    if (additional === 24) return view.getUint8(skip(1));
    if (additional === 25) return view.getUint16(skip(2));
    if (additional === 26) return view.getUint32(skip(4));
    if (additional !== 27) throw malformed();
    const large = view.getBigUint64(skip(8));
    if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw malformed();
    return Number(large);
  }

  function content(length: number): Uint8Array {
    const start = skip(length);
    return bytes.slice(start, start + length);
  }

  function array(count: number, depth: number): Cbor[] {
    const items: Cbor[] = [];
    for (let left = count; left > 0; left--) items.push(item(depth + 1));
    return items;
  }

  function map(count: number, depth: number): CborMap {
    const entries: CborMap = new Map();
    for (let left = count; left > 0; left--) {
      const key = item(depth + 1);
      if ((typeof key !== "number" && typeof key !== "string") || entries.has(key)) throw malformed();
      entries.set(key, item(depth + 1));
    }
    return entries;
  }

  function item(depth: number): Cbor {
    if (depth > MAX_DEPTH || ++values > MAX_VALUES) throw malformed();
    const head = view.getUint8(skip(1));
    const [type, additional] = [head >> 5, head & 0x1f];
    if (type === 7) return simple(additional);
    const number = argument(additional);
    if (type === 0) return number;
    if (type === 1) return -1 - number;
    if (type === 2) return content(number);
    if (type === 3) return textOf(content(number));
    if (type === 4) return array(number, depth);
    if (type === 5) return map(number, depth);
    throw malformed();
  }

  const value = item(0);
  return { value, length: at };
}

/** Decodes bytes that are one map and nothing else. @throws AppError `invalid` */
export function decodeCborMap(bytes: Uint8Array): CborMap {
  const { value, length } = decodeCbor(bytes);
  if (!(value instanceof Map) || length !== bytes.length) throw malformed();
  return value;
}

function simple(additional: number): boolean | null {
  if (additional === 20 || additional === 21) return additional === 21;
  if (additional === 22) return null;
  throw malformed();
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

function malformed() {
  return invalid("the credential must be well-formed CBOR");
}

/** @throws AppError `invalid` */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    throw invalid("the credential must be in base64url");
  }
}

export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

/** Not for secrets: it takes longer if more bytes are equal. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
