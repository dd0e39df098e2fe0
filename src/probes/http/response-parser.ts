import { ProbeError } from "../probe-error.ts";

/** Maximum of the bytes of a body that are kept, before they are decoded: 1 MiB of text that is not compressible. */
export const MAX_BODY = 1024 * 1024 + 64 * 1024;

/** Maximum length of the first line, in bytes. */
const MAX_FIRST_LINE = 8192;

/** Maximum of bytes, such as headers and sizes of chunks, between one byte of a body and the next. */
const MAX_FRAMING = 64 * 1024;

/** Maximum bytes outside the body, and how many bytes of the body allow one more: tiny chunks take time to parse. */
const MAX_OVERHEAD = 256 * 1024;
const BODY_PER_OVERHEAD = 16;

/**
 * @property hasBody whether the request allows an answer with a body: HEAD does not
 * @property isQuoted whether an error about the first line shows it: a server may repeat the request
 * @property isUpgrade whether the request asks for another protocol, so that 101 is the final answer
 */
export interface ParserOptions {
  hasBody: boolean;
  isQuoted: () => boolean;
  isUpgrade?: true;
}

/** Yields whenever it needs more bytes. */
export type Step<T> = Generator<undefined, T>;

/**
 * Parses one answer. Its generators run one after another: status code, headers, body. The result does not depend on
 * how the bytes are split.
 */
export class ResponseParser {
  /** Whether the body was read to its end. */
  isComplete = false;
  private step: "status line" | "headers" | "body" = "status line";
  /** The bytes added so far, parsed up to an index. */
  private read = "";
  private parsed = 0;
  private hasEnded = false;
  /** Bytes since the last byte of the body, and all bytes outside the body beyond those that it allows. */
  private framing = 0;
  private overhead = 0;
  /** How many bytes of the body must follow what was added. */
  private bytesLeft = 0;

  constructor(private readonly options: ParserOptions) {}

  /** @param more one character for each byte; undefined at the end of the connection */
  add(more: string | undefined): void {
    this.read = this.read.slice(this.parsed) + (more ?? "");
    this.parsed = 0;
    this.hasEnded = more === undefined;
  }

  /**
   * The status code of the first line; undefined if it needs more bytes. Fails as soon as what was read can't become a
   * status line. @throws like `headers`
   */
  firstStatusCode(): number | undefined {
    const end = this.read.indexOf("\n");
    const line = end < 0 ? this.read : this.read.slice(0, end);
    if (end < 0 && !this.hasEnded && line.length <= MAX_FIRST_LINE && canBeStatusLine(line)) return undefined;
    if (this.read === "") throw this.ended();
    const statusCode = end < 0 || end > MAX_FIRST_LINE ? undefined : statusCodeOf(line);
    if (statusCode === undefined) {
      throw notHttp(this.options.isQuoted() ? JSON.stringify(line.trimEnd().slice(0, 80)) : undefined);
    }
    this.parsed = this.framing = this.overhead = end + 1;
    return statusCode;
  }

  /**
   * Counts bytes that arrived as a part of the body, if they are nothing else and all before them was parsed.
   *
   * @returns false if they must be added
   */
  skip(length: number): boolean {
    if (length > this.bytesLeft || this.parsed < this.read.length) return false;
    this.passBody(length);
    return true;
  }

  /** The status code of the final answer, after the first line of an interim one. @throws like `headers` */
  *finalStatusCode(): Step<number> {
    for (;;) {
      yield* this.headers();
      const statusCode = yield* this.nextStatusCode();
      if (!this.isFollowed(statusCode)) return statusCode;
    }
  }

  /** Whether the final answer follows one with this status. */
  isFollowed(statusCode: number): boolean {
    return isInterim(statusCode) && !(statusCode === 101 && this.options.isUpgrade);
  }

  /** The bytes that have arrived and are not parsed, one character for each. */
  rest(): string {
    return this.read.slice(this.parsed);
  }

