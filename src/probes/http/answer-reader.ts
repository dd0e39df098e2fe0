import type { Connection } from "../connections/connection.ts";
import { asProbeError, ProbeError } from "../probe-error.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { type Body, isCoded, MAX_TEXT } from "./content-coding.ts";
import {
  addHeader,
  assertOneLength,
  badBody,
  canBeStatusLine,
  chunkSizeOf,
  framingOf,
  type Head,
  type Headers,
  isInterim,
  MAX_BODY,
  notHttp,
  statusCodeOf,
} from "./response-parser.ts";

/** Maximum length of the first line, in bytes. */
const MAX_FIRST_LINE = 8192;

/** Maximum of bytes, such as headers and sizes of chunks, between one byte of a body and the next. */
const MAX_FRAMING = 64 * 1024;

/** Maximum of all bytes beside those of the body: a body in chunks of one byte takes long to parse. */
const MAX_OVERHEAD = 256 * 1024;

/**
 * @property hasBody whether the request allows an answer with a body: HEAD does not
 * @property isQuoted whether an error about the first line shows it: a server may repeat the request
 */
interface Options {
  hasBody: boolean;
  isQuoted: () => boolean;
}

/** Reads the answer to one request from its connection, as far as it is needed. */
export class AnswerReader {
  /** When the final status line was read, in milliseconds of `performance.now()`. Only after the status code. */
  answeredAt = 0;
  private finalCode: Promise<number> | undefined;
  private finalHead: Promise<Head> | undefined;
  private parts: AsyncGenerator<string> | undefined;
  private readonly received = new ByteBuffer(MAX_BODY);
  private isComplete = false;
  private step: "status line" | "headers" | "body" = "status line";
  /** Read from the connection, and parsed up to an index. */
  private read = "";
  private parsed = 0;
  /** Bytes since the last one of the body, and all bytes beside those of the body. */
  private framing = 0;
  private overhead = 0;

  constructor(
    private readonly connection: Connection,
    private readonly options: Options,
  ) {}

  /** That of the final answer, without its headers. @throws like `head` */
  statusCode(): Promise<number> {
    this.finalCode ??= this.readStatusCode();
    return this.finalCode;
  }

  /** @throws ProbeError `closed`, `not_http`, `bad_body`, or the error of the connection */
  head(): Promise<Head> {
    this.finalHead ??= this.readHead();
    return this.finalHead;
  }

  /** The body as it was sent, until it is larger than any that is decoded. @throws ProbeError `bad_body` */
  async body(): Promise<Body> {
    await this.start(isCoded(await this.head()) ? MAX_BODY : MAX_TEXT);
    return this.soFar();
  }

  /** Reads until some bytes of the body are there, or it ends. Like `body` otherwise. */
  async start(bytes: number): Promise<void> {
    this.parts ??= this.readBody(await this.head());
    while (!this.received.isCut && this.received.view().length <= bytes) {
      const { done, value } = await this.parts.next();
      if (done) return;
      this.received.add(Buffer.from(value, "latin1"));
    }
  }

  soFar(): Body {
    return { bytes: this.received.view(), isCut: !this.isComplete };
  }

  private async readStatusCode(): Promise<number> {
    let statusCode = await this.firstStatusCode();
    while (isInterim(statusCode)) {
      await this.headers();
      statusCode = await this.nextStatusCode();
    }
    this.answeredAt = performance.now();
    return statusCode;
  }

  /** Fails as soon as what was read can't become a status line. */
  private async firstStatusCode(): Promise<number> {
    while (!this.read.includes("\n") && this.read.length <= MAX_FIRST_LINE && canBeStatusLine(this.read)) {
      if (!(await this.more())) break;
    }
    if (this.read === "") throw this.ended();
    const [line = ""] = this.read.split("\n", 1);
    const isWhole = line.length < this.read.length && line.length <= MAX_FIRST_LINE;
    const statusCode = isWhole ? statusCodeOf(line) : undefined;
    if (statusCode === undefined) {
      throw notHttp(this.options.isQuoted() ? JSON.stringify(line.trimEnd().slice(0, 80)) : undefined);
    }
    this.parsed = this.framing = this.overhead = line.length + 1;
    return statusCode;
  }

  private async nextStatusCode(): Promise<number> {
    this.step = "status line";
    let line = "";
    while (line === "") line = await this.line();
    const statusCode = statusCodeOf(line);
    if (statusCode === undefined) throw notHttp("it is malformed");
    return statusCode;
  }

  private async readHead(): Promise<Head> {
    const statusCode = await this.statusCode();
    return { statusCode, headers: await this.headers() };
  }

  private async headers(): Promise<Headers> {
    this.step = "headers";
    const headers: Headers = [];
    for (let line = await this.line(); line !== ""; line = await this.line()) addHeader(headers, line);
    assertOneLength(headers);
    return headers;
  }

  private async *readBody({ statusCode, headers }: Head): AsyncGenerator<string> {
    this.step = "body";
    if (this.options.hasBody && statusCode !== 204 && statusCode !== 304) {
      const framing = framingOf(headers);
      if (framing === "chunked") yield* this.chunks();
      else yield* this.bytes(framing);
    }
    this.isComplete = true;
  }

  private async *chunks(): AsyncGenerator<string> {
    for (;;) {
      const size = chunkSizeOf(await this.line());
      if (size === 0) break;
      yield* this.bytes(size);
      if ((await this.line()) !== "") throw badBody("the size of a chunk is wrong");
    }
    // Trailers.
    while ((await this.line()) !== "");
  }

  private async *bytes(count: number): AsyncGenerator<string> {
    for (let left = count; left > 0; ) {
      if (this.parsed === this.read.length && !(await this.more())) {
        if (left === Number.POSITIVE_INFINITY) return;
        throw this.ended();
      }
      const part = this.take(left);
      left -= part.length;
      this.framing = 0;
      yield part;
    }
  }

  /** Reads a line, and removes its end. */
  private async line(): Promise<string> {
    const room = Math.min(MAX_FRAMING - this.framing, MAX_OVERHEAD - this.overhead);
    let line = "";
    let end: number;
    do {
      if (this.parsed === this.read.length && !(await this.more())) throw this.ended();
      end = this.read.indexOf("\n", this.parsed);
      line += this.take(end < 0 ? Number.POSITIVE_INFINITY : end + 1 - this.parsed);
      if (line.length > room) throw this.tooLong();
    } while (end < 0);
    this.framing += line.length;
    this.overhead += line.length;
    return line.slice(0, line.endsWith("\r\n") ? -2 : -1);
  }

  private take(most: number): string {
    const taken = this.read.slice(this.parsed, this.parsed + most);
    this.parsed += taken.length;
    return taken;
  }

  /** Waits for more bytes. @returns false at the end of the connection */
  private async more(): Promise<boolean> {
    try {
      const more = await this.connection.read();
      this.read = this.read.slice(this.parsed) + (more ?? "");
      this.parsed = 0;
      return more !== undefined;
    } catch (error) {
      throw this.step === "body" && asProbeError(error) ? this.ended() : error;
    }
  }

  private ended(): ProbeError {
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
