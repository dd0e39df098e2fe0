import { HTTPParser } from "http-parser-js";
import { ProbeError } from "../probe-error.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { isInterim } from "./status-line.ts";

/** The final answer of a server, without its body. Interim answers (1xx) are skipped. */
export interface Head {
  statusCode: number;
  /** In the order of the server; one character for each byte of a value. */
  headers: [name: string, value: string][];
}

/** Maximum of the bytes of a body that are kept, before they are decoded: 1 MiB of text that is not compressible. */
export const MOST_BODY = 1024 * 1024 + 64 * 1024;

/** Maximum of bytes, such as headers and sizes of chunks, between one byte of a body and the next. */
const MOST_FRAMING = 64 * 1024;

/** Maximum of all bytes beside those of the body: a body in chunks of one byte would take half a second to parse. */
const MOST_OVERHEAD = 256 * 1024;

/** The parser gets small parts, because it stops only at the end of one. */
const PART = 16 * 1024;

/** A chunk has less than 16 digits, so that its size is a safe integer. */
const CHUNK_SIZE = /^0*[0-9a-f]{1,12}[ \t]*(?:;|$)/i;
const LENGTH = /^\d{1,15}$/;

/** What is used of the parser beyond its documented callbacks. */
interface Internals {
  readonly state: string;
  readonly info: { readonly statusCode?: number };
  execute(bytes: Buffer): number | Error;
  finish(): Error | undefined;
  consumeLine(): string | undefined;
  [HTTPParser.kOnHeadersComplete]: (info: { statusCode: number; headers: string[] }) => number;
  [HTTPParser.kOnBody]: (bytes: Buffer, offset: number, length: number) => void;
  [HTTPParser.kOnMessageComplete]: () => void;
}

const Lenient = HTTPParser as unknown as new (type: "RESPONSE") => Internals;

/** http-parser-js takes any line for the size of a chunk, and loops forever on some negative ones. */
class StrictParser extends Lenient {
  override consumeLine(): string | undefined {
    const line = super.consumeLine();
    if (this.state === "BODY_CHUNKHEAD" && line !== undefined && !CHUNK_SIZE.test(line)) {
      throw badBody("the size of a chunk is malformed");
    }
    return line;
  }
}

/** Parses one answer. Keeps at most `MOST_BODY` bytes of its body, as they were sent. */
export class ResponseParser {
  head: Head | undefined;
  isComplete = false;
  /** That of the final answer, as soon as its status line was read. */
  statusCode: number | undefined;
  /** When that was, in milliseconds of `performance.now()`. */
  answeredAt: number | undefined;
  readonly body = new ByteBuffer(MOST_BODY);
  private fault: ProbeError | undefined;
  private overhead = 0;
  private framing = 0;
  private readonly parser = new StrictParser("RESPONSE");

  /** @param hasBody whether the request allows an answer with a body: HEAD does not */
  constructor(hasBody: boolean) {
    HTTPParser.encoding = "latin1";
    let precedes = false;
    this.parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers }) => {
      if (this.isComplete) return 1;
      precedes = isInterim(statusCode);
      if (precedes) return 1;
      this.head = { statusCode, headers: pairs(headers) };
      if (!hasBody || statusCode === 204 || statusCode === 304) return 1;
      assertFraming(this.head);
      return 0;
    };
    this.parser[HTTPParser.kOnBody] = (bytes) => {
      if (this.isComplete) return;
      this.framing = 0;
      this.overhead -= bytes.length;
      this.body.add(bytes);
    };
    this.parser[HTTPParser.kOnMessageComplete] = () => {
      this.isComplete ||= !precedes;
    };
  }

  /** Parses more bytes. A fault is thrown by `assertSound`, because it may follow all that is needed. */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.isOver(); at += PART)
      this.addPart(bytes.subarray(at, at + PART));
  }

  /** The connection has ended. */
  end(): void {
    if (this.isOver()) return;
    const error = this.parser.finish();
    if (this.isComplete) return;
    this.fault = this.head
      ? badBody("the connection ended before the body did")
      : new ProbeError(
          "closed",
          `the server closed the connection before it answered${error ? " completely" : ""}`,
        );
  }

  /** @throws ProbeError `not_http`, `bad_body`, `closed` */
  assertSound(): void {
    if (this.fault) throw this.fault;
  }

  private isOver(): boolean {
    return this.isComplete || this.fault !== undefined || this.body.isCut;
  }

  private addPart(bytes: Buffer): void {
    this.overhead += bytes.length;
    this.framing += bytes.length;
    const error = this.execute(bytes);
    const code = this.head?.statusCode ?? this.parser.info.statusCode;
    if (this.statusCode === undefined && code !== undefined && !isInterim(code)) {
      this.statusCode = code;
      this.answeredAt = performance.now();
    }
    if (this.isOver()) return;
    if (error) this.fault = this.faultOf(error);
    else if (this.framing > MOST_FRAMING) this.fault = this.tooLong();
    else if (this.overhead > MOST_OVERHEAD) this.fault = badBody("its chunks are too small");
  }

  /** The parser returns its own errors and throws those of the callbacks. */
  private execute(bytes: Buffer): Error | undefined {
    try {
      const result = this.parser.execute(bytes);
      return typeof result === "number" ? undefined : result;
    } catch (error) {
      return error as Error;
    }
  }

  private faultOf(error: Error): ProbeError {
    if (error instanceof ProbeError) return error;
    if (this.head) return badBody("the size of a chunk is wrong");
    if ((error as NodeJS.ErrnoException).code === "HPE_UNEXPECTED_CONTENT_LENGTH") {
      return badBody("it has two lengths");
    }
    return error.message.startsWith("max header size") ? this.tooLong() : notHttp("it is malformed");
  }

  private tooLong(): ProbeError {
    if (this.head) return badBody("its chunks or trailers are too long");
    return notHttp(`its headers are longer than ${MOST_FRAMING / 1024} KiB`);
  }
}

/** @throws ProbeError `bad_body` if the end of the body is not clear */
function assertFraming({ headers }: Head): void {
  const valuesOf = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value.toLowerCase());
  const codings = valuesOf("transfer-encoding");
  if (codings.length > 1 || codings.some((coding) => coding !== "chunked" && coding !== "identity")) {
    throw badBody("it has a transfer coding other than chunked");
  }
  // The parser ignores the length of a chunked body, as RFC 9112, 6.3, says.
  const isChunked = codings.includes("chunked");
  if (!isChunked && !valuesOf("content-length").every((length) => LENGTH.test(length))) {
    throw badBody("its length is not a number");
  }
}

function pairs(flat: string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [flat[at * 2] ?? "", flat[at * 2 + 1] ?? ""]);
}

export function badBody(why: string): ProbeError {
  return new ProbeError("bad_body", `the body could not be read: ${why}`);
}

/** @param why without any text of the server */
function notHttp(why: string): ProbeError {
  return new ProbeError("not_http", `the answer is not HTTP: ${why}`);
}
