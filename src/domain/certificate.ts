import type { Status } from "./status.ts";

/** What a server showed of itself in a TLS handshake. */
export interface Certificate {
  /** Whether its chain and its name verify; that does not change the status (decisions 3). */
  authorized: boolean;
  /** The code of what does not verify, such as `CERT_HAS_EXPIRED`. */
  authorizationError: string | null;
  subject: string;
  issuer: string;
  /** The names and addresses that it is good for. */
  names: string[];
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
  /** SHA-256, as hexadecimal pairs with colons. */
  fingerprint: string;
  /** Such as `TLSv1.3`; null where the handshake did not end. */
  protocol: string | null;
}

/** How long before its end a certificate is said to expire soon, in milliseconds (decisions 3). */
const SOON = 14 * 24 * 60 * 60 * 1000;

/** The status of a certificate at a moment; one whose time has not come counts as `expired` (decisions 3). */
export function judgeCertificate({ validFrom, validTo }: Certificate, now: number): Status {
  const left = Date.parse(validTo) - now;
  if (left <= 0 || now < Date.parse(validFrom)) return "expired";
  return left <= SOON ? "expiring_soon" : "active";
}

const faults: Record<string, string> = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "its time has not come yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its issuer is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "its issuer is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its issuer is not known, or the server leaves out part of the chain",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its issuer is not known, or the server leaves out part of the chain",
  ERR_TLS_CERT_ALTNAME_INVALID: "it was made for other names",
  CERT_REVOKED: "it was revoked",
};

/** Why a certificate does not verify, as half a sentence. @param code of `authorizationError`; told as it is where it is rare */
export function faultWords(code: string): string {
  return faults[code] ?? code;
}
