import { isSame, type Meaning, type Read } from "./read-answer.ts";
import { referenceOf } from "./reference.ts";

/** The length of a first line that a check refuses, in bytes. */
const LONG = 8192;

/** An answer that the parser of Node.js reads is read, and means the same. @returns the difference */
export function differsFromNode(
  whole: Read,
  bytes: string,
  { hasBody }: { hasBody: boolean },
): string | undefined {
  // A check refuses bytes before a status line, also behind an interim answer, and long lines.
  const isComparable = bytes.length < LONG && !/^[\r\n]|\n\r?\n[\r\n]+HTTP\//.test(bytes);
  const reference = isComparable ? referenceOf(bytes, { hasBody }) : undefined;
  if (!reference || hasOtherCoding(bytes, reference)) return undefined;
  if (whole.error) return `unread although Node.js reads it: ${whole.error.message}`;
  if (isSame(whole, reference)) return undefined;
  return `${JSON.stringify(whole)} instead of ${JSON.stringify(reference)} as Node.js reads it`;
}

/**
 * Whether there is a transfer coding that a check refuses (behavior 10.22). Node.js then reads to the end of the connection, and
 * also if a space follows `chunked`, which RFC 9112 allows.
 */
function hasOtherCoding(bytes: string, { headers = [] }: Meaning): boolean {
  const codings = headers.filter(([name]) => name.toLowerCase() === "transfer-encoding");
  if (codings.length === 0) return false;
  return codings.length > 1 || codings[0]?.[1].toLowerCase() !== "chunked" || /chunked[ \t]+\r/i.test(bytes);
}
