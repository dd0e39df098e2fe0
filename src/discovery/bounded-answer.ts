import { type BoundedAnswer, fetchBounded, textOf } from "../bounded-fetch.ts";
import { SourceFault } from "../domain/discovery/found.ts";
import { outlineOf } from "../domain/json-outline.ts";
import { fileReason } from "../system-error.ts";

/** How much of a source is read. @property patience milliseconds of a whole read @property most bytes of an answer or a file */
export interface Bounds {
  patience: number;
  most: number;
}

export const BOUNDS: Bounds = { patience: 10_000, most: 16 * 1024 * 1024 };

/** A read that is under way. @property signal aborted when its time is over */
export interface Read {
  signal: AbortSignal;
  bounds: Bounds;
}

/** Begins a read. @param signal cancels it early */
export function beginRead(signal: AbortSignal, bounds: Bounds): Read {
  return { signal: AbortSignal.any([signal, AbortSignal.timeout(bounds.patience)]), bounds };
}

/**
 * The answer to a GET, whole, of any status (behavior 28.60). A redirect is an answer: it is not followed.
 *
 * @throws SourceFault if there is none in time, or if it is too long; it does not repeat the URL, which can have a password
 */
export async function get(url: string, read: Read, init: BunFetchRequestInit = {}): Promise<BoundedAnswer> {
  const { signal, bounds } = read;
  const asked: BunFetchRequestInit = { redirect: "manual", keepalive: false, ...init, signal };
  try {
    return await fetchBounded(url, asked, bounds.most);
  } catch (error) {
    throw new SourceFault(whyNot(error, read));
  }
}

/** Why something could not be read, in words. */
export function whyNot(error: unknown, { signal, bounds }: Read): string {
  if (signal.aborted) return `no answer within ${bounds.patience / 1000} s`;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "" && /^the answer is longer/.test(message)) return tooLong("the answer", bounds);
  if (code === "" && /^the coding/.test(message)) return "the answer has an unknown content coding";
  if (/CERT|ISSUER|SIGNATURE|TLS|SSL/.test(code))
    return `the certificate of the server is not accepted: ${code}`;
  return reasons[code] ?? `no answer: ${code === "" ? "the connection failed" : code}`;
}

export function tooLong(what: string, { most }: Bounds): string {
  return `${what} is longer than ${most / 1024 / 1024} MiB`;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was closed before the answer was complete",
  ENOTFOUND: "the name of its host is unknown",
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENAMETOOLONG: "the path of the socket is too long",
};

/** @throws SourceFault if the answer is no JSON, or has too many levels or parts */
export function jsonOf(answer: BoundedAnswer): unknown {
  const value = parsedJson(answer.body, "the answer");
  if (value !== undefined) return value;
  const type = answer.headers.get("content-type") ?? "";
  const isHtml = /\bhtml\b/i.test(type) || /^\s*</.test(textOf(answer).slice(0, 100));
  throw new SourceFault(`the answer is ${isHtml ? "an HTML page" : "not valid JSON"}: it must be JSON`);
}

/** Levels, and fields, arrays and objects, of JSON: 10,000 containers have less. What has more takes up to 10 s to parse, and a gigabyte. */
const DEEPEST = 64;
const MAX_PARTS = 1_500_000;

/** @returns undefined if it is no JSON @throws SourceFault if it has too many levels or parts */
export function parsedJson(bytes: Uint8Array, what: string): unknown {
  const { depth, parts, isBalanced } = outlineOf(bytes);
  if (!isBalanced) return undefined;
  if (depth > DEEPEST) throw new SourceFault(`${what} must be at most ${DEEPEST} levels deep`);
  if (parts > MAX_PARTS)
    throw new SourceFault(
      `${what} must have at most ${MAX_PARTS.toLocaleString("en")} fields, arrays and objects`,
    );
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The text of a file, up to the bound. @throws SourceFault that names the file */
export async function readText(path: string, read: Read): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, read));
}

/** As `readText`. */
export async function readBytes(path: string, { bounds }: Read): Promise<Uint8Array> {
  try {
    const file = Bun.file(path);
    // The end of a pipe never comes.
    if (!(await file.stat()).isFile()) throw new SourceFault(`${path} can't be read: it is not a file`);
    const bytes = await file.slice(0, bounds.most + 1).bytes();
    if (bytes.length > bounds.most) throw new SourceFault(tooLong(path, bounds));
    return bytes;
  } catch (error) {
    throw error instanceof SourceFault
      ? error
      : new SourceFault(`${path} can't be read: ${fileReason(error)}`);
  }
}
