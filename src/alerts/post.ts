import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { TIMEOUT, type Transport } from "./delivery-settings.ts";
import { describeFailure, timedOut, unanswered } from "./failure.ts";
import { type Head, parseRetryAfter, type SealedRequest, send } from "./http-request.ts";

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
