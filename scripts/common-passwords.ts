/**
 * Writes the list of common passwords that stillup refuses: of each, in lower case, the first bytes of its SHA-256, sorted.
 *
 * common-passwords.ts LIST   a file with one password in each line, the most common first
 */
import { readFileSync, writeFileSync } from "node:fs";
import { HASH_BYTES, hashOf, isLongEnough } from "../src/runner/people/sign-in.ts";

const MOST = 100_000;

const [list = ""] = process.argv.slice(2);
const words = readFileSync(list, "utf8")
  .split("\n")
  .map((line) => line.toLowerCase());
const hashes = [...new Set(words.filter(isLongEnough))]
  .slice(0, MOST)
  .map((word) => Buffer.from(hashOf(word)));
hashes.sort(Buffer.compare);
writeFileSync("src/runner/people/common-passwords.bin", Buffer.concat(hashes));
console.log(`${hashes.length} passwords, ${hashes.length * HASH_BYTES} bytes`);
