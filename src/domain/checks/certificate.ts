import type { Status } from "../monitors/status.ts";

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

/** What the checks of a TLS monitor have seen. */
export interface CertificateMemory {
  /** The fingerprints of certificates that were valid at a check, the latest first. */
  valid: string[];
}

/** The servers behind one address may have different certificates. */
const MOST_REMEMBERED = 20;

/**
 * The status of a certificate at a moment; one whose time has not come counts as `expired` (decisions 3). If it was
 * valid at an earlier check, our clock was put back since, and its start says nothing.
 *
 * @param now milliseconds since 1970
 */
export function judgeCertificate(
  { validFrom, validTo, fingerprint }: Certificate,
  now: number,
  memory: CertificateMemory | null = null,
): Status {
  const left = Date.parse(validTo) - now;
  const hasBegun = now >= Date.parse(validFrom) || memory?.valid.includes(fingerprint);
  if (left <= 0 || !hasBegun) return "expired";
  return left <= SOON ? "expiring_soon" : "active";
}

export function rememberCertificate(
  { validFrom, validTo, fingerprint }: Certificate,
  now: number,
  memory: CertificateMemory | null,
): CertificateMemory | null {
  if (now < Date.parse(validFrom) || now >= Date.parse(validTo)) return memory;
  const others = memory?.valid.filter((one) => one !== fingerprint) ?? [];
  return { valid: [fingerprint, ...others].slice(0, MOST_REMEMBERED) };
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
