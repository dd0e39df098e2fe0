import { type ClientRequest, type IncomingMessage, request as plain, type RequestOptions } from "node:http";
import { request as secure } from "node:https";
import type { LookupFunction } from "node:net";
import type { Attempt } from "../domain/delivery.ts";
import type { Network } from "../probes/network.ts";

/** Milliseconds for one attempt (decisions 3). */
const TIMEOUT = 10_000;

/** These refusals pass; every other 4xx is final (decisions 3). */
const PASSING = new Set([408, 425, 429]);

/**
 * Posts JSON and judges the answer. Redirects are not followed. What it says of a failure names neither the address,
 * which may be a secret, nor what the receiver wrote.
 */
export async function post(
  url: string,
  message: { body: string; headers: Record<string, string> },
  network: Network,
): Promise<Attempt> {
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
    const addresses = await network.addressesOf(host, TIMEOUT);
    return judge(await send(url, message, { addresses, signal }));
  } catch (error) {
    return { outcome: "failed", error: describe(error as NodeJS.ErrnoException), final: false };
  }
}

function send(
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  { addresses, signal }: { addresses: string[]; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options: RequestOptions = {
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
  };
  const request: ClientRequest = (url.startsWith("https:") ? secure : plain)(url, options, resolve);
  request.once("error", reject);
  request.end(body);
  return promise.finally(() => request.destroy());
}

function judge({ statusCode = 0, headers }: IncomingMessage): Attempt {
  if (statusCode >= 200 && statusCode < 300) return { outcome: "delivered" };
  const final = statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode);
  const retryAfterMs = parseRetryAfter(headers["retry-after"]);
  const error = `the receiver answered ${statusCode}`;
  return { outcome: "failed", error, final, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** @param value seconds, or a date (RFC 9110, 10.2.3) */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function describe({ name, code, message }: NodeJS.ErrnoException): string {
  if (name === "AbortError" || name === "TimeoutError") return `no answer within ${TIMEOUT / 1000} s`;
  if (name === "ProbeError") return message;
  // Without a code it is an error of ours, whose words have no secret in them.
  return `the receiver could not be reached: ${code ?? (name === "Error" ? message : name)}`;
}

/** Connects to these addresses and no others: they are what was judged. */
function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  };
}
