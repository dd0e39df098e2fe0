import { invalid } from "../../../errors.ts";

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
