import { DAY } from "../duration.ts";
import type { CheckFacts, DnsFacts } from "../evidence/evidence.ts";
import { isIPv6 } from "../network/client-address.ts";
import { oneOf } from "../schemas/schema.ts";
import type { Certificate } from "./certificate.ts";
import type { SeenContent } from "./content-memory.ts";

/** Why a check failed (behavior 1.23). */
export const REASONS = [
  "refused",
  "timeout",
  "reset",
  "closed",
  "unreachable",
  "dns_not_found",
  "dns_failed",
  "dns_unreachable",
  "tls_invalid",
  "tls_failed",
  "not_http",
  "private_target",
  "unexpected",
  "too_many_redirects",
  "bad_redirect",
  "bad_body",
] as const;
export type Reason = (typeof REASONS)[number];

/** Why nothing is known of a target: what is on the way to it failed, and not the target. */
export const OWN_REASONS = ["proxy_failed", "token_failed"] as const;
export type OwnReason = (typeof OWN_REASONS)[number];

/** The duration of each phase that a check reached, in milliseconds (behavior 1.24). @property body only where an expectation reads it */
export interface Phases {
  resolve?: number;
  connect?: number;
  tls?: number;
  firstByte?: number;
  body?: number;
}

/** Milliseconds; null if a stall of stillup made it unknown (behavior 1.48). */
export type Latency = number | null;

export type Detail = Record<string, unknown>;

/** The answer of a server, for the person who tests a config. It is never recorded. */
export interface Sample {
  statusCode: number;
  headers: { name: string; value: string }[];
  /** Milliseconds to the end of what was read. */
  durationMs: number;
  /** The start of the decoded body; null if it could not be read. */
  body: string | null;
  /** Whether the body is longer. */
  isBodyCut: boolean;
  /** Whether the address that answered is private, so that headers and body are not shown (behavior 10.30). */
  isPrivate: boolean;
}

/**
 * The result of a probe.
 *
 * - `lateBy`: how many milliseconds of the latency a fault of stillup may have added (behavior 1.49).
 * - `slowBy`: how many milliseconds longer than the config expects the answer took, which is `degraded` (behavior 10.25).
 * - `certificate`: of a server that speaks a protocol over TLS (behavior 20.20).
 * - `tls`: the handshake with the server of an HTTPS or TLS monitor, if it got that far (behavior 10.90).
 * - `told`: the addresses of the host, if it is a name: what the DNS said.
 * - `size`: of the body in bytes, if all of it was read.
 * - `headerNames`: of an answer whose headers an expectation read, in lower case.
 * - `contents`: what the config watches, in its order (behavior 26.110).
 * - `facts`: what else a failed check saw, as evidence.
 * - `size`: of the body as it was sent, in bytes, if an expectation read it to its end.
 * - `dns`: the answer of the DNS, if it has no record.
 * - `sample`: the answer of a server, only for a check that is not recorded.
 * - `by_address`: what each address of a host gave, at least one (behavior 10.100).
 * - `inconclusive`: a fault of stillup, such as no free file descriptor. The check runs again and nothing is recorded (behavior 1.47).
 * - `reason`: what failed on the way to the target.
 * - `isShortage`: a lack of file descriptors, memory or ports. Fewer concurrent checks may fix it.
 * - `isOffline`: the network of this machine is offline (behavior 13.50).
 */
export type Observation =
  | {
      outcome: "reached";
      latencyMs: Latency;
      lateBy?: number;
      slowBy?: number;
      certificate?: Certificate;
      tls?: TlsFacts;
      told?: string[];
      size?: number;
      headerNames?: string[];
      contents?: SeenContent[];
      detail: Detail;
      sample?: Sample;
    }
  | {
      outcome: "certified";
      latencyMs: Latency;
      certificate: Certificate;
      tls?: TlsFacts;
      told?: string[];
      detail: Detail;
    }
  | { outcome: "looked_up"; answer: DnsAnswer; dns?: DnsFacts }
  | {
      outcome: "failed";
      reason: Reason;
      latencyMs?: number;
      certificate?: Certificate;
      tls?: TlsFacts;
      told?: string[];
      facts?: CheckFacts;
      detail: Detail;
      sample?: Sample;
    }
  | { outcome: "by_address"; addresses: AddressEvidence[]; omitted: number }
  | { outcome: "inconclusive"; message: string; reason?: OwnReason; isShortage?: true; isOffline?: true };

