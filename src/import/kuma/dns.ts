import { parseDnsServer } from "../../domain/network/dns-server.ts";
import { isIP, isIPv4, isIPv6 } from "../../domain/network/ip-address.ts";
import {
  intervalOf,
  isRow,
  jsonOf,
  type Mapped,
  numberOf,
  type OmittedPart,
  omittedInterval,
  type Row,
  textIn,
} from "./fields.ts";

const MAX_SERVERS = 4;
const DNS_PORT = 53;

/** Type `dns`. */
export function dnsFrom(row: Row): Mapped {
  const omitted = omittedInterval(row);
  const recordType = textIn(row, "dns_resolve_type").toUpperCase() || "A";
  const hostname = textIn(row, "hostname");
  return {
    type: "DNS",
    config: {
      hostname: recordType === "PTR" ? reverseName(hostname) : hostname,
      interval: intervalOf(row),
      recordType,
      ...expectedRecord(row, { recordType, omitted }),
      ...serversOf(row, omitted),
    },
    omitted,
    notes: [],
  };
}

function serversOf(row: Row, omitted: OmittedPart[]): { servers?: string[] } {
  const port = numberOf(row, "port") ?? DNS_PORT;
  const given = textIn(row, "dns_resolve_server")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  const servers = given.filter((one) => isIP(one)).map((one) => withPort(one, port));
  const usable = [...new Set(servers)]
    .filter((one) => parseDnsServer(one) !== undefined)
    .slice(0, MAX_SERVERS);
  if (usable.length < given.length)
    omitted.push({ part: "DNS servers", why: `up to ${MAX_SERVERS} can be named, by their IP addresses` });
  return usable.length > 0 ? { servers: usable } : {};
}

function withPort(address: string, port: number): string {
  if (port === DNS_PORT) return address;
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The types whose answers Uptime Kuma compares as they are written here. */
const COMPARED = ["A", "AAAA", "CNAME", "NS", "PTR", "TXT"];

/** One condition that the record equals a text; any other is left out. */
function expectedRecord(row: Row, { recordType, omitted }: { recordType: string; omitted: OmittedPart[] }) {
  const conditions = jsonOf(row, "conditions");
  if (!Array.isArray(conditions) || conditions.length === 0) return {};
  const [only, ...others] = conditions;
  const isEqual =
    others.length === 0 && isRow(only) && only.variable === "record" && only.operator === "equals";
  if (!isEqual || !COMPARED.includes(recordType)) {
    omitted.push({
      part: "conditions",
      why: "stillup compares the whole answer: see `expected` of a DNS monitor",
    });
    return {};
  }
  return { expected: [String(only.value ?? "")] };
}

/** The name of an IP address in the DNS. Another text is returned itself. */
function reverseName(address: string): string {
  if (isIPv4(address)) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  if (!isIPv6(address)) return address;
  const digits = groupsOf(address)
    .map((group) => group.padStart(4, "0"))
    .join("");
  return `${[...digits].reverse().join(".")}.ip6.arpa`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [, v4] = /(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = v4?.split(".").map(Number) ?? [];
  const plain =
    v4 === undefined
      ? address
      : address.replace(v4, [a * 256 + b, c * 256 + d].map((one) => one.toString(16)).join(":"));
  const [start = "", end] = plain.toLowerCase().split("::");
  const parts = (text: string) => text.split(":").filter(Boolean);
  if (end === undefined) return parts(start);
  const missing = 8 - parts(start).length - parts(end).length;
  return [...parts(start), ...Array<string>(Math.max(0, missing)).fill("0"), ...parts(end)];
}
