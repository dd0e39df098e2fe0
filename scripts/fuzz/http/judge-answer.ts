import { split } from "../bytes/pieces.ts";
import type { Verdict } from "../protocol.ts";
import { differsFromNode } from "./differs-from-node.ts";
import type { AnswerInput, Truth } from "./input.ts";
import { isDeclared } from "./messages.ts";
import { isSame, type Meaning, type Read, readAnswer } from "./read-answer.ts";

export function judgeAnswer(input: AnswerInput): Verdict {
  const { sent, hasBody } = input;
  const whole = readAnswer([sent.bytes], { hasBody });
  const pieces = split(sent.bytes, sent.cuts);
  const read = pieces.length > 1 ? readAnswer(pieces, { hasBody }) : whole;
  const violation =
    brokenInvariant(read, pieces) ??
    (sent.truth && differsFromTruth(read, sent.truth, sent.bytes)) ??
    differsFromNode(whole, sent.bytes, { hasBody }) ??
    differs(read, whole);
  return { outcome: read.error ? `read until ${read.error.reason}` : "read", violation };
}

function brokenInvariant({ error, waits }: Read, pieces: string[]): string | undefined {
  if (waits > pieces.length + 2) return `too much work: ${waits} reads of ${pieces.length} pieces`;
  const isKnown = !error || isDeclared(error.reason, error.message, { isPlain: false });
  return isKnown ? undefined : `undeclared ${error.reason}: ${error.message}`;
}

/** Whatever arrived completely is read as it was meant, and what did not is missing. */
function differsFromTruth(read: Read, truth: Truth, bytes: string): string | undefined {
  const { ends } = truth;
  const received = bytes.length;
  const hasHead = received >= ends.head;
  const isWhole = hasHead && (truth.isUnframed || received >= ends.body);
  const body = received >= ends.body ? truth.sent : bytes.slice(ends.head);
  const wanted: Meaning = {
    statusCode: received >= ends.status ? truth.statusCode : undefined,
    headers: hasHead ? truth.headers : undefined,
    // The part of a body that breaks off does not count.
    sent: isWhole ? body : undefined,
  };
  const found: Meaning = { ...read, sent: read.isComplete ? read.sent : undefined };
  if (isWhole === read.isComplete && isWhole === !read.error && isSame(found, wanted)) return undefined;
  return `${shown(read)} instead of ${shown(wanted)}`;
}

/** The result does not depend on how bytes are split. */
function differs(read: Read, whole: Read): string | undefined {
  const isEqual = isSame(read, whole) && read.error?.message === whole.error?.message;
  return isEqual ? undefined : `split: ${shown(read)} instead of ${shown(whole)}`;
}

function shown(value: object): string {
  return JSON.stringify(value, (key, one) => (key === "error" ? one?.message : one));
}
