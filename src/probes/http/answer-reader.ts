import type { Connection } from "../connections/connection.ts";
import { asProbeError } from "../probe-error.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { type Body, isCoded, MAX_TEXT } from "./content-coding.ts";
import type { Head } from "./response-head.ts";
import { MAX_BODY, type ParserOptions, ResponseParser, type Step } from "./response-parser.ts";

const NOTHING = new Uint8Array();

/** A body of more bytes is large: see `AnswerOptions`. */
const LARGE = 256 * 1024;

/** @property onLarge called before more than 256 KiB of a body are read */
export interface AnswerOptions extends ParserOptions {
  onLarge?: () => Promise<unknown>;
}

/** Reads the answer to one request from its connection, as far as it is needed. */
export class AnswerReader {
  private readonly parser: ResponseParser;
  private received: ByteBuffer | undefined = undefined;
  private finalCode: Promise<number> | undefined;
  private finalHead: Promise<Head> | undefined;
  private parts: Generator<string | undefined> | undefined;
  /** How much of a body may be read before it is large, in bytes. */
  private untilLarge = LARGE;

  constructor(
    private readonly connection: Connection,
    private readonly options: AnswerOptions,
  ) {
    this.parser = new ResponseParser(options);
  }

  /** The status code of the final answer, before its headers. @throws like `head` */
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
    this.parts ??= this.parser.body(await this.head());
    this.received ??= new ByteBuffer(MAX_BODY);
    while (!this.received.isCut && this.received.view().length <= bytes) {
      const { done, value } = this.parts.next();
      if (done) return;
      const more = value === undefined ? await this.moreOfBody() : Buffer.from(value, "latin1");
      this.received.add(more);
    }
  }

  /**
   * The body as it arrives, for a reader that reads all of it.
   *
   * @param isKept whether `body` is called later
   * @throws ProbeError `bad_body`
   */
  async *arriving({ isKept }: { isKept: boolean }): AsyncGenerator<Uint8Array> {
    this.parts ??= this.parser.body(await this.head());
    if (isKept) this.received ??= new ByteBuffer(MAX_BODY);
    for (;;) {
      const { bytes, end } = nextParts(this.parts);
      this.received?.add(bytes);
      if (end instanceof Error) throw end;
      yield bytes;
      if (end) return;
      const more = await this.moreOfBody();
      this.received?.add(more);
      yield more;
    }
  }

  /** The bytes after the head of a 101, one character for each byte: the other protocol begins with them. */
  async afterHead(): Promise<string> {
    await this.head();
    return this.parser.rest();
  }

  soFar(): Body {
    const isCut = !this.parser.isComplete || this.received?.isCut === true;
    return { bytes: this.received?.view() ?? NOTHING, isCut };
  }

  private async readStatusCode(): Promise<number> {
    let first: number | undefined;
    do {
      this.parser.add(await this.connection.read());
      first = this.parser.firstStatusCode();
    } while (first === undefined);
    return this.parser.isFollowed(first) ? this.run(this.parser.finalStatusCode()) : first;
  }

  private async readHead(): Promise<Head> {
    const statusCode = await this.statusCode();
    return { statusCode, headers: await this.run(this.parser.headers()) };
  }

  private async run<T>(step: Step<T>): Promise<T> {
    for (;;) {
      const { done, value } = step.next();
      if (done) return value;
      this.parser.add(await this.connection.read());
    }
  }

  /** @returns what needs no parsing, because it is in the middle of a body */
  private async moreOfBody(): Promise<Uint8Array> {
    if (this.untilLarge <= 0) {
      this.untilLarge = Number.POSITIVE_INFINITY;
      await this.options.onLarge?.();
    }
    try {
      const more = await this.connection.readBytes();
      this.untilLarge -= more?.length ?? 0;
      if (more && this.parser.skip(more.length)) return more;
      this.parser.add(more?.toString("latin1"));
      return NOTHING;
    } catch (error) {
      throw asProbeError(error) ? this.parser.ended() : error;
    }
  }
}

/** All parts that have arrived. @returns as `end`, whether the body ended there, or the error */
function nextParts(parts: Iterator<string | undefined>): { bytes: Buffer; end: boolean | Error } {
  let text = "";
  let end: boolean | Error | undefined;
  try {
    while (end === undefined) {
      const { done, value } = parts.next();
      if (value) text += value;
      else end = done === true;
    }
  } catch (error) {
    end = error as Error;
  }
  return { bytes: Buffer.from(text, "latin1"), end };
}
