import { judgeAnswer, needsBody, needsHeaders, needsText } from "../domain/checks/expectations.ts";
import type { Observation, Sample } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import type { Connection } from "./connections/connection.ts";
import { dial, dialTls, type Target } from "./connections/dial.ts";
import { isPrivateAddress } from "./connections/network.ts";
import { AnswerReader, readSample } from "./http/answer-reader.ts";
import { decodeBody, textOf } from "./http/content-coding.ts";
import { readHttpEvidence } from "./http/http-evidence.ts";
import type { Head } from "./http/response-parser.ts";
import { readWhole } from "./http/whole-body.ts";
import { Lifetime } from "./lifetime.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen } from "./observe.ts";
import { HostError, ProbeError } from "./probe-error.ts";
import type { CheckConfig } from "./probe-thread.ts";
import { Turns } from "./turns.ts";

type Config = CheckConfig<"HTTP">;

/** The checks that read a large answer: each holds up to some MiB. */
const largeAnswers = new Turns(16);

/** The answer to one request, of which only the status line was read. */
interface Answered {
  statusCode: number;
  /** When the status line was read, in milliseconds of `performance.now()`. */
  at: number;
  connection: Connection;
  /** Reads the rest. The message of a timeout names the body from then on. */
  reader: () => AnswerReader;
}

/**
 * Sends the request of a config on a new connection, follows redirects and judges the final answer (behavior 1.25 to 1.30,
 * 10). The latency is from the start of the first connection, name resolution included, to the status line of the final
 * answer. Of that answer, only what an expectation needs is read.
 */
export function probeHttp(config: Config, input: ProbeInput): Promise<Observation> {
  return observe(input, async (context) => {
    const { redirects = 0 } = config;
    const answered =
      redirects === 0
        ? await send(firstRequest(config), config, context)
        : await follow(config, redirects, context);
    return judge(answered, config, context);
  });
}

/** @throws ProbeError `too_many_redirects`, `bad_redirect` */
async function follow(config: Config, most: number, context: ProbeContext): Promise<Answered> {
  const { lifetime } = context;
  let request = firstRequest(config);
  for (let followed = 0; ; followed++) {
    lifetime.assertOngoing();
    context.isRedirected = followed > 0;
    // Each connection is closed before the next one opens.
    const hop = new Lifetime();
    lifetime.add(hop);
    context.lifetime = hop;
    try {
      const answered = await send(request, config, context);
      if (!isRedirect(answered.statusCode)) return answered;
      request = redirected(request, await answered.reader().head());
      if (followed === most) throw tooManyRedirects(most, answered);
    } catch (error) {
      // A redirect names its host, and no text of a server may appear in a result.
      throw followed > 0 && error instanceof HostError ? error.about("the host of a redirect") : error;
    }
    hop.close();
  }
}

async function send(request: Request, config: Config, context: ProbeContext): Promise<Answered> {
  const { target, secure } = targetOf(request.url);
  const { ipFamily: family, redirects = 0, verifyTls: verify = true } = config;
  const dialed = { ...target, family, isOneOfSeveral: redirects > 0 };
  const connection = secure ? await dialTls(dialed, context, { verify }) : await dial(dialed, context);
  const connected = performance.now();
  context.waitingFor = "answer";
  context.conversation = connection;
  connection.write(requestText(request, config));
  const isQuoted = () => isPlain(config);
  const onLarge = () => largeAnswers.take(context);
  const reader = new AnswerReader(connection, { hasBody: request.method !== "HEAD", isQuoted, onLarge });
  // A check that is not recorded needs no evidence, and its sample may still be read.
  if (!config.isSampled) {
    const { address } = connection;
    context.readAnswer = (patience) => readHttpEvidence(reader, { config, context, address, patience });
  }
  const statusCode = await reader.statusCode();
  const at = performance.now();
  context.phases.firstByte = rounded(at - connected);
  const readerOfRest = () => {
    context.waitingFor = "end of the body";
    return reader;
  };
  return { statusCode, at, connection, reader: readerOfRest };
}

const PLAIN = new Set(["url", "interval", "protocol", "timeout", "expiryWarning", "everyAddress"]);

