import { invalid } from "../../../errors.ts";

/** The algorithms of passkeys that we accept, the preferred one first: ES256, EdDSA, RS256 (the IANA registry of COSE). */
export const COSE_ALGORITHMS = [-7, -8, -257] as const;

/** Bytes of the modulus of an RSA key: 2,048 to 4,096 bits. */
const RSA_LENGTH = { fewest: 256, most: 512 };
const MAX_EXPONENT_LENGTH = 4;

/** Labels of parameters (RFC 9052, section 7.1; RFC 9053, sections 7.1 and 7.2; RFC 8230, section 4). */
const LABEL = { type: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 } as const;

/** How WebCrypto imports a key, and verifies with it. */
interface Scheme {
  key: Record<string, string>;
  algorithm: { name: string; namedCurve?: string; hash?: string };
  /** The signature as WebCrypto takes it. */
  signatureOf: (signature: Uint8Array) => Uint8Array | undefined;
}

/**
 * Whether a signature is of a COSE key (WebAuthn, section 7.2 step 21; the forms of signatures: section 6.5.5).
 *
 * @param key in CBOR
 */
export async function isSignedBy(
  key: Uint8Array,
  { signature, data }: { signature: Uint8Array; data: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const scheme = schemeOf(key);
  const given = scheme.signatureOf(signature);
  if (!given) return false;
  const imported = await importKey(scheme);
  return crypto.subtle.verify(scheme.algorithm, imported, new Uint8Array(given), data);
}

/** @param key in CBOR @throws AppError `invalid` if it is of another algorithm, or no valid key of its own */
export async function assertPublicKey(key: Uint8Array): Promise<void> {
  await importKey(schemeOf(key));
}

async function importKey({ key, algorithm }: Scheme): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"]);
  } catch {
    throw unusable();
  }
}

function schemeOf(key: Uint8Array): Scheme {
  const map = decodeCborMap(key);
  const algorithm = map.get(LABEL.algorithm);
  const type = map.get(LABEL.type);
  if (type === 2 && algorithm === -7) return es256(map);
  if (type === 1 && algorithm === -8) return edDsa(map);
  if (type === 3 && algorithm === -257) return rs256(map);
  throw unusable();
}

function es256(map: CborMap): Scheme {
  const [x, y] = [map.get(LABEL.x), map.get(LABEL.y)].map((value) => bytesOf(value, 32, 32));
  if (map.get(LABEL.curve) !== 1 || !x || !y) throw unusable();
  return {
    key: { kty: "EC", crv: "P-256", x: toBase64Url(x), y: toBase64Url(y) },
    algorithm: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
    signatureOf: (signature) => rawSignatureOf(signature, 32),
  };
}

function edDsa(map: CborMap): Scheme {
  const x = bytesOf(map.get(LABEL.x), 32, 32);
  if (map.get(LABEL.curve) !== 6 || !x || isOfSmallOrder(x)) throw unusable();
  return {
    key: { kty: "OKP", crv: "Ed25519", x: toBase64Url(x) },
    algorithm: { name: "Ed25519" },
    signatureOf: (signature) => (signature.length === 64 ? signature : undefined),
  };
}

function rs256(map: CborMap): Scheme {
  const n = bytesOf(map.get(LABEL.modulus), RSA_LENGTH.fewest, RSA_LENGTH.most);
  const e = bytesOf(map.get(LABEL.exponent), 1, MAX_EXPONENT_LENGTH);
  if (!n || !e || !isModulus(n) || !isExponent(e)) throw unusable();
  return {
    key: { kty: "RSA", n: toBase64Url(n), e: toBase64Url(e) },
    algorithm: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    signatureOf: (signature) => (signature.length === n.length ? signature : undefined),
  };
}

/**
 * The points of Ed25519 whose order divides 8, also in encodings that are not canonical, without the sign: with such a key, one
 * signature holds for many messages, without a private key.
 */
const SMALL_ORDER = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

function isOfSmallOrder(x: Uint8Array): boolean {
  return SMALL_ORDER.has(x.with(31, (x[31] ?? 0) & 0x7f).toHex());
}

/** An odd number without leading zeros, which RSA_LENGTH counts. */
function isModulus(n: Uint8Array): boolean {
  return n[0] !== 0 && isOdd(n);
}

/** An odd number from 3 on (RFC 8017, section 3.1): with 1, each signature is its message. */
function isExponent(e: Uint8Array): boolean {
  return isOdd(e) && e.reduce((value, byte) => value * 256 + byte, 0) >= 3;
}

function isOdd(number: Uint8Array): boolean {
  return ((number.at(-1) ?? 0) & 1) === 1;
}

function bytesOf(value: Cbor | undefined, fewest: number, most: number): Uint8Array | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  return value.length >= fewest && value.length <= most ? value : undefined;
}

function unusable() {
  return invalid("the public key must be a valid one of ES256, EdDSA or RS256");
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * The two numbers of an ECDSA signature, one after the other, as WebCrypto takes them. Authenticators send them in DER
 * (WebAuthn, section 6.5.5; RFC 3279, section 2.2.3).
 *
 * @param size bytes of each number
 * @returns undefined if the signature is not in DER
 */
export function rawSignatureOf(der: Uint8Array, size: number): Uint8Array | undefined {
  // Shorter than 128 bytes, so that each length is one byte.
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2 || der.length > 2 * (size + 3) + 2) return undefined;
  const raw = new Uint8Array(2 * size);
  let at = 2;
  for (const end of [size, 2 * size]) {
    const number = integerAt(der, at);
    if (!number) return undefined;
    at += 2 + number.length;
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (digits.length > size) return undefined;
    raw.set(digits, end - digits.length);
  }
  return at === der.length ? raw : undefined;
}

/** The bytes of a positive number in its shortest form. */
function integerAt(der: Uint8Array, at: number): Uint8Array | undefined {
  const [tag, length = 0] = der.subarray(at, at + 2);
  const number = der.subarray(at + 2, at + 2 + length);
  const [first = 0x80, second = 0] = number;
  const isShortest = first !== 0 || (number.length > 1 && second >= 0x80);
  if (tag !== INTEGER || number.length !== length || first >= 0x80 || !isShortest) return undefined;
  return number;
}

/** The subset of CBOR (RFC 8949) that authenticators send. The keys of a map are numbers or texts. */
export type Cbor = number | string | boolean | null | Uint8Array | Cbor[] | CborMap;
type CborMap = Map<number | string, Cbor>;

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
