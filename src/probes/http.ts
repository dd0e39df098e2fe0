import { judgeAnswer, needsBody, needsHeaders, needsText } from "../domain/checks/expectations.ts";
import type { Observation, Sample } from "../domain/checks/observation.ts";
import type { Connection } from "./connections/connection.ts";
import { dial, dialTls } from "./connections/dial.ts";
import { isPrivateAddress } from "./connections/private-address.ts";
import { AnswerReader, readSample } from "./http/answer-reader.ts";
import { decodeBody, textOf } from "./http/content-coding.ts";
import { isRedirect, redirected } from "./http/redirect.ts";
import { firstRequest, type Request, requestText, targetOf } from "./http/request.ts";
import { readWhole } from "./http/whole-body.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen } from "./observe.ts";
import { HostError, ProbeError } from "./probe-error.ts";
import type { CheckConfig } from "./probe-thread.ts";
import { Lifetime, Turns } from "./turns.ts";

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
  connection.write(requestText(request, config));
  const isQuoted = () => isPlain(config);
  const onLarge = () => largeAnswers.take(context);
  const reader = new AnswerReader(connection, { hasBody: request.method !== "HEAD", isQuoted, onLarge });
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

/** @property durationMs to the end of all that was read for the expectations */
interface Judged {
  failure: string | null;
  durationMs: number;
}

function observationOf(
  { failure, durationMs }: Judged,
  { answered, config, start }: { answered: Answered; config: Config; start: number },
  sampled: Sampled | undefined,
): Seen {
  const { statusCode } = answered;
  const latencyMs = rounded(answered.at - start);
  if (failure !== null) throw new ProbeError("unexpected", failure, { statusCode, latencyMs, ...sampled });
  const within = config.expect?.within ?? Number.POSITIVE_INFINITY;
  if (durationMs <= within) return { outcome: "reached", latencyMs, detail: { statusCode }, ...sampled };
  const message = `the answer took ${Math.ceil(durationMs)} ms, expected at most ${within} ms`;
  const slowBy = rounded(durationMs - within);
  return { outcome: "reached", latencyMs, slowBy, detail: { statusCode, message }, ...sampled };
}

/** Judges the headers, and then the body. */
async function judgeRest(
  { statusCode, connection, reader }: Answered,
  { expect = {}, isSampled }: Config,
  context: ProbeContext,
): Promise<Judged> {
  const durationMs = () => performance.now() - context.start - context.waited;
  const head = await reader().head();
  const failure = judgeAnswer(expect, { statusCode, headers: head.headers });
  if (failure !== null || !needsBody(expect)) return { failure, durationMs: durationMs() };
  const isKept = needsText(expect) || isSampled === true;
  if (expect.complete) await readWhole(head, reader().arriving({ isKept }), context);
  if (!needsText(expect)) return { failure, durationMs: durationMs() };
  const sent = await reader().body();
  const arrivedAfter = durationMs();
  // The rest of a body that is longer than what is judged must not arrive while it is decoded.
  connection.close();
  const body = textOf(await decodeBody(head, sent, context));
  return { failure: judgeAnswer(expect, { statusCode, body }), durationMs: arrivedAfter };
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
