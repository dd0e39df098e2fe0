import type { Sample } from "../../domain/checks/observation.ts";
import { withoutSecrets } from "../../domain/evidence/secrets.ts";
import type { Connection } from "../connections/connection.ts";
import type { ProbeContext } from "../observe.ts";
import { since } from "../probe-clock.ts";
import { asProbeError } from "../probe-error.ts";
import { shownText } from "./character-set.ts";
import { type Body, ByteBuffer, decodeBody, isCoded, MAX_TEXT } from "./content-coding.ts";
import type { HttpConfig } from "./request.ts";
import {
  framingOf,
  type Head,
  isBodiless,
  MAX_BODY,
  type ParserOptions,
  ResponseParser,
  type Step,
} from "./response-parser.ts";
import { withoutTakes } from "./taken-texts.ts";

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
  private bodyBytes = 0;
  /** Whether nothing more can be read of the body, although it has not ended. */
  private isBroken = false;
  /** The status and the head of the final answer, as far as they have arrived. */
  arrived: { statusCode?: number; head?: Head } = {};
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
      const { done, value } = this.next();
      if (done) return;
      const more = value === undefined ? await this.moreOfBody() : Buffer.from(value, "latin1");
      this.add(more);
    }
  }

  /**
   * The body as it arrives, for a reader that reads all of it.
   *
   * @param isKept whether `body` is called later: else only its beginning is kept
   * @throws ProbeError `bad_body`
   */
  async *arriving({ isKept }: { isKept: boolean }): AsyncGenerator<Uint8Array> {
    this.parts ??= this.parser.body(await this.head());
    this.received ??= new ByteBuffer(isKept ? MAX_BODY : READ);
    for (;;) {
      const { bytes, end } = nextParts(this.parts);
      this.add(bytes);
      if (end instanceof Error) throw this.broken(end);
      yield bytes;
      if (end) return;
      const more = await this.moreOfBody();
      this.add(more);
      yield more;
    }
  }

  /** The length of the body as it is sent, in bytes; null if it is not known, or nothing was read. */
  size(): number | null {
    const { head } = this.arrived;
    if (!this.parts || !head || !this.options.hasBody) return null;
    if (this.parser.isComplete || this.isBroken) return this.bodyBytes;
    const framing = isBodiless(head.statusCode) ? 0 : framingOf(head.headers);
    return framing === "chunked" || framing === Number.POSITIVE_INFINITY ? null : framing;
  }

  private next(): IteratorResult<string | undefined> {
    try {
      return this.parts?.next() ?? { done: true, value: undefined };
    } catch (error) {
      throw this.broken(error as Error);
    }
  }

  private broken(error: Error): Error {
    this.isBroken = true;
    return error;
  }

  private add(bytes: Uint8Array): void {
    this.bodyBytes += bytes.length;
    this.received?.add(bytes);
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
    const statusCode = this.parser.isFollowed(first) ? await this.run(this.parser.finalStatusCode()) : first;
    this.arrived.statusCode = statusCode;
    return statusCode;
  }

  private async readHead(): Promise<Head> {
    const statusCode = await this.statusCode();
    const head = { statusCode, headers: await this.run(this.parser.headers()) };
    this.arrived.head = head;
    return head;
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
      throw asProbeError(error) ? this.broken(this.parser.ended()) : error;
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

/** The length of the body in a sample, and in the evidence of a failure, in bytes. */
export const SAMPLE = 2048;

/** Enough that no secret crosses the end of the sample. */
export const READ = SAMPLE + 16 * 1024;

/** How long a sample waits for headers and a body that no expectation needs, in milliseconds. */
const PATIENCE = 1000;

/**
 * Reads what a person who tests a config sees of the answer, without the secrets of the config. A head or a body that can't
 * be read is no reason for another result.
 *
 * @returns undefined if the head has not arrived
 */
export async function readSample(
  reader: AnswerReader,
  { config, context, isPrivate }: { config: HttpConfig; context: ProbeContext; isPrivate: boolean },
): Promise<Sample | undefined> {
  const reading = reader.head().then(() => reader.start(READ));
  const { start, timeout } = context;
  const rest = start + timeout - performance.now();
  await Promise.race([reading.catch(() => {}), Bun.sleep(Math.min(PATIENCE, rest / 2))]);
  const durationMs = since(start);
  const { head } = reader.arrived;
  if (!head) return undefined;
  const headerText = (value: string) => withoutSecrets(Buffer.from(value, "latin1").toString(), config);
  const { bytes, isCut } = await decodeBody(head, reader.soFar(), context, { isPart: true }).catch(() => ({
    bytes: undefined,
    isCut: false,
  }));
  const shown = bytes && { bytes: bytes.subarray(0, READ), isCut: isCut || bytes.length > READ };
  const text = withoutTakes(config, head.headers, shown && shownText(head, shown, config));
  const body = text === undefined ? undefined : withoutSecrets(text, config);
  return {
    statusCode: head.statusCode,
    headers: head.headers.map(([name, value]) => ({ name, value: headerText(value) })),
    durationMs,
    body: body?.slice(0, SAMPLE) ?? null,
    isBodyCut: isCut || (body?.length ?? 0) > SAMPLE,
    isPrivate,
  };
}