  private *nextStatusCode(): Step<number> {
    this.step = "status line";
    let line = "";
    while (line === "") line = yield* this.line();
    const statusCode = statusCodeOf(line);
    if (statusCode === undefined) throw notHttp("it is malformed");
    return statusCode;
  }

  /** @throws ProbeError `closed`, `not_http`, `bad_body` */
  *headers(): Step<Headers> {
    this.step = "headers";
    const headers: Headers = [];
    for (let line = yield* this.line(); line !== ""; line = yield* this.line()) addHeader(headers, line);
    assertOneLength(headers);
    return headers;
  }

  /** The parts of the body; undefined if it needs more bytes. @throws ProbeError `bad_body` */
  *body({ statusCode, headers }: Head): Generator<string | undefined> {
    this.step = "body";
    if (this.options.hasBody && !isBodiless(statusCode)) {
      const framing = framingOf(headers);
      if (framing === "chunked") yield* this.chunks();
      else yield* this.bytes(framing);
    }
    this.isComplete = true;
  }

  private *chunks(): Generator<string | undefined> {
    for (;;) {
      const size = chunkSizeOf(yield* this.line());
      if (size === 0) break;
      yield* this.bytes(size);
      if ((yield* this.line()) !== "") throw badBody("the size of a chunk is wrong");
    }
    // Trailers.
    while ((yield* this.line()) !== "");
  }

  private *bytes(count: number): Generator<string | undefined> {
    this.bytesLeft = count;
    while (this.bytesLeft > 0) {
      const part = this.take(this.bytesLeft);
      if (part !== "") {
        this.passBody(part.length);
        yield part;
      } else if (!this.hasEnded) yield;
      else if (this.bytesLeft === Number.POSITIVE_INFINITY) return;
      else throw this.ended();
    }
  }

  private passBody(length: number): void {
    this.bytesLeft -= length;
    this.framing = 0;
    this.overhead -= length / BODY_PER_OVERHEAD;
  }

  /** Reads a line, and removes its end. */
  private *line(): Step<string> {
    const room = Math.min(MAX_FRAMING - this.framing, MAX_OVERHEAD - this.overhead);
    let line = "";
    for (;;) {
      const end = this.read.indexOf("\n", this.parsed);
      line += this.take(end < 0 ? Number.POSITIVE_INFINITY : end + 1 - this.parsed);
      if (line.length > room) throw this.tooLong();
      if (end >= 0) break;
      if (this.hasEnded) throw this.ended();
      yield;
    }
    this.framing += line.length;
    this.overhead += line.length;
    return line.slice(0, line.endsWith("\r\n") ? -2 : -1);
  }

  private take(most: number): string {
    const taken = this.read.slice(this.parsed, this.parsed + most);
    this.parsed += taken.length;
    return taken;
  }

  /** The error if the connection ends here. */
  ended(): ProbeError {
    if (this.step === "body") return badBody("the connection ended before the body did");
    const completely = this.step === "headers" ? " completely" : "";
    return new ProbeError("closed", `the server closed the connection before it answered${completely}`);
  }

  private tooLong(): ProbeError {
    if (this.step !== "body") return notHttp(`its headers are longer than ${MAX_FRAMING / 1024} KiB`);
    const isTotal = MAX_OVERHEAD - this.overhead < MAX_FRAMING - this.framing;
    return badBody(isTotal ? "its chunks are too small" : "its chunks or trailers are too long");
  }
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
function canBeStatusLine(start: string): boolean {
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
function addHeader(headers: Headers, line: string): void {
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
function assertOneLength(headers: Headers): void {
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
function chunkSizeOf(line: string): number {
  const [, digits] = CHUNK_SIZE.exec(line) ?? [];
  if (digits === undefined) throw badBody("the size of a chunk is malformed");
  return Number.parseInt(digits, 16);
}

export function badBody(why: string): ProbeError {
  return new ProbeError("bad_body", `the body could not be read: ${why}`);
}

/** @param why without any text of the server, or undefined */
function notHttp(why: string | undefined): ProbeError {
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
