import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import { Duplex } from "node:stream";
import { Connection } from "../connections/connection.ts";
import { Lifetime } from "../lifetime.ts";
import { asProbeError, ProbeError } from "../probe-error.ts";

type Http2 = typeof import("node:http2");

/** @property headers of HTTP/2, with the pseudo-headers */
export interface Call {
  headers: Record<string, string>;
  message: Uint8Array;
}

/**
 * The answer to a call.
 *
 * @property statusCode of HTTP; NaN if there is none
 * @property isGrpc false if the headers name another type of content
 * @property isOrdered whether its headers came before its data, as they must
 * @property grpcStatus undefined if there is none, or no number
 * @property message with its prefix of 5 bytes
 * @property firstByteAt when the headers arrived, in milliseconds of `performance.now()` @property endedAt when the status arrived
 */
export interface Answer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  isGrpc: boolean;
  isOrdered: boolean;
  grpcStatus: number | undefined;
  message: Buffer;
  firstByteAt: number;
  endedAt: number;
}

/**
 * Makes one call over a connection, on which HTTP/2 begins.
 *
 * @throws ProbeError `closed`, `reset`, `not_http`, `unexpected` if there is no answer
 */
export async function call(
  http2: Http2,
  { headers, message }: Call,
  { connection, lifetime }: { connection: Connection; lifetime: Lifetime },
): Promise<Answer> {
  const stream = new ConnectionStream(connection);
  // The stream is open: the URL names nothing.
  const session = http2.connect("http://localhost", {
    createConnection: () => stream,
    settings: { enablePush: false },
  });
  lifetime.add({ close: () => session.destroy() });
  const breaking = new Breaking(session, stream);
  const answer = await answerOf(session.request(headers), message, breaking);
  // Says goodbye to the server.
  session.close();
  return answer;
}

/** The fault that breaks a session, if there is one. */
class Breaking {
  private error: ProbeError | undefined;

  constructor(
    session: ClientHttp2Session,
    private readonly stream: ConnectionStream,
  ) {
    session.on("goaway", (code) => {
      this.error ??= closed(` (GOAWAY ${code})`);
    });
    const fail = (error: Error) => {
      this.error ??= asProbeError(error) ?? notHttp2();
    };
    session.on("error", fail);
    // The stream may fail after the session has left it.
    stream.on("error", fail);
  }

  /** Why a request has no answer. @param code of HTTP/2, with which it ended */
  reason(code: number | undefined): ProbeError {
    if (this.error) return this.error;
    return this.stream.hasEnded
      ? closed("")
      : new ProbeError("reset", `the request was reset: HTTP/2 error ${code}`);
  }
}

function closed(how: string): ProbeError {
  return new ProbeError("closed", `the server closed the connection before it answered${how}`);
}

function answerOf(stream: ClientHttp2Stream, message: Uint8Array, breaking: Breaking): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const seen = new SeenAnswer();
  stream.on("response", (headers) => seen.start(headers));
  stream.on("trailers", (trailers) => seen.end(trailers));
  stream.on("data", (chunk: Buffer) => seen.add(chunk));
  // Its code is in `rstCode`, and its cause is known to the session.
  stream.on("error", () => {});
  stream.once("close", () => {
    const answer = seen.answer(stream.rstCode === 0);
    if (answer) resolve(answer);
    else reject(breaking.reason(stream.rstCode));
  });
  stream.end(message);
  return promise;
}

/** The type of the content, which may name the coding of the messages. */
const GRPC = /^application\/grpc(?:[+; \t]|$)/i;

/** The parts of an answer, as they arrive. */
class SeenAnswer {
  private readonly parts: Buffer[] = [];
  private statusCode = 0;
  private headers: IncomingHttpHeaders = {};
  private isGrpc = true;
  private isOrdered = true;
  private grpcStatus: number | undefined;
  private firstByteAt = 0;
  private endedAt = 0;

  start(headers: IncomingHttpHeaders & { ":status"?: number | undefined }): void {
    this.firstByteAt = performance.now();
    this.headers = headers;
    this.statusCode = Number(headers[":status"]);
    this.isGrpc = GRPC.test(headers["content-type"] ?? "application/grpc");
    // An answer without a message has its status here.
    if ("grpc-status" in headers) this.end(headers);
  }

  add(chunk: Buffer): void {
    this.isOrdered &&= this.firstByteAt > 0;
    this.parts.push(chunk);
  }

  end(headers: IncomingHttpHeaders): void {
    this.endedAt = performance.now();
    // A repeated field is a list.
    const [status = "", ...others] = new Set(String(headers["grpc-status"]).split(", "));
    this.grpcStatus = others.length === 0 && /^\d{1,9}$/.test(status) ? Number(status) : undefined;
  }

