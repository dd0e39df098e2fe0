import type { Observation } from "../domain/checks/observation.ts";
import { statusWords as httpStatusWords } from "../domain/checks/status-phrases.ts";
import type { HttpEvidence } from "../domain/evidence/evidence.ts";
import { firstUrlOf } from "../domain/monitors/kinds/http-target.ts";
import type { Connection } from "./connections/connection.ts";
import { dial, dialTls } from "./connections/dial.ts";
import { type Answer, call, loadHttp2 } from "./grpc/call.ts";
import { healthRequest, readHealth } from "./grpc/health-messages.ts";
import { NOT_FOUND, OK, statusWords, UNIMPLEMENTED } from "./grpc/status-names.ts";
import { bodyEvidence, headEvidence } from "./http/http-evidence.ts";
import { targetOf } from "./http/request.ts";
import type { Headers } from "./http/response-parser.ts";
import { observe, type ProbeContext, type ProbeInput } from "./observe.ts";
import { ProbeError } from "./probe-error.ts";
import type { CheckConfig } from "./probe-thread.ts";

type Config = CheckConfig<"HTTP">;

const HTTP_OK = 200;

/** The name of HTTP/2 in ALPN. */
const HTTP2 = "h2";

/**
 * Asks a gRPC server for its health (`grpc.health.v1.Health/Check`). The latency is from the start, name resolution
 * included, to the end of the answer (behavior 20.60 to 20.65).
 */
export async function probeGrpc(config: Config, input: ProbeInput): Promise<Observation> {
  const http2 = await loadHttp2();
  return await observe(input, async (context) => {
    const connection = await open(config, context);
    const connected = performance.now();
    context.waitingFor = "answer";
    const message = healthRequest(config.service ?? "");
    const { lifetime } = context;
    const answer = await call(
      http2,
      { headers: headersOf(config, context), message },
      { connection, lifetime },
    );
    context.phases.firstByte = rounded(answer.firstByteAt - connected);
    const latencyMs = rounded(answer.endedAt - context.start);
    const failure = failureOf(answer, config);
    if (failure) {
      const { message, number, isForeign } = failure;
      const { address } = connection;
      context.readAnswer = async () => evidenceOf(answer, { config, context, address });
      throw new ProbeError("unexpected", message, { ...number, latencyMs, ...(isForeign && { isForeign }) });
    }
    return { outcome: "reached", latencyMs, detail: {} };
  });
}

async function open(config: Config, context: ProbeContext): Promise<Connection> {
  const { target, secure } = targetOf(new URL(firstUrlOf(config)));
  const { ipFamily: family, verifyTls: verify = true } = config;
  const dialed = { ...target, family };
  if (!secure) return await dial(dialed, context);
  const connection = await dialTls(dialed, context, { verify, alpn: HTTP2 });
  if (connection.agreedProtocol === HTTP2) return connection;
  throw new ProbeError("not_http", "the server does not offer HTTP/2 in its TLS handshake (ALPN h2)");
}

function headersOf(config: Config, { start, timeout }: ProbeContext): Record<string, string> {
  const { headers = {} } = config;
  const url = new URL(firstUrlOf(config));
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { host = url.host, ...others } = own;
  return {
    ":method": "POST",
    ":scheme": url.protocol.slice(0, -1),
    ":authority": host,
    ":path": "/grpc.health.v1.Health/Check",
    "user-agent": "stillup",
    ...others,
    te: "trailers",
    "content-type": "application/grpc",
    // The rest of the timeout, in milliseconds.
    "grpc-timeout": `${Math.max(1, Math.ceil(start + timeout - performance.now()))}m`,
  };
}

interface Failure {
  message: string;
  number: { statusCode?: number; code?: number };
  isForeign?: true;
}

/** Why an answer is not `SERVING`: null if it is. @property number of the refusal @property isForeign whether it is no gRPC */
function failureOf(
  { statusCode, isGrpc, isOrdered, grpcStatus, message }: Answer,
  { service }: Config,
): Failure | null {
  const isForeign = true;
  const otherStatus = { message: `${httpStatusWords(statusCode)}, expected gRPC`, number: { statusCode } };
  if (grpcStatus === undefined) {
    if (statusCode !== HTTP_OK) return otherStatus;
    return { message: "the answer has no gRPC status", number: { statusCode }, isForeign };
  }
  if (grpcStatus !== OK) return { message: refusal(grpcStatus), number: { code: grpcStatus } };
  if (Number.isNaN(statusCode) || !isOrdered)
    return { message: "the answer breaks the rules of HTTP/2", number: {}, isForeign };
  if (statusCode !== HTTP_OK) return otherStatus;
  if (!isGrpc)
    return {
      message: "the answer is no gRPC, but another type of content",
      number: { statusCode },
      isForeign,
    };
  const health = readHealth(message);
  if (health === "SERVING") return null;
  if (health === undefined)
    return { message: "the answer is no health of grpc.health.v1", number: {}, isForeign };
  const whose = service ? "the service" : "the server";
  return { message: `${whose} is ${health}, expected SERVING`, number: {} };
}

/** A message of gRPC is no text. */
function evidenceOf(
  { statusCode, headers, isGrpc, message }: Answer,
  evident: { config: Config; context: ProbeContext; address: string },
): HttpEvidence | null {
  if (Number.isNaN(statusCode)) return null;
  const sent = Object.entries(headers).flatMap(
    ([name, value]): Headers => (name.startsWith(":") ? [] : [value ?? []].flat().map((one) => [name, one])),
  );
  const isText = !isGrpc && message.length > 0;
  return {
    ...headEvidence({ statusCode, headers: sent }, evident.config),
    size: message.length,
    body: isText ? bodyEvidence(message.toString(), evident, false) : null,
  };
}

function refusal(status: number): string {
  const words = `gRPC status ${statusWords(status)}`;
  if (status === NOT_FOUND) return `the server does not know the service: ${words}`;
  if (status === UNIMPLEMENTED) return `the server has no health service: ${words}`;
  return `${words}, expected 0 OK`;
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
