import { isIPv6 } from "../network/ip-address.ts";
import { oneOf } from "../schemas/schema.ts";

/** The types of DNS record that a monitor can watch (decisions 3). */
export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "CAA", "SRV", "SOA", "PTR"] as const;
export const RecordType = oneOf(RECORD_TYPES);
export type RecordType = (typeof RECORD_TYPES)[number];

/** What is asked for where the config names no type: both families of addresses. */
export function recordTypesOf({ recordType }: { recordType?: RecordType }): RecordType[] {
  return recordType ? [recordType] : ["A", "AAAA"];
}

/**
 * The form in which two values of one type are compared: names without regard to case or a dot at their end,
 * addresses however they are written, the texts of TXT and CAA to the letter.
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
