/** How many bytes of the output of a run are kept (behavior 18.10). */
export const MAX_OUTPUT = 10_000;

const decoder = new TextDecoder("utf-8");
const encoder = new TextEncoder();

/**
 * The output that a body contains: its first bytes as valid UTF-8, in which anything else is replaced.
 *
 * @returns undefined for an empty body
 */
export function outputOf(body: Uint8Array): Uint8Array | undefined {
  if (body.length === 0) return undefined;
  const start = withoutHalfCharacter(body.subarray(0, MAX_OUTPUT), body.length > MAX_OUTPUT);
  const text = encoder.encode(decoder.decode(start));
  return text.length <= MAX_OUTPUT ? text : withoutHalfCharacter(text.subarray(0, MAX_OUTPUT), true);
}

/** The first bytes of an output that fit after others. @param keptBytes how many are kept already */
export function addedOutput(output: Uint8Array, keptBytes: number): Uint8Array {
  const room = Math.max(0, MAX_OUTPUT - keptBytes);
  return output.length <= room ? output : withoutHalfCharacter(output.subarray(0, room), true);
}

/** Leaves out the bytes of a character that was cut at the end. */
function withoutHalfCharacter(bytes: Uint8Array, isCut: boolean): Uint8Array {
  if (!isCut) return bytes;
  let start = bytes.length;
  while (start > 0 && start > bytes.length - 4 && isContinuation(bytes[start - 1])) start--;
  const first = bytes[start - 1] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start - 1 + length > bytes.length ? bytes.subarray(0, start - 1) : bytes;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