  /** @param isWhole whether the server ended it @returns undefined if it lacks its end */
  answer(isWhole: boolean): Answer | undefined {
    const { statusCode, headers, isGrpc, isOrdered, grpcStatus, firstByteAt, endedAt } = this;
    if (endedAt === 0 && !(isWhole && statusCode > 0)) return undefined;
    const message = Buffer.concat(this.parts);
    const times = { firstByteAt, endedAt: endedAt || performance.now() };
    return { statusCode, headers, isGrpc, isOrdered, grpcStatus, message, ...times };
  }
}

/** How much a server may send in all, in bytes: an answer has some hundreds. */
const MAX_READ = 64 * 1024;

/**
 * A connection as `node:http2` can use it. It ends with a ProbeError if the server sends much, so that no flood of frames or
 * headers keeps the event loop busy: `node:http2` bounds only some of them.
 */
class ConnectionStream extends Duplex {
  /** Whether the server has ended the connection. */
  hasEnded = false;
  private left = MAX_READ;
  private readonly guard = new FrameGuard();

  constructor(private readonly connection: Connection) {
    // If the server has ended, nothing answers what is still to be sent.
    super({ allowHalfOpen: false });
    void this.pump();
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _: unknown, done: () => void): void {
    // A copy, because the chunk may be used again when this is done.
    this.connection.write(Buffer.from(chunk));
    done();
  }

  private async pump(): Promise<void> {
    try {
      for (let more = await this.connection.read(); more !== undefined; more = await this.connection.read()) {
        this.left -= more.length;
        if (this.left < 0) throw tooMuch();
        if (!this.guard.accepts(more)) throw notHttp2();
        this.push(more, "latin1");
      }
      this.hasEnded = true;
      this.push(null);
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}

function notHttp2(): ProbeError {
  return new ProbeError("not_http", "the answer is not HTTP/2, or breaks its rules");
}

function tooMuch(): ProbeError {
  const message = `the server sent more than ${MAX_READ / 1024} KiB before its answer`;
  return new ProbeError("unexpected", message, { isForeign: true });
}

/** Length in 3 bytes, type, flags, stream in 4 bytes, of which the first bit says nothing (RFC 9113, 4.1). */
const HEAD = 9;

/** The stream of the first request of a client. The connection itself is 0. */
const FIRST_STREAM = 1;

/**
 * Follows the frames that a server of HTTP/2 sends, of which it must send none on a stream that nobody opened. Bun 1.4.5 fails
 * such a stream with an error that nothing can catch.
 */
class FrameGuard {
  private head = "";
  private payloadLeft = 0;

  /** @param more one character for each byte @returns false if a frame is on a stream that nobody opened */
  accepts(more: string): boolean {
    for (let at = 0; at < more.length; ) {
      const skipped = Math.min(this.payloadLeft, more.length - at);
      this.payloadLeft -= skipped;
      const taken = more.slice(at + skipped, at + skipped + HEAD - this.head.length);
      at += skipped + taken.length;
      this.head += taken;
      if (this.head.length === HEAD && !this.endHead()) return false;
    }
    return true;
  }

  private endHead(): boolean {
    const head = Buffer.from(this.head, "latin1");
    this.head = "";
    this.payloadLeft = head.readUIntBE(0, 3);
    return (head.readUInt32BE(5) & 0x7fffffff) <= FIRST_STREAM;
  }
}

let loaded: Promise<Http2> | undefined;

/**
 * Loads `node:http2` at its first use. That takes tens of milliseconds, and so does the first call, so a first call without a
 * server is made, and not measured.
 */
export function loadHttp2(): Promise<Http2> {
  loaded ??= import("node:http2").then(rehearse);
  return loaded;
}

async function rehearse(http2: Http2): Promise<Http2> {
  const lifetime = new Lifetime();
  const connection = new RehearsedConnection();
  await call(http2, { headers: { ":method": "POST" }, message: new Uint8Array(1) }, { connection, lifetime });
  lifetime.close();
  return http2;
}

const frame = (type: number, flags: number, stream: number, ...payload: number[]) => [
  ...[0, 0, payload.length, type, flags, 0, 0, 0, stream],
  ...payload,
];

/** Empty settings; then, on stream 1, the status 200, a byte of data, and an empty `accept-charset`, by their numbers in HPACK. */
const ANSWER = [...frame(4, 0, 0), ...frame(1, 4, 1, 0x88), ...frame(0, 0, 1, 0), ...frame(1, 5, 1, 0x8f)];

/** A connection that answers the first request, whatever it is. */
class RehearsedConnection extends Connection {
  private isAnswered = false;

  constructor() {
    super("");
  }

  write(): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.receive(Buffer.from(ANSWER));
  }
}
