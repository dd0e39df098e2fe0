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