/** Whether a config asks for nothing that an answer could repeat, so that a message may quote the answer. */
function isPlain(config: Config): boolean {
  return Object.keys(config).every((field) => PLAIN.has(field));
}

/** @throws ProbeError `unexpected` if the answer fails an expectation, `bad_body` if the body can't be read */
async function judge(answered: Answered, config: Config, context: ProbeContext): Promise<Seen> {
  const { start } = context;
  const { expect, isSampled } = config;
  const failure = expect ? judgeAnswer(expect, { statusCode: answered.statusCode }) : null;
  const needsRest = failure === null && expect && (needsHeaders(expect) || needsBody(expect));
  let judged: Judged = { failure, durationMs: answered.at - start };
  if (needsRest) {
    judged = await judgeRest(answered, config, context).catch(async (error) => {
      throw await withAnswer(error, answered, config, context);
    });
  }
  const sampled = isSampled ? await sampleOf(answered, config, context) : undefined;
  return observationOf(judged, { answered, config, start }, sampled);
}

/** @property durationMs to the end of all that was read for the expectations @property size of a body that was read */
interface Judged {
  failure: string | null;
  durationMs: number;
  size?: number | null;
}

function observationOf(
  { failure, durationMs, size = null }: Judged,
  { answered, config, start }: { answered: Answered; config: Config; start: number },
  sampled: Sampled | undefined,
): Seen {
  const { statusCode } = answered;
  const latencyMs = rounded(answered.at - start);
  if (failure !== null) throw new ProbeError("unexpected", failure, { statusCode, latencyMs, ...sampled });
  const within = config.expect?.within ?? Number.POSITIVE_INFINITY;
  const more = size === null ? sampled : { size, ...sampled };
  if (durationMs <= within) return { outcome: "reached", latencyMs, detail: { statusCode }, ...more };
  const message = `the answer took ${Math.ceil(durationMs)} ms, expected at most ${within} ms`;
  const slowBy = rounded(durationMs - within);
  return { outcome: "reached", latencyMs, slowBy, detail: { statusCode, message }, ...more };
}

/** Judges the headers, and then the body. */
async function judgeRest(
  { statusCode, at, connection, reader }: Answered,
  { expect = {}, isSampled }: Config,
  context: ProbeContext,
): Promise<Judged> {
  const durationMs = () => performance.now() - context.start - context.waited;
  const head = await reader().head();
  const failure = judgeAnswer(expect, { statusCode, headers: head.headers });
  if (failure !== null) context.waitingFor = "answer";
  if (failure !== null || !needsBody(expect)) return { failure, durationMs: durationMs() };
  const firstByteAfter = at - context.start;
  const read = () => {
    const arrivedAfter = durationMs();
    context.phases.body = rounded(Math.max(0, arrivedAfter - firstByteAfter));
    return { durationMs: arrivedAfter, size: reader().size() };
  };
  const isKept = needsText(expect) || isSampled === true;
  if (expect.complete) await readWhole(head, reader().arriving({ isKept }), context);
  if (!needsText(expect)) return { failure, ...read() };
  const sent = await reader().body();
  const arrived = read();
  // The rest of a body that is longer than what is judged must not arrive while it is decoded.
  connection.close();
  const body = textOf(await decodeBody(head, sent, context));
  return { failure: judgeAnswer(expect, { statusCode, body }), ...arrived };
}

/** Shows the status of an answer whose body could not be read. */
async function withAnswer(
  error: unknown,
  answered: Answered,
  config: Config,
  context: ProbeContext,
): Promise<unknown> {
  if (!(error instanceof ProbeError)) return error;
  const sampled = config.isSampled ? await sampleOf(answered, config, context) : undefined;
  return new ProbeError(error.reason, error.message, { statusCode: answered.statusCode, ...sampled });
}

/** Without a sample if the headers have not arrived. */
type Sampled = { sample?: Sample };

async function sampleOf(
  { reader, connection: { address } }: Answered,
  config: Config,
  context: ProbeContext,
): Promise<Sampled> {
  const sample = await readSample(reader(), { config, context, isPrivate: isPrivateAddress(address) });
  return sample ? { sample } : {};
}

