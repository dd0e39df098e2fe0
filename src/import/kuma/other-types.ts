import { parseDnsServer } from "../../domain/network/dns-server.ts";
import { isIP, isIPv4, isIPv6 } from "../../domain/network/ip-address.ts";
import { flagOf, isRow, jsonOf, numberOf, type Row, textOf } from "./data.ts";
import { intervalOf, leftOfInterval, type Refused, type Taken, timeoutOf } from "./fields.ts";

/** Type `port`. */
export function tcpFrom(row: Row): Taken | Refused {
  const alert = textOf(row, "expected_tls_alert");
  if (alert !== "" && alert !== "none") return { why: "it expects a TLS alert" };
  return {
    type: "TCP",
    config: {
      host: textOf(row, "hostname"),
      port: numberOf(row, "port"),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    left: leftOfInterval(row),
    notes: [],
  };
}

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

/** The tokens that stillup takes. Those of Uptime Kuma have 10 or 32 characters. */
const PUSH_TOKEN = /^[A-Za-z0-9]{8,64}$/;

/** Seconds that a job may be late in addition to its retries. */
const GRACE = 60;

/** Type `push`: silence is one failed check, and each retry is one more interval. */
export function pushFrom(row: Row): Taken {
  const interval = intervalOf(row);
  const retries = Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
  const retryInterval = Math.round(numberOf(row, "retry_interval") ?? 0) || interval;
  const token = textOf(row, "push_token");
  const left = leftOfInterval(row);
  const isUsable = PUSH_TOKEN.test(token);
  if (!isUsable) left.push({ part: "push token", why: "it must be 8 to 64 letters and digits" });
  return {
    type: "SCHEDULED",
    config: {
      period: Math.max(interval, 10),
      grace: GRACE + Math.min(retries * retryInterval, LONGEST_GRACE),
      ...(isUsable && { pushToken: token }),
    },
    left,
    notes: [],
  };
}

const LONGEST_GRACE = 30_000_000;

export function isUpsideDown(row: Row): boolean {
  return flagOf(row, "upside_down");
}
