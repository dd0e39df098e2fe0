import { statusWords } from "../../domain/checks/status-phrases.ts";
import { clientCredentials } from "../../domain/monitors/kinds/http-target.ts";
import type { Network } from "../connections/network.ts";
import { AnswerReader } from "../http/answer-reader.ts";
import { decodeBody } from "../http/content-coding.ts";
import { openTo, requestOn, statusOn } from "../http/open.ts";
import type { HttpConfig } from "../http/request.ts";
import { observe, type ProbeContext } from "../observe.ts";
import { AccessError, ProbeError } from "../probe-error.ts";

export type OAuthConfig = HttpConfig & { oauth2: NonNullable<HttpConfig["oauth2"]> };

/** A token. @property seconds how long it is valid; undefined if the server does not say */
export interface Issued {
  token: string;
  seconds: number | undefined;
}

/**
 * Requests a token with the credentials of a client (RFC 6749, 4.4), as the monitor connects: with its proxy, TLS verification and version of IP.
 *
 * @param timeout milliseconds
 * @throws AccessError `token_failed`, whose message has no text of the server; any other error is a fault of this machine or of the proxy
 */
export async function requestToken(config: OAuthConfig, network: Network, timeout: number): Promise<Issued> {
  let issued: Issued | undefined;
  let fault: unknown;
  const seen = await observe({ timeout, network }, async (context) => {
    try {
      issued = await exchange(config, context);
    } catch (error) {
      fault = context.shortage ?? error;
      throw error;
    }
    return { outcome: "reached", latencyMs: 0, detail: {} };
  });
  if (issued) return issued;
  if (seen.outcome !== "failed") throw fault ?? new Error("the request of a token was cancelled");
  const { host } = new URL(config.oauth2.tokenUrl);
  throw new AccessError("token_failed", `no token from ${host}: ${seen.detail.message}`);
}

async function exchange(config: OAuthConfig, context: ProbeContext): Promise<Issued> {
  const url = new URL(config.oauth2.tokenUrl);
  const connection = await openTo(url, config, context);
  context.waitingFor = "answer";
  connection.write(await requestOn(url, config, requestText(config.oauth2)));
  const reader = new AnswerReader(connection, { hasBody: true, isQuoted: () => false });
  await statusOn(url, { ...config, expect: {} }, reader);
  const head = await reader.head();
  context.waitingFor = "end of the body";
  const { bytes } = await decodeBody(head, await reader.body(), context);
  const answer = answerIn(bytes);
  if (head.statusCode !== 200) throw refusal(head.statusCode, answer);
  return issuedIn(answer);
}

function requestText(oauth2: OAuthConfig["oauth2"]): string {
  const { pathname, search, host } = new URL(oauth2.tokenUrl);
  const { scope, audience } = oauth2;
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scope !== undefined) form.set("scope", scope);
  if (audience !== undefined) form.set("audience", audience);
  const body = form.toString();
  const head = [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    "User-Agent: stillup",
    "Accept: application/json",
    `Authorization: Basic ${Buffer.from(clientCredentials(oauth2)).toString("base64")}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

type Answer = Record<string, unknown> | undefined;

/** @returns undefined if it is no JSON object */
function answerIn(bytes: Uint8Array): Answer {
  try {
    const answer: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
    return isObject ? (answer as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The errors of RFC 6749, 5.2. Any other text of a server is not shown. */
const ERRORS = new Set<unknown>([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
]);

function refusal(statusCode: number, answer: Answer): ProbeError {
  const why = ERRORS.has(answer?.error) ? ` (${answer?.error})` : "";
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return fault(
    `it answered ${statusWords(statusCode)}${why}${isRedirect ? ", and no redirect is followed" : ""}`,
  );
}

/** Visible ASCII, as a header can have it (RFC 6749, A.12). */
const TOKEN = /^[!-~]{1,16384}$/;

/** @throws ProbeError `unexpected` */
function issuedIn(answer: Answer): Issued {
  if (!answer) throw fault("its answer is no JSON object");
  const { access_token: token, token_type: type = "Bearer", expires_in: seconds } = answer;
  if (token === undefined) throw fault("its answer has no access_token");
  if (typeof token !== "string" || !TOKEN.test(token))
    throw fault("its access_token is not a text of 1 to 16,384 visible ASCII characters");
  if (typeof type !== "string" || type.toLowerCase() !== "bearer")
    throw fault("its token_type is other than Bearer");
  return { token, seconds: secondsIn(seconds) };
}

/** Some servers send the number as a text. */
function secondsIn(value: unknown): number | undefined {
  const isDigits = typeof value === "string" && /^\d{1,15}$/.test(value);
  return typeof value === "number" || isDigits ? Number(value) : undefined;
}

function fault(message: string): ProbeError {
  return new ProbeError("unexpected", message);
}
