import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { RequestOptions as SecureOptions } from "node:https";
import type { LookupFunction } from "node:net";
import type { Clock } from "../clock.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { OutgoingRequest } from "../domain/alerts/services/service.ts";
import { faultWords, handshakeWords, isCertificateFault } from "../domain/checks/certificate.ts";
import { AppError } from "../errors.ts";
import { ProbeError } from "../probes/probe-error.ts";

/** Temporary refusals. Every other 4xx is final (behavior 5.16). */
const TEMPORARY = new Set([408, 425, 429]);

/** Maximum bytes read of an answer. */
const MAX_ANSWER = 4096;

interface Message {
  body: string;
  headers: Record<string, string>;
}

export type Failed = DeliveryAttempt & { outcome: "failed" };

/** Judges the body of an answer too. */
export type Refine = (attempt: DeliveryAttempt, text: string) => DeliveryAttempt;

/** The answer of a receiver that refused a request. @property now time of the answer, milliseconds since 1970 */
export interface Refusal {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  now: number;
}

/**
 * Posts JSON and judges the answer, see `exchange`.
 *
 * @param refine without it, the body is not read
 */
export function post(
  url: string,
  { body, headers }: Message,
  transport: Transport,
  refine?: Refine,
): Promise<DeliveryAttempt> {
  const type = { "content-type": "application/json; charset=utf-8" };
  const request = { method: "POST", url, headers: { ...type, ...headers }, body } as const;
  return attemptOf(request, transport, async (attempt, answer) =>
    refine ? refine(attempt, await answer.text()) : attempt,
  );
}

/**
 * Makes a request and judges the answer. Redirects are not followed. The error of a failure contains neither the address,
 * which may be a secret, nor text of the receiver (behavior 5.19).
 *
 * @param refine judges a refusal by its text too
 */
export function exchange(
  request: SealedRequest,
  transport: Transport,
  refine: (attempt: Failed, refusal: Refusal) => DeliveryAttempt,
): Promise<DeliveryAttempt> {
  return attemptOf(request, transport, async (attempt, { head, text }) => {
    if (attempt.outcome === "delivered") return attempt;
    const { statusCode = 0, headers } = head;
    const now = transport.clock.now();
    return refine(attempt, { status: statusCode, headers, text: await text(), now });
  });
}

interface Answer {
  head: Head;
  text: () => Promise<string>;
}

async function attemptOf(
  { url, ...outgoing }: SealedRequest,
  transport: Transport,
  refine: (attempt: DeliveryAttempt, answer: Answer) => Promise<DeliveryAttempt>,
): Promise<DeliveryAttempt> {
  const { timeout = TIMEOUT } = transport;
  const signal = AbortSignal.timeout(timeout);
  try {
    const to = new URL(url);
    const addresses = await transport.resolve(to.hostname.replace(/^\[|\]$/g, ""), timeout);
    const { head, body, request } = await send(to, {
      ...outgoing,
      addresses,
      ...(transport.ca && { ca: transport.ca }),
      signal,
    });
    const text = async () => (body ? await readText(body).catch(() => "") : "");
    const attempt = await refine(judge(head, transport.clock.now()), { head, text });
    request.destroy();
    return attempt;
  } catch (error) {
    if (signal.aborted) return timedOut(timeout);
    if (error instanceof AppError) return { outcome: "failed", error: error.message, final: true };
    return unanswered(describeFailure(error as NodeJS.ErrnoException, "the receiver"));
  }
}

/** Reads the beginning of the answer, up to `MAX_ANSWER`. */
async function readText(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer) {
    text += chunk;
    if (text.length > MAX_ANSWER) break;
  }
  return text.slice(0, MAX_ANSWER);
}

