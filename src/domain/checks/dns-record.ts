import { isIPv6 } from "../network/client-address.ts";
import { oneOf } from "../schemas/schema.ts";

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