/** How many addresses of a name are tried or checked at most: each may hold a socket until the check ends. */
export const MAX_ADDRESSES = 6;

/** The evidence of a check about one address of a host. */
export interface AddressEvidence {
  address: string;
  evidence: Extract<Observation, { outcome: "reached" | "certified" | "failed" }>;
}

export type Evidence = Exclude<Observation, { outcome: "inconclusive" }>;

/** Whether a target, or one of its addresses, failed. */
export function hasFailure(observation: Observation): boolean {
  if (observation.outcome !== "by_address") return observation.outcome === "failed";
  return observation.addresses.some(({ evidence }) => evidence.outcome === "failed");
}

/** A detail contains texts of the target. These limits bound the size of one stored detail. */
const MAX_ENTRIES = 20;
const MAX_ENTRY_LENGTH = 255;
const MAX_TEXT_LENGTH = 1024;
const MAX_BYTES = 16 * 1024;

const encoder = new TextEncoder();

/**
 * Cuts a detail to at most 16 KiB: texts are truncated, lists end after 20 entries, and `omitted` counts the other
 * entries by field. If that is still too large, the limits are halved until it fits.
 */
export function boundDetail(detail: Detail): Detail {
  const { omitted, ...fields } = detail;
  const counts = omittedIn(fields, omitted as Counts | undefined);
  for (let scale = 1; ; scale /= 2) {
    const bounded = boundFields(fields, scale);
    if (Object.keys(counts).length > 0) bounded.omitted = counts;
    if (isAtMost(JSON.stringify(bounded), MAX_BYTES) || scale * MAX_TEXT_LENGTH < 1) return bounded;
  }
}

/** A UTF-16 unit takes at most 3 bytes of UTF-8, so that most texts need not be encoded. */
function isAtMost(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || encoder.encode(text).length <= bytes;
}

type Counts = Record<string, number>;

/** @param known how many entries each list lacks already */
function omittedIn(fields: Detail, known: Counts = {}): Counts {
  const counts = { ...known };
  for (const [name, value] of Object.entries(fields)) {
    if (!Array.isArray(value) || value.length <= MAX_ENTRIES) continue;
    counts[name] = (counts[name] ?? 0) + value.length - MAX_ENTRIES;
  }
  return counts;
}

function boundFields(fields: object, scale: number): Detail {
  // A copy, because each check has a detail: it takes less time than `Object.fromEntries`.
  const bounded: Detail = { ...fields };
  for (const name of Object.keys(bounded)) bounded[name] = boundValue(bounded[name], scale);
  return bounded;
}

function boundValue(value: unknown, scale: number): unknown {
  if (typeof value === "string") return cut(value, MAX_TEXT_LENGTH * scale);
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => boundEntry(entry, scale));
  return isObject(value) ? boundFields(value, scale) : value;
}

