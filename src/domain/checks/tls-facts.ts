import { DAY } from "../duration.ts";
import { EXPIRES_SOON } from "./degraded-by.ts";

/** Possible improvements of TLS. Advice is never a status by itself (behavior 10.91). */
export const TLS_ADVICE = ["deprecated_protocol", "weak_signature", "weak_key", "incomplete_chain"] as const;
export type TlsAdvice = (typeof TLS_ADVICE)[number];

/** The result of a TLS handshake (behavior 10.90). */
export interface TlsFacts {
  /** For example `TLSv1.3`; null if the handshake did not complete. */
  protocol: string | null;
  /** The name of the cipher suite in RFC 8446 or at IANA, for example `TLS_AES_128_GCM_SHA256`; null like the protocol. */
  cipher: string | null;
  /** The end of the certificate, ISO 8601. */
  validTo: string;
  advice: TlsAdvice[];
}

/** The memory of the checks of an HTTPS monitor: the latest handshake. */
export interface TlsMemory {
  tls: TlsFacts;
}

/** The facts as a result and a report have them. @property daysLeft whole days, negative after the end */
export interface TlsDetail extends TlsFacts {
  daysLeft: number;
}

/** @param now milliseconds since 1970 */
export function tlsDetail({ protocol, cipher, validTo, advice }: TlsFacts, now: number): TlsDetail {
  return { protocol, cipher, validTo, daysLeft: daysLeft(validTo, now), advice };
}

export function isSameTls(one: TlsFacts, other: TlsFacts): boolean {
  return (
    one.validTo === other.validTo &&
    one.protocol === other.protocol &&
    one.cipher === other.cipher &&
    String(one.advice) === String(other.advice)
  );
}

/**
 * Why a certificate that ends soon makes a monitor Degraded (behavior 10.93).
 *
 * @param warning days before the end
 * @param now milliseconds since 1970
 * @returns null if it ends later
 */
export function expiryReason(
  { validTo }: TlsFacts,
  warning: number,
  now: number,
): { reason: string; message: string } | null {
  const left = Date.parse(validTo) - now;
  if (left > warning * DAY) return null;
  const day = validTo.slice(0, validTo.indexOf("T"));
  const message = left > 0 ? `expires in ${inDays(daysLeft(validTo, now))}, on ${day}` : `expired on ${day}`;
  return { reason: EXPIRES_SOON, message: `the certificate ${message}` };
}

function daysLeft(validTo: string, now: number): number {
  return Math.floor((Date.parse(validTo) - now) / DAY);
}

function inDays(days: number): string {
  if (days === 0) return "less than a day";
  return days === 1 ? "1 day" : `${days} days`;
}
