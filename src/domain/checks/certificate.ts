import { DAY } from "../duration.ts";
import type { Status } from "../monitors/status.ts";
import type { TlsFacts } from "./observation.ts";

/** The certificate of a server in a TLS handshake, and the result of its verification (behavior 1.36, 1.37). */
export interface Certificate {
  /** Whether the chain and the name verify. This has no effect on the status. */
  authorized: boolean;
  /** Why it does not verify, for example `CERT_HAS_EXPIRED`. */
  authorizationError: string | null;
  subject: string;
  issuer: string;
  /** The names and IP addresses for which it is valid. */
  names: string[];
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
  /** SHA-256, as hexadecimal pairs with colons. */
  fingerprint: string;
  /** For example `TLSv1.3`; null if the handshake did not complete. */
  protocol: string | null;
}

/** How many days before its end a certificate is `expiring_soon`, if the config does not say (behavior 1.35). */
export const WARN_DAYS = 14;

/** The memory of the checks of a TLS monitor. */
export interface CertificateMemory {
  /** Fingerprints of certificates that were valid at a check, latest first. */
  valid: string[];
  /** The latest handshake. */
  tls?: TlsFacts;
}

/** More than one, because the servers behind one address may have different certificates. */
const MAX_REMEMBERED = 20;

/**
 * The status of a certificate (behavior 1.34, 1.35). A certificate that is not valid yet is `expired`, except if it
 * was valid at an earlier check: then the clock was set back since.
 *
 * @param now milliseconds since 1970
 */
export function judgeCertificate(
  { validFrom, validTo, fingerprint }: Certificate,
  now: number,
  { memory = null, warnDays = WARN_DAYS }: { memory?: CertificateMemory | null; warnDays?: number } = {},
): Status {
  const left = Date.parse(validTo) - now;
  const hasBegun = now >= Date.parse(validFrom) || memory?.valid.includes(fingerprint);
  if (left <= 0 || !hasBegun) return "expired";
  return left <= warnDays * DAY ? "expiring_soon" : "active";
}

export function rememberCertificate(
  { validFrom, validTo, fingerprint }: Certificate,
  now: number,
  memory: CertificateMemory | null,
): CertificateMemory | null {
  if (now < Date.parse(validFrom) || now >= Date.parse(validTo)) return memory;
  const others = memory?.valid.filter((other) => other !== fingerprint) ?? [];
  return { ...memory, valid: [fingerprint, ...others].slice(0, MAX_REMEMBERED) };
}

const verificationErrors = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its issuer is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "its issuer is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its issuer is unknown, or the server does not send the whole chain",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its issuer is unknown, or the server does not send the whole chain",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for other names",
  CERT_REVOKED: "it was revoked",
  CERT_SIGNATURE_FAILURE: "its signature is wrong",
  CERT_CHAIN_TOO_LONG: "its chain is too long",
  INVALID_CA: "its issuer may not issue certificates",
  PATH_LENGTH_EXCEEDED: "its issuer may not issue certificates for servers",
  INVALID_PURPOSE: "it is not for servers",
  CERT_UNTRUSTED: "its issuer is not trusted for servers",
  CERT_REJECTED: "its issuer is rejected here",
  HOSTNAME_MISMATCH: "it is for other names",
  UNSPECIFIED: "it does not follow the rules for certificates",
};

/** Why a certificate does not verify. */
export type CertificateFault = keyof typeof verificationErrors;

/**
 * Why a certificate does not verify, as a clause.
 *
 * @param code `authorizationError`
 */
export function faultWords(code: string): string {
  return isCertificateFault(code) ? verificationErrors[code] : `it does not verify (${plain(code)})`;
}

/** Whether a code is one of a certificate that does not verify. */
export function isCertificateFault(code: string): code is CertificateFault {
  return Object.hasOwn(verificationErrors, code);
}

/** @param host for which a certificate is not valid */
export function invalidity(host: string, code: string | null): string {
  return `the certificate is not valid for ${host}${code ? `: ${faultWords(code)}` : ""}`;
}

/** The abilities of stillup in a handshake, for servers that have none of them. */
const OFFERED = "the groups X25519, P-256 and P-384, and keys of RSA, ECDSA and Ed25519 but not of RSA-PSS";

/** Alerts of a server (RFC 8446, 6), by the name that the TLS library gives them. */
const ALERTS: Record<string, string> = {
  HANDSHAKE_FAILURE: `the server refuses it: it has nothing in common with stillup, which takes ${OFFERED}, or it requires a client certificate`,
  INSUFFICIENT_SECURITY: `the server refuses it: it demands more than stillup offers, which takes ${OFFERED}`,
  CERTIFICATE_REQUIRED: "the server requires a client certificate",
  NO_CERTIFICATE: "the server requires a client certificate",
  BAD_CERTIFICATE: "the server refuses the client certificate",
  CERTIFICATE_EXPIRED: "the server refuses the client certificate as expired",
  CERTIFICATE_REVOKED: "the server refuses the client certificate as revoked",
  CERTIFICATE_UNKNOWN: "the server refuses the client certificate",
  UNSUPPORTED_CERTIFICATE: "the server refuses the client certificate because of its type",
  UNKNOWN_CA: "the server does not trust the issuer of the client certificate",
  ACCESS_DENIED: "the server denies access",
  PROTOCOL_VERSION: "the server has no version of TLS in common with stillup",
  UNRECOGNIZED_NAME: "the server does not know the name of the host",
  NO_APPLICATION_PROTOCOL: "the server does not offer the protocol of the check",
  INTERNAL_ERROR: "the server reports an internal error",
};

/** Faults that stillup finds in what a server sends, by the name that the TLS library gives them. */
const FAULTS: Record<string, string> = {
  WRONG_VERSION_NUMBER: "the server does not speak TLS on that port",
  UNSUPPORTED_PROTOCOL: "the server has no version of TLS in common with stillup",
  NO_SUPPORTED_VERSIONS_ENABLED: "the server has no version of TLS in common with stillup",
  CERTIFICATE_VERIFY_FAILED: "the certificate does not verify",
};

/** Why a handshake failed, in words. @param code of the TLS library, for example `ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED` */
export function handshakeWords(code: string): string {
  const name = code.replace(/^ERR_(SSL|OSSL|TLS)_/, "");
  const [, alert] = /^(?:SSLV3|TLSV1)_ALERT_(\w+)$/.exec(name) ?? [];
  if (alert !== undefined) return ALERTS[alert] ?? `the server sent the alert "${plain(alert)}"`;
  return FAULTS[name] ?? `the server breaks the rules of TLS (${plain(name)})`;
}

/** A code in small letters. A rare one needs no sentence of its own. */
export function plain(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
