import { ProbeError } from "../probe-error.ts";
import type { Request } from "./request.ts";

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

export function isRedirect(statusCode: number): boolean {
  return FOLLOWED.has(statusCode);
}

/**
 * The request that a redirect leads to (RFC 9110, 15.4).
 *
 * @throws ProbeError `bad_redirect`; its message has no text of the server
 */
export function redirected({ url, method, hasBody }: Request, { statusCode, headers }: Head): Request {
  const locations = headers.filter(([name]) => name.toLowerCase() === "location");
  const [location, ...others] = new Set(locations.map(([, value]) => value));
  if (!location) throw badRedirect("has no Location", statusCode);
  if (others.length > 0) throw badRedirect("has two Locations", statusCode);
  // A header has one character for each byte, and servers write UTF-8.
  const next = URL.parse(Buffer.from(location, "latin1").toString(), url.href);
  if (!next) throw badRedirect("has a Location that is not a URL", statusCode);
  if (!/^https?:$/.test(next.protocol)) {
    throw badRedirect("leads to a URL that is neither http nor https", statusCode);
  }
  if (next.port === "0") throw badRedirect("leads to port 0", statusCode);
  return isGetNow(method, statusCode)
    ? { url: next, method: "GET", hasBody: false }
    : { url: next, method, hasBody };
}

function isGetNow(method: string, statusCode: number): boolean {
  return statusCode === 303 ? method !== "HEAD" : method === "POST" && statusCode < 303;
}

function badRedirect(what: string, statusCode: number): ProbeError {
  return new ProbeError("bad_redirect", `the redirect ${what}`, { statusCode });
}

/** In the order of the server; one character for each byte of a value. */
export type Headers = [name: string, value: string][];

/** The final answer of a server, without its body. Interim answers (1xx) are skipped. */
export interface Head {
  statusCode: number;
  headers: Headers;
}

/** A chunk has less than 16 digits, so that its size is a safe integer. */
const CHUNK_SIZE = /^0*([0-9a-f]{1,12})[ \t]*(?:;|$)/i;
const LENGTH = /^\d{1,15}$/;

/** @returns undefined if the line is no status line */
export function statusCodeOf(line: string): number | undefined {
  const [, code] = /^HTTP\/\d\.\d (\d{3})\b/.exec(line) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Whether the start of a line can become a status line. */
export function canBeStatusLine(start: string): boolean {
  return start.startsWith("HTTP/".slice(0, start.length));
}

/** Whether an answer with this status precedes the final one (behavior 10.22). */
export function isInterim(statusCode: number): boolean {
  return statusCode >= 100 && statusCode < 200;
}

/** Whether an answer with this status has no body, whatever its headers say (RFC 9112, 6.3). */
export function isBodiless(statusCode: number): boolean {
  return statusCode === 204 || statusCode === 304;
}

/**
 * Adds the header of a line, or a folded line to the value before it. Ignores a line that is neither, as other clients do.
 *
 * @throws ProbeError `not_http`
 */
export function addHeader(headers: Headers, line: string): void {
  if (line.includes("\r")) throw notHttp("it is malformed");
  const [, name] = /^([^: \t]+):/.exec(line) ?? [];
  const previous = headers.at(-1);
  if (name !== undefined) {
    headers.push([name, trimmed(line.slice(name.length + 1))]);
  } else if (previous && isBlank(line, 0)) {
    const more = trimmed(line);
    previous[1] += previous[1] && more ? ` ${more}` : more;
  }
}

/** @throws ProbeError `bad_body` if one answer has several lengths */
export function assertOneLength(headers: Headers): void {
  if (lengthsOf(headers).size > 1) throw badBody("it has two lengths");
}

/**
 * The length of the body in bytes, infinite if it ends with the connection; or that it is chunked (RFC 9112, 6.3).
 *
 * @throws ProbeError `bad_body` if the end of the body is not clear
 */
export function framingOf(headers: Headers): number | "chunked" {
  const codings = valuesOf(headers, "transfer-encoding").map((coding) => coding.toLowerCase());
  if (codings.length > 1 || codings.some((coding) => coding !== "chunked" && coding !== "identity")) {
    throw badBody("it has a transfer coding other than chunked");
  }
  if (codings[0] === "chunked") return "chunked";
  const [length] = lengthsOf(headers);
  if (length === undefined) return Number.POSITIVE_INFINITY;
  if (!LENGTH.test(length)) throw badBody("its length is not a number");
  return Number(length);
}

/** The lengths that differ, as a server, or a proxy on the way, may repeat one in a list or in several headers (RFC 9112, 6.3). */
function lengthsOf(headers: Headers): Set<string> {
  const lengths = valuesOf(headers, "content-length").flatMap((value) => value.split(","));
  return new Set(lengths.map((length) => trimmed(length).replace(/^0+(?=\d)/, "")));
}

/** @param line before a chunk @throws ProbeError `bad_body` */
export function chunkSizeOf(line: string): number {
  const [, digits] = CHUNK_SIZE.exec(line) ?? [];
  if (digits === undefined) throw badBody("the size of a chunk is malformed");
  return Number.parseInt(digits, 16);
}

export function badBody(why: string): ProbeError {
  return new ProbeError("bad_body", `the body could not be read: ${why}`);
}

/** @param why without any text of the server, or undefined */
export function notHttp(why: string | undefined): ProbeError {
  return new ProbeError("not_http", `the answer is not HTTP${why === undefined ? "" : `: ${why}`}`);
}

function valuesOf(headers: Headers, wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

/** Without spaces and tabs at both ends. A regular expression would take quadratic time. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start++;
  while (start < end && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === " " || text[at] === "\t";
}
