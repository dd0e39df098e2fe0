import { parseRetryAfter } from "../../alerts/http-request.ts";
import type { LookUp } from "../../domain/registration/look-up.ts";
import { readRdapAnswer } from "../../domain/registration/rdap-answer.ts";
import { BadAnswer, getRdap, type RdapResponse, type RequestOptions } from "./rdap-request.ts";

/**
 * Asks the server of a registry about a domain (RFC 9082, 3.1.3). Never throws.
 *
 * @param server ends with a slash
 * @param now time of the answer, in milliseconds since 1970
 */
export async function askRegistry(
  server: string,
  domain: string,
  { now, ...options }: RequestOptions & { now: () => number },
): Promise<LookUp> {
  try {
    return meaningOf(await getRdap(`${server}domain/${domain}`, options), domain, now());
  } catch (error) {
    const message = (error as Error).message;
    return { outcome: error instanceof BadAnswer ? "refused" : "unanswered", message };
  }
}

function meaningOf({ status, headers, text }: RdapResponse, domain: string, now: number): LookUp {
  if (status === 200) return readRdapAnswer(text, domain);
  if (status === 404) return { outcome: "not_found" };
  const retryAfter = parseRetryAfter(headers["retry-after"], now);
  return {
    outcome: "refused",
    message: `it answered ${status}`,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
