import type { Connection } from "../connections/connection.ts";
import { asProbeError } from "../probe-error.ts";
import { type Body, isCoded, MOST_TEXT } from "./content-coding.ts";
import { badBody, type Head, MOST_BODY, ResponseParser } from "./response-parser.ts";

/** Reads an answer beyond its status line, as far as it is needed. */
export class AnswerReader {
  private readonly parser: ResponseParser;

  /** @param read what was read already, one character for each byte */
  constructor(
    private readonly connection: Connection,
    read: string,
    { hasBody }: { hasBody: boolean },
  ) {
    this.parser = new ResponseParser(hasBody);
    this.parser.add(bytesOf(read));
  }

  /** When the final status line was read, in milliseconds of `performance.now()`. Only after the status code. */
  get answeredAt(): number {
    return this.parser.answeredAt ?? performance.now();
  }

  /** That of the final answer, without its headers. @throws like `head` */
  async statusCode(): Promise<number> {
    for (;;) {
      if (this.parser.statusCode !== undefined) return this.parser.statusCode;
      this.parser.assertSound();
      await this.more();
    }
  }

  /** @throws ProbeError `closed`, `not_http`, `bad_body`, or the error of the connection */
  async head(): Promise<Head> {
    for (;;) {
      if (this.parser.head) return this.parser.head;
      this.parser.assertSound();
      await this.more();
    }
  }

  /** The body as it was sent, until it is larger than any that is decoded. @throws ProbeError `bad_body` */
  async body(): Promise<Body> {
    const most = isCoded(await this.head()) ? MOST_BODY : MOST_TEXT;
    while (!this.parser.isComplete && !this.isLongerThan(most)) {
      this.parser.assertSound();
      await this.moreOfBody();
    }
    return this.soFar();
  }

  /** Reads until some bytes of the body are there, or it ends. Like `body` otherwise. */
  async start(bytes: number): Promise<void> {
    await this.head();
    while (!this.parser.isComplete && !this.isLongerThan(bytes)) {
      this.parser.assertSound();
      await this.moreOfBody();
    }
  }

  soFar(): Body {
    return { bytes: this.parser.body.view(), isCut: !this.parser.isComplete };
  }

  private isLongerThan(bytes: number): boolean {
    return this.parser.body.isCut || this.parser.body.view().length > bytes;
  }

  private async moreOfBody(): Promise<void> {
    try {
      await this.more();
    } catch (error) {
      throw asProbeError(error) ? badBody("the connection ended before the body did") : error;
    }
  }

  private async more(): Promise<void> {
    const text = await this.connection.read();
    if (text === undefined) this.parser.end();
    else this.parser.add(bytesOf(text));
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
