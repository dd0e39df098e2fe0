/* The curve P-256 (FIPS 186-5; SEC 2, 2.4.2): y² = x³ − 3x + b, modulo p. */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Whether a text is an uncompressed point of P-256 in base64url, as browsers give the key of a push subscription (RFC 8291, 3.1). */
export function isPushPoint(text: string): boolean {
  // The last digit of 65 bytes has two unused bits.
  if (!/^[\w-]{86}[AEIMQUYcgkosw048]$/.test(text)) return false;
  const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
  const hex = bytes.subarray(1).toHex();
  const [x, y] = [BigInt(`0x${hex.slice(0, 64)}`), BigInt(`0x${hex.slice(64)}`)];
  return bytes[0] === 4 && x < P && y < P && (y * y - x * x * x + 3n * x - B) % P === 0n;
}