function judge({ statusCode = 0, headers }: Head, now: number): DeliveryAttempt {
  const answer = String(statusCode);
  if (statusCode >= 200 && statusCode < 300) return { outcome: "delivered", answer };
  const final = statusCode >= 400 && statusCode < 500 && !TEMPORARY.has(statusCode);
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  const error = `the receiver answered ${statusCode}`;
  return { outcome: "failed", error, final, answer, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** The JSON object in an answer; an empty one for any other text. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * Interim responses (1xx) before the answer. Without a limit, they could keep the main thread busy until the timeout.
 */
const MAX_INTERIM = 10;

/** A request whose body may be encrypted. */
export type SealedRequest = Omit<OutgoingRequest, "body"> & { body?: string | Uint8Array };

/** The status line and the headers of an answer. */
export interface Head {
  statusCode?: number | undefined;
  headers: IncomingHttpHeaders;
}

/** @property body undefined if the receiver sent interim responses only */
interface Sent {
  head: Head;
  body?: IncomingMessage;
  request: ClientRequest;
}

/**
 * Makes a request on a connection of its own. Redirects are not followed.
 *
 * @param addresses of the host, to which alone it connects
 * @throws any error of the connection, and the reason of `signal`
 */
export async function send(
  to: URL,
  {
    method,
    body,
    headers,
    addresses,
    ca,
    signal,
  }: Omit<SealedRequest, "url"> & { addresses: string[]; ca?: string; signal: AbortSignal },
): Promise<Sent> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Sent>();
  const options: SecureOptions = {
    method,
    headers: {
      ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      "user-agent": "stillup",
      ...headers,
    },
    agent: false,
    lookup: lookupOf(addresses),
    signal,
    ...(ca && { ca }),
  };
  // Loaded at the first delivery, because it would delay each start.
  const { request: connect } = await (to.protocol === "https:" ? import("node:https") : import("node:http"));
  const request: ClientRequest = connect(to, options, (answer) =>
    done({ head: answer, body: answer, request }),
  );
  let interim = 0;
  request.on("information", (head) => {
    if (++interim > MAX_INTERIM) done({ head, request });
  });
  // After an upgrade the request no longer owns the socket: destroying or aborting the request leaves the socket open.
  request.on("upgrade", (head, socket) => {
    socket.destroy();
    done({ head, request });
  });
  request.on("error", reject);
  try {
    request.end(body);
  } catch (error) {
    // Headers that Node does not send. Otherwise the connection would stay open until the timeout, which nobody awaits then.
    request.destroy(error as Error);
    reject(error);
  }
  return promise;
}

/** @param value seconds, or a date (RFC 9110, 10.2.3) @returns milliseconds */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}

/** Makes a request connect only to the addresses that `resolve` allowed. */
function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  };
}

type Party = "the receiver" | "the mail server";

/** An attempt that ended without an answer. It is retried. */
export function unanswered(error: string): DeliveryAttempt {
  return { outcome: "failed", error, final: false };
}

/** @param timeout milliseconds */
export function timedOut(timeout: number): DeliveryAttempt {
  return unanswered(`no answer within ${timeout / 1000} s`);
}

/**
 * Why nothing was delivered, without the host of the receiver: readers of an outcome or a log may not know the
 * address of a channel (behavior 5.19). The message of a failed lookup contains the host, so it is replaced.
 */
export function describeFailure(error: NodeJS.ErrnoException, party: Party): string {
  if (error instanceof ProbeError) return describeLookup(error, party);
  return `${party} could not be reached: ${wordsOf(error)}`;
}

