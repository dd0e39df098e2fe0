import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { decodeBody } from "../../../src/probes/http/content-coding.ts";
import type { Head } from "../../../src/probes/http/response-parser.ts";
import { readWhole } from "../../../src/probes/http/whole-body.ts";
import { ProbeError } from "../../../src/probes/probe-error.ts";
import { split } from "../bytes/pieces.ts";
import type { Verdict } from "../protocol.ts";
import { endlessCheck } from "./endless-check.ts";
import type { BodyInput } from "./input.ts";
import { isDeclared } from "./messages.ts";

/** A coded body decodes as node:zlib decodes it at once, and is whole exactly if it decodes. */
export async function judgeBody(input: BodyInput): Promise<Verdict> {
  const head: Head = { statusCode: 200, headers: [["Content-Encoding", input.codings]] };
  const bytes = Buffer.from(input.bytes, "latin1");
  const decoded = await outcomeOf(
    decodeBody(head, { bytes, isCut: false }, endlessCheck()).then((body) =>
      Buffer.from(body.bytes).toString("latin1"),
    ),
  );
  const whole = await outcomeOf(readWhole(head, arriving(input), endlessCheck()).then(() => "whole"));
  const violation =
    undeclared(decoded) ??
    undeclared(whole) ??
    differsFromNode(decoded, input) ??
    (isAmbiguous(input) || decoded.isBad === whole.isBad
      ? undefined
      : `${JSON.stringify(decoded)} although ${whole.text}`);
  return { outcome: decoded.isBad ? "does not decode" : "decodes", violation };
}

/**
 * Whether the body may decode and not be whole: nothing has no end of its coding. Of gzip with another coding in it, bytes after its
 * end may hide what was decoded before.
 */
function isAmbiguous({ bytes, codings }: BodyInput): boolean {
  return bytes === "" || bytes.endsWith("\x1f") || (codings.includes("gzip") && codings.includes(","));
}

/** @property text what was decoded, or the message of the error */
interface Outcome {
  text: string;
  isBad: boolean;
}

async function outcomeOf(work: Promise<string>): Promise<Outcome> {
  try {
    return { text: await work, isBad: false };
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    return { text: error.message, isBad: true };
  }
}

async function* arriving({ bytes, cuts }: BodyInput): AsyncGenerator<Uint8Array> {
  for (const piece of split(bytes, cuts)) yield Buffer.from(piece, "latin1");
}

function undeclared({ text, isBad }: Outcome): string | undefined {
  return isBad && !isDeclared("bad_body", text, { isPlain: false })
    ? `undeclared bad_body: ${text}`
    : undefined;
}

function differsFromNode(decoded: Outcome, { bytes, codings }: BodyInput): string | undefined {
  const wanted = bytes === "" ? "" : referenceOf(bytes, codings);
  if (wanted === undefined) {
    // Bytes after the end of gzip are ignored (behavior 10.22).
    const mayEnd = codings.includes("gzip");
    return decoded.isBad || mayEnd
      ? undefined
      : `${JSON.stringify(decoded.text)}, which node:zlib does not decode`;
  }
  const [found, other] = [decoded, { text: wanted, isBad: false }].map((one) => JSON.stringify(one));
  return found === other ? undefined : `${found} instead of ${other} as node:zlib decodes it`;
}

/** Undefined if node:zlib does not decode it. */
function referenceOf(bytes: string, codings: string): string | undefined {
  try {
    const names = codings.split(",").map((name) => name.trim());
    return names.reduceRight<Buffer>(decodedAt, Buffer.from(bytes, "latin1")).toString("latin1");
  } catch {
    return undefined;
  }
}

function decodedAt(bytes: Buffer, name: string): Buffer {
  if (name === "br") return brotliDecompressSync(bytes);
  if (name !== "deflate") return gunzipSync(bytes);
  // With the header of zlib, or without it (RFC 1950, 2.2).
  const [first = 0, second = 0] = bytes;
  const isZlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  return isZlib ? inflateSync(bytes) : inflateRawSync(bytes);
}
