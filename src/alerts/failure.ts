import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { faultWords, handshakeWords, isCertificateFault } from "../domain/checks/certificate.ts";
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
  return `${party} could not be reached: ${wordsOf(error)}`;
}

/** By the code of the system, of OpenSSL, or of the SMTP client. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ECONNABORTED: "the connection broke off",
  ECONNECTION: "the connection was closed",
  EPIPE: "the connection was closed",
  ESOCKET: "the connection broke off",
  ETIMEDOUT: "there was no answer in time",
  EHOSTUNREACH: "there is no route to its address",
  ENETUNREACH: "there is no route to its address",
  EHOSTDOWN: "there is no route to its address",
  EADDRNOTAVAIL: "this machine has no free port, or no address of that kind",
  EMFILE: "this machine has too many open files",
  ENFILE: "this machine has too many open files",
  EACCES: "this machine does not allow the connection",
  EPERM: "this machine does not allow the connection",
  EPROTO: "it does not speak TLS, or no version that both know",
  ETLS: "TLS could not be started",
  EAUTH: "it accepts no sign-in that is known here",
  EPROTOCOL: "it does not speak SMTP",
  EDNS: "its name has no address",
  EENVELOPE: "it refuses the sender or the receiver",
  EMESSAGE: "it refuses the message",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};

/** The codes of certificates by the words of OpenSSL, which are all that the SMTP client passes on. */
const certificateCodes: readonly [RegExp, string][] = [
  [/^self.signed certificate$/i, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  [/self.signed certificate in/i, "SELF_SIGNED_CERT_IN_CHAIN"],
  [/unable to (get|verify)/i, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  [/certificate has expired/i, "CERT_HAS_EXPIRED"],
  [/certificate is not yet valid/i, "CERT_NOT_YET_VALID"],
  [/does not match certificate/i, "ERR_TLS_CERT_ALTNAME_INVALID"],
];

const CLIENT_CODES: ReadonlySet<string> = new Set(["ESOCKET", "ECONNECTION", "ETLS"]);

/** The words for an error: codes of the runtime are for its developers. */
function wordsOf({ name, code, message }: NodeJS.ErrnoException): string {
  // An error without a code comes from this program, and its message contains no secret.
  if (code === undefined) return name === "Error" ? message : "the connection failed";
  const known = CLIENT_CODES.has(code) ? codeIn(message) : code;
  if (isCertificateFault(known)) return `the certificate is not valid: ${faultWords(known)}`;
  if (/^ERR_(SSL|OSSL)_/.test(known)) return handshakeWords(known);
  if (known.startsWith("HPE_")) return "it does not speak HTTP";
  if (/^ERR_(HTTP|INVALID)/.test(known)) return "the request can't be sent";
  return reasons[known] ?? reasons[code] ?? "the connection failed";
}

/** The SMTP client replaces a code, which may still be in the message, such as `connect ECONNREFUSED`. */
function codeIn(message: string): string {
  const certificate = certificateCodes.find(([pattern]) => pattern.test(message))?.[1];
  const [, own = ""] = /\b(E[A-Z]{3,})\b/.exec(message) ?? [];
  return certificate ?? own;
}

function describeLookup({ reason, message }: ProbeError, party: Party): string {
  if (reason === "dns_not_found") return `${party} has no address in the DNS`;
  if (reason === "dns_unreachable") return `${party} could not be reached: ${message}`;
  if (reason === "private_target")
    return `${party} is at a private address, and this server does not connect to those (--private-targets deny)`;
  const [fault = ""] = / \([a-z_]+\)$/.exec(message) ?? [];
  return `the DNS gave no answer for ${party}${fault}`;
}
