import { SHA256 } from "bun";
import type { Detail } from "../../domain/checks/observation.ts";

const HASH_LENGTH = 16;

/** How long the last use of a detail may differ from the stored one, in milliseconds: details are kept for months. */
export const USE_PRECISION = 24 * 60 * 60 * 1000;

/** A detail as it is stored, with the digest by which an equal one is found. */
export function detailText(detail: Detail): { text: string; hash: Uint8Array } {
  const text = JSON.stringify(detail);
  return { text, hash: digestOf(text) };
}

/** `node:crypto` takes longer. */
function digestOf(text: string): Uint8Array {
  const digest = new Uint8Array(SHA256.byteLength);
  SHA256.hash(text, digest);
  return digest.subarray(0, HASH_LENGTH);
}
