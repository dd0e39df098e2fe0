import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { faultWords, isCertificateFault } from "../domain/checks/certificate.ts";
import { handshakeWords } from "../domain/checks/handshake-words.ts";
import { ProbeError } from "../probes/probe-error.ts";

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
  const { name, code, message } = error;
  // An error without a code comes from this program, and its message contains no secret.
  const why = code === undefined ? (name === "Error" ? message : name) : wordsOf(code);
  return `${party} could not be reached: ${why}`;
}

/** A code of TLS in words. One of the system is known to administrators. */
function wordsOf(code: string): string {
  if (isCertificateFault(code)) return `the certificate is not valid: ${faultWords(code)}`;
  return /^ERR_(SSL|OSSL)_/.test(code) ? handshakeWords(code) : code;
}

function describeLookup({ reason, message }: ProbeError, party: Party): string {
  if (reason === "dns_not_found") return `${party} has no address in the DNS`;
  if (reason === "dns_unreachable") return `${party} could not be reached: ${message}`;
  if (reason === "private_target")
    return `${party} is at a private address, and this server does not connect to those (--private-targets deny)`;
  const [fault = ""] = / \([a-z_]+\)$/.exec(message) ?? [];
  return `the DNS gave no answer for ${party}${fault}`;
}