function tooManyRedirects(most: number, { statusCode }: Answered): ProbeError {
  const times = most === 1 ? "once" : `${most} times`;
  return new ProbeError("too_many_redirects", `the server redirects more than ${times}`, { statusCode });
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** One request of a check. */
interface Request {
  url: URL;
  method: string;
  /** Whether the body of the config is still sent: a redirect may drop it. */
  hasBody: boolean;
}

export type HttpConfig = MonitorConfig<"HTTP">;

/** The first request of a check (behavior 10.1 to 10.6). */
function firstRequest({ url, method = "GET", body }: HttpConfig): Request {
  return { url: new URL(url), method, hasBody: body !== undefined };
}

/**
 * The text of a request. The headers, the credentials and the body of the config are only sent to the origin of its
 * URL.
 */
function requestText({ url, method, hasBody }: Request, config: HttpConfig): string {
  if (method === "GET" && !hasSecrets(config)) return plainText(url);
  const isTrusted = !hasSecrets(config) || url.origin === new URL(config.url).origin;
  const body = isTrusted && hasBody ? config.body : undefined;
  const own = isTrusted ? ownHeaders(config, body) : [];
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`];
  const add = (name: string, value: string) => {
    if (!own.some(([other]) => other.toLowerCase() === name.toLowerCase())) lines.push(`${name}: ${value}`);
  };
  add("Host", url.host);
  add("User-Agent", "stillup");
  add("Accept", "*/*");
  if (isTrusted && config.basicAuth) lines.push(`Authorization: ${basic(config.basicAuth)}`);
  if (body !== undefined && isJson(body)) add("Content-Type", "application/json");
  for (const [name, value] of own) lines.push(`${name}: ${value}`);
  if (body !== undefined || ["POST", "PUT", "PATCH"].includes(method)) {
    lines.push(`Content-Length: ${Buffer.byteLength(body ?? "")}`);
  }
  lines.push("Connection: close");
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** The usual request, without the work of composing it. */
function plainText({ pathname, search, host }: URL): string {
  return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: stillup\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
}

function hasSecrets({ headers, basicAuth, body }: HttpConfig): boolean {
  return headers !== undefined || basicAuth !== undefined || body !== undefined;
}

/** The headers of the config. If a redirect has dropped its body, the type of that body is dropped too. */
function ownHeaders(config: HttpConfig, body: string | undefined): [name: string, value: string][] {
  const headers = Object.entries(config.headers ?? {});
  if (config.body === undefined || body !== undefined) return headers;
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}

/** @param url of `http:` or `https:` */
export function targetOf(url: URL): { target: Target; secure: boolean } {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { target: { host, port: url.port === "" ? (secure ? 443 : 80) : Number(url.port) }, secure };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value of the header `Authorization`. */
export function basic({ user, password }: NonNullable<HttpConfig["basicAuth"]>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

function isRedirect(statusCode: number): boolean {
  return FOLLOWED.has(statusCode);
}

/**
 * The request that a redirect leads to (RFC 9110, 15.4).
 *
 * @throws ProbeError `bad_redirect`; its message has no text of the server
 */
function redirected({ url, method, hasBody }: Request, { statusCode, headers }: Head): Request {
  const locations = headers.filter(([name]) => name.toLowerCase() === "location");
  const [location, ...others] = new Set(locations.map(([, value]) => value));
  if (!location) throw badRedirect("has no Location", statusCode);
  if (others.length > 0) throw badRedirect("has two Locations", statusCode);
  // A header has one character for each byte, and servers write UTF-8.
  const next = URL.parse(Buffer.from(location, "latin1").toString(), url.href);
  if (!next) throw badRedirect("has a Location that is not a URL", statusCode);
  if (!/^https?:$/.test(next.protocol)) {
    throw badRedirect("leads to a URL that is neither http nor https", statusCode);
  }
  if (next.port === "0") throw badRedirect("leads to port 0", statusCode);
  return isGetNow(method, statusCode)
    ? { url: next, method: "GET", hasBody: false }
    : { url: next, method, hasBody };
}

function isGetNow(method: string, statusCode: number): boolean {
  return statusCode === 303 ? method !== "HEAD" : method === "POST" && statusCode < 303;
}

function badRedirect(what: string, statusCode: number): ProbeError {
  return new ProbeError("bad_redirect", `the redirect ${what}`, { statusCode });
}
