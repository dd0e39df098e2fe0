import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import type { Connection } from "../connections/connection.ts";
import type { Lifetime } from "../lifetime.ts";
import { asProbeError, ProbeError } from "../probe-error.ts";
import { ConnectionStream, notHttp2 } from "./connection-stream.ts";

export type Http2 = typeof import("node:http2");

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
  private isGrpc = true;
  private isOrdered = true;
  private grpcStatus: number | undefined;
  private firstByteAt = 0;
  private endedAt = 0;

  start(headers: IncomingHttpHeaders & { ":status"?: number | undefined }): void {
    this.firstByteAt = performance.now();
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
    const { statusCode, isGrpc, isOrdered, grpcStatus, firstByteAt, endedAt } = this;
    if (endedAt === 0 && !(isWhole && statusCode > 0)) return undefined;
    const message = Buffer.concat(this.parts);
    const times = { firstByteAt, endedAt: endedAt || performance.now() };
    return { statusCode, isGrpc, isOrdered, grpcStatus, message, ...times };
  }
}
