import list from "./common-passwords.bin" with { type: "file" };

/** The length of a hash: another password has the same with a probability of one in 20 million. */
export const HASH_BYTES = 5;

const FEWEST = 12;

export function isLongEnough(password: string): boolean {
  return [...password].length >= FEWEST;
}

/** @param password in lower case */
export function hashOf(password: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(password).digest().subarray(0, HASH_BYTES);
}

let loaded: Promise<Buffer> | undefined;

/**
 * Whether a password is one of the most common of at least 12 characters: the 43,940 of the million most common in the leaks that
 * Mark Burnett collected (`scripts/common-passwords.ts`). The list is read when it is first needed.
 *
 * @param password in lower case
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= Bun.file(list)
    .arrayBuffer()
    .then((bytes) => Buffer.from(bytes));
  const hashes = await loaded;
  const wanted = hashOf(password);
  let [from, to] = [0, hashes.length / HASH_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = middle * HASH_BYTES;
    const order = Buffer.compare(hashes.subarray(at, at + HASH_BYTES), wanted);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}