/** By the code of the system, of OpenSSL, or of the SMTP client. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ECONNABORTED: "the connection broke off",
  ECONNECTION: "the connection was closed",
  EPIPE: "the connection was closed",
  ESOCKET: "the connection broke off",
  ETIMEDOUT: "there was no answer in time",
  EHOSTUNREACH: "there is no route to its address",
  ENETUNREACH: "there is no route to its address",
  EHOSTDOWN: "there is no route to its address",
  EADDRNOTAVAIL: "this machine has no free port, or no address of that kind",
  EMFILE: "this machine has too many open files",
  ENFILE: "this machine has too many open files",
  EACCES: "this machine does not allow the connection",
  EPERM: "this machine does not allow the connection",
  EPROTO: "it does not speak TLS, or no version that both know",
  ETLS: "TLS could not be started",
  EAUTH: "it accepts no sign-in that is known here",
  EPROTOCOL: "it does not speak SMTP",
  EDNS: "its name has no address",
  EENVELOPE: "it refuses the sender or the receiver",
  EMESSAGE: "it refuses the message",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};

/** The codes of certificates by the words of OpenSSL, which are all that the SMTP client passes on. */
const certificateCodes: readonly [RegExp, string][] = [
  [/^self.signed certificate$/i, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  [/self.signed certificate in/i, "SELF_SIGNED_CERT_IN_CHAIN"],
  [/unable to (get|verify)/i, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  [/certificate has expired/i, "CERT_HAS_EXPIRED"],
  [/certificate is not yet valid/i, "CERT_NOT_YET_VALID"],
  [/does not match certificate/i, "ERR_TLS_CERT_ALTNAME_INVALID"],
];

const CLIENT_CODES: ReadonlySet<string> = new Set(["ESOCKET", "ECONNECTION", "ETLS"]);

/** The words for an error: codes of the runtime are for its developers. */
function wordsOf({ name, code, message }: NodeJS.ErrnoException): string {
  // An error without a code comes from this program, and its message contains no secret.
  if (code === undefined) return name === "Error" ? message : "the connection failed";
  const known = CLIENT_CODES.has(code) ? codeIn(message) : code;
  if (isCertificateFault(known)) return `the certificate is not valid: ${faultWords(known)}`;
  if (/^ERR_(SSL|OSSL)_/.test(known)) return handshakeWords(known);
  if (known.startsWith("HPE_")) return "it does not speak HTTP";
  if (/^ERR_(HTTP|INVALID)/.test(known)) return "the request can't be sent";
  return reasons[known] ?? reasons[code] ?? "the connection failed";
}

/** The SMTP client replaces a code, which may still be in the message, such as `connect ECONNREFUSED`. */
function codeIn(message: string): string {
  const certificate = certificateCodes.find(([pattern]) => pattern.test(message))?.[1];
  const [, own = ""] = /\b(E[A-Z]{3,})\b/.exec(message) ?? [];
  return certificate ?? own;
}

function describeLookup({ reason, message }: ProbeError, party: Party): string {
  if (reason === "dns_not_found") return `${party} has no address in the DNS`;
  if (reason === "dns_unreachable") return `${party} could not be reached: ${message}`;
  if (reason === "private_target")
    return `${party} is at a private address, and this server does not connect to those (--private-targets deny)`;
  const [fault = ""] = / \([a-z_]+\)$/.exec(message) ?? [];
  return `the DNS gave no answer for ${party}${fault}`;
}

/** Milliseconds for one attempt (behavior 5.14). */
export const TIMEOUT = 10_000;

/** How to connect to receivers. */
export interface Transport {
  clock: Clock;
  /** Finds the allowed addresses of a host. @param timeout milliseconds @throws AppError if this server sends nothing */
  resolve: (host: string, timeout: number) => string[] | Promise<string[]>;
  /** The trusted certificate authorities, in PEM. Default: the authorities of the system. */
  ca?: string;
  /** Milliseconds for one attempt. Default: `TIMEOUT`. */
  timeout?: number;
}

/** The mail server of the operator. @property url may contain a password */
export interface SmtpConfig {
  url: URL;
  from: string;
}

/** The settings of the operator for alerts. */
export interface DeliverySettings extends Transport {
  /** The URL of this server for users, without a trailing slash. It is known only after the server listens. */
  baseUrl: () => string;
  smtp?: SmtpConfig | undefined;
  /** Writes the header `Authorization` of a request to a push service (RFC 8292). */
  authorizePush?: (endpoint: string) => Promise<string>;
  /** The link that acknowledges an outage in the name of a channel; absent if messages have none (behavior 23.50). @param now ms since 1970 */
  acknowledgeUrl?: ((notified: { outageId: string; channelId: string }, now: number) => string) | undefined;
  /** Like `resolve`, for a host from the settings of the operator: private addresses are allowed (behavior 1.22). */
  resolveOwn?: Transport["resolve"];
}
