import type { SeenContent } from "../../domain/checks/content-memory.ts";
import { watchOf } from "../../domain/checks/content-memory.ts";
import type { Expectations } from "../../domain/checks/expectation-rules.ts";
import {
  type AnswerBody,
  judgeAnswer,
  needsBody,
  needsHeaders,
  needsText,
} from "../../domain/checks/expectations.ts";
import type { Sample } from "../../domain/checks/observation.ts";
import { isPrivateAddress } from "../connections/network.ts";
import type { ProbeContext, Seen } from "../observe.ts";
import { ProbeError } from "../probe-error.ts";
import { readSample } from "./answer-reader.ts";
import { textOf } from "./character-set.ts";
import { type Body, decodeBody } from "./content-coding.ts";
import { type Answered, rounded } from "./exchange.ts";
import { namesOf } from "./http-evidence.ts";
import type { Head } from "./response-parser.ts";
import type { Taking } from "./taken-texts.ts";
import { readWhole } from "./whole-body.ts";

/**
 * Judges an answer by the expectations of its config.
 *
 * @param wantsText whether the body is read and decoded also if no expectation needs it
 * @throws ProbeError `unexpected` if the answer fails an expectation, `bad_body` if the body can't be read
 */
export async function judge(answered: Answered, context: ProbeContext, wantsText = false): Promise<Seen> {
  const { begunAt: start } = context;
  const { expect, isSampled } = answered.config;
  const failure = expect ? judgeAnswer(expect, { statusCode: answered.statusCode }) : null;
  const needsRest = wantsText || (expect && (needsHeaders(expect) || needsBody(expect)));
  let judged: Judged = { failure: remarked(failure, answered), durationMs: answered.at - start };
  if (failure === null && needsRest) {
    judged = await judgeRest(answered, context, wantsText).catch(async (error) => {
      throw await withAnswer(error, answered, context);
    });
  }
  const sampled = isSampled ? await sampleOf(answered, context) : undefined;
  return observationOf(judged, { answered, start }, sampled);
}

function remarked(failure: string | null, { remark }: Answered): string | null {
  return failure === null || remark === undefined ? failure : `${failure}; ${remark}`;
}

/** @property durationMs to the end of all that was read for the expectations @property size of a body that was read @property headerNames if the headers were read @property content what the config watches */
interface Judged {
  failure: string | null;
  durationMs: number;
  size?: number | null;
  headerNames?: string[] | undefined;
  content?: SeenContent;
}

function observationOf(
  { failure, durationMs, size = null, headerNames, content }: Judged,
  { answered, start }: { answered: Answered; start: number },
  sampled: Sampled | undefined,
): Seen {
  const { statusCode, config, remark } = answered;
  const latencyMs = rounded(answered.at - start);
  if (failure !== null) throw new ProbeError("unexpected", failure, { statusCode, latencyMs, ...sampled });
  const within = config.expect?.within ?? Number.POSITIVE_INFINITY;
  const read = { ...(size !== null && { size }), ...(headerNames && { headerNames }) };
  const more = { ...read, ...(content && { contents: [content] }), ...sampled };
  const detail = { statusCode, ...(remark && { message: remark }) };
  if (durationMs <= within) return { outcome: "reached", latencyMs, detail, ...more };
  const message = `the answer took ${Math.ceil(durationMs)} ms, expected at most ${within} ms`;
  const slowBy = rounded(durationMs - within);
  return { outcome: "reached", latencyMs, slowBy, detail: { statusCode, message }, ...more };
}

/** Judges the headers, and then the body. */
async function judgeRest(answered: Answered, context: ProbeContext, wantsText: boolean): Promise<Judged> {
  const { config, statusCode, at, connection, reader } = answered;
  const { expect = {}, isSampled } = config;
  const isTextNeeded = wantsText || needsText(expect);
  const durationMs = () => performance.now() - context.begunAt - context.waited;
  const head = await reader().head();
  const failure = judgeAnswer(expect, { statusCode, headers: head.headers });
  if (failure !== null) context.waitingFor = "answer";
  if (failure !== null) return { failure, durationMs: durationMs() };
  const headerNames = namesOfGood(head, config);
  if (!(wantsText || needsBody(expect)))
    return { failure, durationMs: durationMs(), headerNames, ...(await contentOf(expect, head)) };
  const firstByteAfter = at - context.begunAt;
  const read = () => {
    const arrivedAfter = durationMs();
    context.phases.body = rounded(Math.max(0, arrivedAfter - firstByteAfter));
    return { durationMs: arrivedAfter, size: reader().size(), headerNames };
  };
  const isKept = isTextNeeded || isSampled === true;
  if (expect.complete) await readWhole(head, reader().arriving({ isKept }), context);
  if (!isTextNeeded) return { failure, ...read(), ...(await contentOf(expect, head)) };
  const sent = await reader().body();
  const arrived = read();
  // The rest of a body that is longer than what is judged must not arrive while it is decoded.
  connection.close();
  const decoded = await decodeBody(head, sent, context);
  const body = textOf(head, decoded);
  answered.body = body;
  const failed = judgeAnswer(expect, { statusCode, body }) ?? (await judgePatterns(expect, body, context));
  return { failure: failed, ...arrived, ...(failed === null && (await contentOf(expect, head, decoded))) };
}

/** For the evidence of a later failure. What a step will take of the answer, such as a token, is no name that may be shown. */
function namesOfGood({ headers }: Head, config: Answered["config"] & Taking): string[] | undefined {
  return config.takes || config.isSampled ? undefined : namesOf(headers, config);
}

/** Patterns are judged last, because they take the most time. The library is loaded at the first use. */
async function judgePatterns(
  { matches }: Expectations,
  body: AnswerBody,
  context: ProbeContext,
): Promise<string | null> {
  if (matches === undefined) return null;
  const { firstUnmatched } = await import("./patterns.ts");
  const pattern = await firstUnmatched([matches].flat(), body.text(), context);
  return pattern === undefined ? null : `the body does not match "${pattern}"`;
}

/** The content that the config watches, of an answer that meets its expectations. */
async function contentOf({ same }: Expectations, head: Head, body?: Body): Promise<Pick<Judged, "content">> {
  if (same === undefined) return {};
  const { watchedValue } = await import("./watched-value.ts");
  return { content: await watchedValue(watchOf(same).of, head, body) };
}

/** Shows the status of an answer whose body could not be read. */
async function withAnswer(error: unknown, answered: Answered, context: ProbeContext): Promise<unknown> {
  if (!(error instanceof ProbeError)) return error;
  const sampled = answered.config.isSampled ? await sampleOf(answered, context) : undefined;
  return new ProbeError(error.reason, error.message, { statusCode: answered.statusCode, ...sampled });
}

/** Without a sample if the headers have not arrived. */
type Sampled = { sample?: Sample };

async function sampleOf(
  { config, reader, connection: { address } }: Answered,
  context: ProbeContext,
): Promise<Sampled> {
  const sample = await readSample(reader(), { config, context, isPrivate: isPrivateAddress(address) });
  return sample ? { sample } : {};
}
