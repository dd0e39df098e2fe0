import type { IncomingMessage } from "node:http";
import { type Head, send } from "../../alerts/http-request.ts";
import { isRdapUrl } from "../../domain/registration/rdap-servers.ts";

/** Bytes of an answer: registries send some kilobytes, and the list of IANA has 50. */
const MAX_ANSWER = 1024 * 1024;

const MAX_REDIRECTS = 5;

export interface RdapResponse {
  status: number;
  headers: Head["headers"];
  /** Empty unless the status is 200. */
  text: string;
}

/** A server answers with something that is not to be followed or read. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

/** @property resolve finds the allowed addresses of a host @property signal ends the request, with all its redirects */
export interface RequestOptions {
  resolve: (host: string, timeout: number) => string[] | Promise<string[]>;
  /** Milliseconds. */
  timeout: number;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Gets a URL and follows at most 5 redirects (behavior 20.74). Each hop is HTTPS, or HTTP on this machine, and goes only to
 * addresses that `resolve` allows.
 *
 * @throws BadAnswer; any other error means that there was no answer
 */
export async function getRdap(url: string, options: RequestOptions): Promise<RdapResponse> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]);
  let to = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { head, text, location } = await getOnce(to, { ...options, signal });
    if (location === undefined) return { status: head.statusCode ?? 0, headers: head.headers, text };
    const next = URL.parse(location, to)?.href ?? "";
    if (!isRdapUrl(next)) throw new BadAnswer("a redirect leads to no URL that is allowed");
    to = next;
  }
  throw new BadAnswer(`there are more than ${MAX_REDIRECTS} redirects`);
}

async function getOnce(
  url: string,
  { resolve, timeout, headers, signal }: RequestOptions,
): Promise<{ head: Head; text: string; location?: string }> {
  const to = new URL(url);
  const addresses = await resolve(to.hostname.replace(/^\[|\]$/g, ""), timeout);
  const all = {
    accept: "application/rdap+json, application/json;q=0.9, */*;q=0.1",
    "accept-encoding": "identity",
  };
  const sent = await send(to, { method: "GET", headers: { ...all, ...headers }, addresses, signal });
  const { head, body, request } = sent;
  try {
    const { location } = head.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(head.statusCode ?? 0);
    if (isRedirect && location !== undefined) return { head, text: "", location };
    return { head, text: head.statusCode === 200 && body ? await textOf(body, signal) : "" };
  } finally {
    request.destroy();
  }
}

async function textOf(body: IncomingMessage, signal: AbortSignal): Promise<string> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {});
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([readAll(body), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function readAll(body: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new BadAnswer(`the answer is longer than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
