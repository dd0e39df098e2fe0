import { describeRunBriefly, runReasons } from "../heartbeats/run-words.ts";
import type { Detail } from "./observation.ts";
import { isVague, type KnownReason } from "./vague-reason.ts";

/* Why a monitor is in trouble, in the few words of a row or a tile. */

export const reasonLabels: Record<KnownReason, string> = {
  refused: "Connection refused",
  timeout: "No answer in time",
  reset: "Connection reset",
  closed: "Connection closed",
  unreachable: "Network unreachable",
  dns_not_found: "Name not found",
  dns_failed: "Name could not be looked up",
  dns_unreachable: "No DNS server can be reached",
  tls_invalid: "Certificate is not valid",
  tls_failed: "No TLS connection",
  not_http: "Answer is not HTTP",
  private_target: "Private address",
  unexpected: "Not as expected",
  too_many_redirects: "Too many redirects",
  bad_redirect: "Redirect to no valid URL",
  bad_body: "Body could not be read",
  expires_soon: "Certificate expires soon",
  some_addresses: "Some addresses fail",
  packet_loss: "Too many pings are lost",
  changed: "Content changed",
  registration: "Registration of the domain",
  ...runReasons,
};

/** @returns undefined if only the message, or the rest of the detail, says enough */
export function briefReason(detail: Detail | null): string | undefined {
  const words = labelOf(detail);
  return isVague(detail?.reason) && detail?.message ? undefined : words;
}

/** Only what stillup itself says: no message, which may contain a target, or what it answered (behavior 16.362). */
export function ownWords(detail: Detail | null): string | undefined {
  const { statusCode } = detail ?? {};
  const code = typeof statusCode === "number" ? ` (${statusCode})` : "";
  const words = labelOf(detail);
  return words ? words + code : detail ? describeRunBriefly(detail) : undefined;
}

function labelOf(detail: Detail | null): string | undefined {
  const reason = knownReason(detail);
  return reason && reasonLabels[reason];
}

/** @returns undefined without a reason, and for one of another version of stillup */
export function knownReason(detail: Detail | null): KnownReason | undefined {
  const reason = detail?.reason;
  return typeof reason === "string" && Object.hasOwn(reasonLabels, reason)
    ? (reason as KnownReason)
    : undefined;
}
