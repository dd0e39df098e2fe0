import { parseDnsServer } from "../../domain/network/dns-server.ts";
import { isIP, isIPv6 } from "../../domain/network/ip-address.ts";
import { isRow, jsonOf, numberOf, type Row, textOf } from "./data.ts";
import { intervalOf, leftOfInterval, type Taken } from "./fields.ts";
import { reverseName } from "./reverse-name.ts";

const MOST_SERVERS = 4;
const DNS_PORT = 53;

/** Type `dns`. */
export function dnsFrom(row: Row): Taken {
  const left = leftOfInterval(row);
  const recordType = textOf(row, "dns_resolve_type").toUpperCase() || "A";
  const hostname = textOf(row, "hostname");
  return {
    type: "DNS",
    config: {
      hostname: recordType === "PTR" ? reverseName(hostname) : hostname,
      interval: intervalOf(row),
      recordType,
      ...expectedRecord(row, { recordType, left }),
      ...serversOf(row, left),
    },
    left,
    notes: [],
  };
}

function serversOf(row: Row, left: Taken["left"]): { servers?: string[] } {
  const port = numberOf(row, "port") ?? DNS_PORT;
  const given = textOf(row, "dns_resolve_server")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  const servers = given.filter((one) => isIP(one)).map((one) => withPort(one, port));
  const usable = [...new Set(servers)]
    .filter((one) => parseDnsServer(one) !== undefined)
    .slice(0, MOST_SERVERS);
  if (usable.length < given.length)
    left.push({ part: "DNS servers", why: `up to ${MOST_SERVERS} can be named, by their IP addresses` });
  return usable.length > 0 ? { servers: usable } : {};
}

function withPort(address: string, port: number): string {
  if (port === DNS_PORT) return address;
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The types whose answers Uptime Kuma compares as they are written here. */
const COMPARED = ["A", "AAAA", "CNAME", "NS", "PTR", "TXT"];

/** One condition that the record equals a text; any other is left out. */
function expectedRecord(row: Row, { recordType, left }: { recordType: string; left: Taken["left"] }) {
  const conditions = jsonOf(row, "conditions");
  if (!Array.isArray(conditions) || conditions.length === 0) return {};
  const [only, ...others] = conditions;
  const isEqual =
    others.length === 0 && isRow(only) && only.variable === "record" && only.operator === "equals";
  if (!isEqual || !COMPARED.includes(recordType)) {
    left.push({
      part: "conditions",
      why: "stillup compares the whole answer: see `expected` of a DNS monitor",
    });
    return {};
  }
  return { expected: [String(only.value ?? "")] };
}