function boundEntry(entry: unknown, scale: number): unknown {
  return isObject(entry) ? boundFields(entry, scale) : cut(String(entry), MAX_ENTRY_LENGTH * scale);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Cuts a text to at most `longest` UTF-16 units, with an ellipsis. No character is split. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, Math.max(0, Math.floor(longest) - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

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
  /** The fingerprint of the certificate, as in `Certificate`. Results do not have it. */
  fingerprint?: string;
  /** The end of the certificate that stillup shows to the server, ISO 8601. */
  client?: { validTo: string };
}

/** The memory of the checks of an HTTPS monitor: the latest handshake. */
export interface TlsMemory {
  tls: TlsFacts;
}

/** The facts as a result and a report have them. @property daysLeft whole days, negative after the end */
export interface TlsDetail extends Omit<TlsFacts, "client"> {
  daysLeft: number;
  client?: { validTo: string; daysLeft: number };
}

/** @param now milliseconds since 1970 */
export function tlsDetail({ protocol, cipher, validTo, advice, client }: TlsFacts, now: number): TlsDetail {
  const facts = { protocol, cipher, validTo, daysLeft: daysLeft(validTo, now), advice };
  return client ? { ...facts, client: { ...client, daysLeft: daysLeft(client.validTo, now) } } : facts;
}

export function isSameTls(one: TlsFacts, other: TlsFacts): boolean {
  return (
    one.validTo === other.validTo &&
    one.protocol === other.protocol &&
    one.cipher === other.cipher &&
    one.client?.validTo === other.client?.validTo &&
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
  const end = endWithin(validTo, warning, now);
  if (end === null) return null;
  const words =
    end.daysLeft === null ? `expired on ${end.day}` : `expires in ${inDays(end.daysLeft)}, on ${end.day}`;
  return { reason: EXPIRES_SOON, message: `the certificate ${words}` };
}

/** How many days before its end the page warns of a client certificate (behavior 26.13). */
const CLIENT_WARNING = 14;

/**
 * The end of the client certificate of a monitor, of which the page warns; null if it ends later.
 *
 * @param now milliseconds since 1970
 */
export function clientCertificateEnd({ validTo }: { validTo: string }, now: number): CertificateEnd | null {
  return endWithin(validTo, CLIENT_WARNING, now);
}

/** @property day ISO 8601, in UTC @property daysLeft whole days; null after the end */
export interface CertificateEnd {
  day: string;
  daysLeft: number | null;
}

function endWithin(validTo: string, warning: number, now: number): CertificateEnd | null {
  const left = Date.parse(validTo) - now;
  if (left > warning * DAY) return null;
  return { day: validTo.slice(0, validTo.indexOf("T")), daysLeft: left > 0 ? daysLeft(validTo, now) : null };
}

function daysLeft(validTo: string, now: number): number {
  return Math.floor((Date.parse(validTo) - now) / DAY);
}

function inDays(days: number): string {
  if (days === 0) return "less than a day";
  return days === 1 ? "1 day" : `${days} days`;
}

/** The reason of an HTTP monitor whose certificate ends soon. */
export const EXPIRES_SOON = "expires_soon";

/** The reason of a monitor of a host that fails at some of its addresses. */
export const SOME_ADDRESSES = "some_addresses";

/** The reason of a monitor that pings and loses more pings than its config allows. */
export const PACKET_LOSS = "packet_loss";

/** The reason of an HTTP monitor whose content no check of the last days has seen. */
export const CHANGED = "changed";

const DEGRADED_BY = [EXPIRES_SOON, SOME_ADDRESSES, PACKET_LOSS, CHANGED] as const;

/** Why a monitor is Degraded although its latency is as usual. */
export type DegradedBy = (typeof DEGRADED_BY)[number];

/** @param reason of a result or of an outage; undefined if it has none */
export function isDegradedBy(reason: unknown): reason is DegradedBy {
  return DEGRADED_BY.includes(reason as DegradedBy);
}

/** The record types of a DNS monitor (behavior 4.1). */
export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "CAA", "SRV", "SOA", "PTR"] as const;
export const RecordType = oneOf(RECORD_TYPES);
export type RecordType = (typeof RECORD_TYPES)[number];

/** The record types that a check queries: by default both address families (behavior 4.1). */
export function recordTypesOf({ recordType }: { recordType?: RecordType }): RecordType[] {
  return recordType ? [recordType] : ["A", "AAAA"];
}

/**
 * The canonical form of a value, which is compared: names in lower case without a trailing dot, IPv6 addresses in their
 * shortest form, TXT and CAA exactly (behavior 4.13).
 */
export function canonical(type: RecordType, value: string): string {
  if (type === "TXT") return value;
  if (type === "CAA") return value.trim().replaceAll('"', "");
  const address = type === "AAAA" && isIPv6(value) && URL.parse(`http://[${value}]/`);
  if (address) return address.hostname.slice(1, -1);
  return value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => (word === "." ? word : word.replace(/\.$/, "")))
    .join(" ");
}

/** Why a query found no record (behavior 4.4). The first two are answers; with the others there is no answer. */
export type LookupFailure =
  | "nxdomain"
  | "no_data"
  | "servfail"
  | "refused"
  | "error"
  | "malformed"
  | "timeout";

/**
 * The result of the query for one record type.
 *
 * @property alias the name at the end of a chain of aliases, which the failure is about (RFC 6604)
 * @property cause what happened before there was no answer, in words without any name
 */
export type Lookup =
  | { recordType: RecordType; values: string[]; failure: null }
  | { recordType: RecordType; values: []; failure: LookupFailure; alias?: string; cause?: string };

export interface DnsAnswer {
  hostname: string;
  lookups: Lookup[];
}
