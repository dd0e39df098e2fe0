import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plain,
} from "node:http";
import { type RequestOptions as SecureOptions, request as secure } from "node:https";
import type { LookupFunction } from "node:net";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { TIMEOUT, type Transport } from "./delivery-settings.ts";
import { describeFailure, timedOut, unanswered } from "./failure.ts";

/** These refusals pass; every other 4xx is final (decisions 3). */
const PASSING = new Set([408, 425, 429]);

/** What is read of an answer, in bytes. */
const LONGEST_ANSWER = 4096;

/** Interim responses (1xx) before the answer. Without a limit they keep the main thread busy until the timeout. */
const MOST_INTERIM = 10;

/**
 * Posts JSON and judges the answer. Redirects are not followed. What it says of a failure names neither the address,
 * which may be a secret, nor what the receiver wrote.
 *
 * @param refine knows what the receiver's text says beyond the status code; without it, the text is not read
 */
export async function post(
  url: string,
  message: Message,
  reach: Transport,
  refine?: (attempt: DeliveryAttempt, text: string) => DeliveryAttempt,
): Promise<DeliveryAttempt> {
  const { timeout = TIMEOUT } = reach;
  const signal = AbortSignal.timeout(timeout);
  const to = new URL(url);
  try {
    const addresses = await reach.resolve(to.hostname.replace(/^\[|\]$/g, ""), timeout);
    const { head, body, request } = await send(to, {
      ...message,
      addresses,
      ...(reach.ca && { ca: reach.ca }),
      signal,
    });
    const attempt = judge(head);
    const text = refine && body ? await readText(body).catch(() => "") : "";
    request.destroy();
    return refine ? refine(attempt, text) : attempt;
  } catch (error) {
    if (signal.aborted) return timedOut(timeout);
    return unanswered(describeFailure(error as NodeJS.ErrnoException, "the receiver"));
  }
}

interface Message {
  body: string;
  headers: Record<string, string>;
}

interface Head {
  statusCode?: number | undefined;
  headers: IncomingHttpHeaders;
}

/** @property body nothing for an interim response that the receiver left it at */
interface Sent {
  head: Head;
  body?: IncomingMessage;
  request: ClientRequest;
}

function send(
  to: URL,
  {
    body,
    headers,
    addresses,
    ca,
    signal,
  }: Message & { addresses: string[]; ca?: string; signal: AbortSignal },
): Promise<Sent> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Sent>();
  const options: SecureOptions = {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "user-agent": "stillup",
      ...headers,
    },
    agent: false,
    lookup: lookupOf(addresses),
    signal,
    ...(ca && { ca }),
  };
  const connect = to.protocol === "https:" ? secure : plain;
  const request: ClientRequest = connect(to, options, (answer) =>
    done({ head: answer, body: answer, request }),
  );
  let interim = 0;
  request.on("information", (head) => {
    if (++interim > MOST_INTERIM) done({ head, request });
  });
  // The request no longer owns the socket then: its destruction and the signal leave it open.
  request.on("upgrade", (head, socket) => {
    socket.destroy();
    done({ head, request });
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

/** Up to what a text that says something may have. */
async function readText(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer) {
    text += chunk;
    if (text.length > LONGEST_ANSWER) break;
  }
  return text.slice(0, LONGEST_ANSWER);
}

function judge({ statusCode = 0, headers }: Head): DeliveryAttempt {
  const answer = String(statusCode);
  if (statusCode >= 200 && statusCode < 300) return { outcome: "delivered", answer };
  const final = statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode);
  const retryAfterMs = parseRetryAfter(headers["retry-after"]);
  const error = `the receiver answered ${statusCode}`;
  return { outcome: "failed", error, final, answer, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** @param value seconds, or a date (RFC 9110, 10.2.3) */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Connects to the addresses that were judged, and to no others. */
function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  };
}
