import { isIP, isIPv4, isIPv6 } from "../../domain/network/client-address.ts";
import { parseDnsServer } from "../../domain/network/dns-server.ts";
import { clamp } from "../imported.ts";
import {
  flagOf,
  intervalOf,
  isRow,
  jsonOf,
  type Mapped,
  numberOf,
  type OmittedPart,
  omittedInterval,
  omittedTimes,
  type Refused,
  type Row,
  textIn,
  timeoutOf,
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

const LEFT_OUT =
  "stillup expects one of some records, or a part of a record: see `expectedAny` and `expectedContains` of a DNS monitor";

/** Conditions that a record equals one of some texts, or that it contains a text; any other is left out. */
function expectedRecord(row: Row, { recordType, omitted }: { recordType: string; omitted: OmittedPart[] }) {
  const conditions = jsonOf(row, "conditions");
  if (!Array.isArray(conditions) || conditions.length === 0) return {};
  const alternatives = COMPARED.includes(recordType) ? alternativesIn(conditions) : undefined;
  const [first] = alternatives ?? [];
  if (first && alternatives?.every(({ operator }) => operator === "equals"))
    return { expectedAny: [...new Set(alternatives.map(({ value }) => value))] };
  const isAddress = recordType === "A" || recordType === "AAAA";
  // A part of an address is no record here.
  if (alternatives?.length === 1 && first?.operator === "contains" && !isAddress)
    return { expectedContains: [first.value] };
  omitted.push({ part: "conditions", why: LEFT_OUT });
  return {};
}

interface Alternative {
  operator: unknown;
  value: string;
}

/** The conditions of which one must hold for a record. Undefined if there is anything else, or if two must hold. */
function alternativesIn(conditions: readonly unknown[]): Alternative[] | undefined {
  const all = conditions.map((condition, at): Alternative[] | undefined => {
    if (!isRow(condition) || (at > 0 && condition.andOr !== "or")) return undefined;
    if (condition.type === "group")
      return Array.isArray(condition.children) ? alternativesIn(condition.children) : undefined;
    const value = String(condition.value ?? "");
    if (condition.variable !== "record" || value === "") return undefined;
    return [{ operator: condition.operator, value }];
  });
  return all.includes(undefined) ? undefined : all.flatMap((one) => one ?? []);
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

/** @property schemes of its connection strings @property tls how a connection string asks for TLS */
interface Database {
  protocol: "redis" | "postgres" | "mysql";
  schemes: readonly string[];
  port: number;
  tls: (url: URL) => "direct" | "starttls" | undefined;
}

const REDIS: Database = {
  protocol: "redis",
  schemes: ["redis:", "rediss:"],
  port: 6379,
  tls: ({ protocol }) => (protocol === "rediss:" ? "direct" : undefined),
};

const POSTGRES: Database = {
  protocol: "postgres",
  schemes: ["postgres:", "postgresql:"],
  port: 5432,
  tls: ({ searchParams }) => {
    const mode = searchParams.get("sslmode") ?? searchParams.get("ssl") ?? "";
    return ["require", "verify-ca", "verify-full", "no-verify", "true", "1"].includes(mode)
      ? "starttls"
      : undefined;
  },
};

const MYSQL: Database = {
  protocol: "mysql",
  schemes: ["mysql:", "mariadb:"],
  port: 3306,
  tls: ({ searchParams }) => (["", "false", null].includes(searchParams.get("ssl")) ? undefined : "starttls"),
};

export const redisFrom = (row: Row): Mapped | Refused => databaseFrom(row, REDIS);
export const postgresFrom = (row: Row): Mapped | Refused => databaseFrom(row, POSTGRES);
export const mysqlFrom = (row: Row): Mapped | Refused => databaseFrom(row, MYSQL);

/** The types for databases have a URL, whose host and port are taken over: there is no login, and no query. */
function databaseFrom(row: Row, { protocol, schemes, port, tls }: Database): Mapped | Refused {
  const url = URL.parse(textIn(row, "database_connection_string"));
  if (!url || !schemes.includes(url.protocol) || url.hostname === "")
    return { why: `its connection string is no URL that begins with ${schemes[0]}//HOST` };
  return {
    type: "TCP",
    config: {
      host: hostOf(url),
      port: url.port === "" ? port : Number(url.port),
      protocol,
      ...tlsFields(row, tls(url)),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    omitted: [...omittedTimes(row), ...omittedLogin(url, row)],
    notes: [],
  };
}

/** A URL of an unknown scheme keeps percent signs and brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function omittedLogin({ username, password }: URL, row: Row): OmittedPart[] {
  const omitted: OmittedPart[] = [];
  if (username !== "" || password !== "")
    omitted.push({ part: "user and password", why: "stillup does not log in: the server must only answer" });
  if (textIn(row, "database_query") !== "") omitted.push({ part: "query", why: "stillup sends no queries" });
  return omitted;
}

/** Type `port`. */
export function tcpFrom(row: Row): Mapped | Refused {
  const alert = textIn(row, "expected_tls_alert");
  if (alert !== "" && alert !== "none") return { why: "it expects a TLS alert" };
  return tcp(row, { port: numberOf(row, "port") });
}

const MAX_COUNT = 5;
const MAX_SIZE = 1400;

/** Type `ping`. Version 1 sends one ping, which is not the default here: one reply of several is enough. */
export function pingFrom(row: Row): Mapped {
  const [count, size] = [numberOf(row, "ping_count") ?? 1, numberOf(row, "packet_size")];
  const mapped = tcp(row, { protocol: "icmp" });
  const sent = clamp(1, Math.round(count), MAX_COUNT);
  const fitting = {
    count: sent,
    timeout: pingTimeoutOf(row, sent),
    ...(size !== undefined && { size: clamp(0, Math.round(size), MAX_SIZE) }),
  };
  if (fitting.count !== count)
    mapped.omitted.push({
      part: "count",
      why: `it is ${count}; 1 to ${MAX_COUNT} are possible: it is ${fitting.count} here`,
    });
  if (fitting.size !== size)
    mapped.omitted.push({
      part: "packet size",
      why: `it is ${size} bytes; 0 to ${MAX_SIZE} are possible: it is ${fitting.size} here`,
    });
  return { ...mapped, config: { ...mapped.config, ...fitting } };
}

/** Seconds. Version 2 also has a timeout of each ping; stillup sends them 0.2 s apart (behavior 20.31). */
function pingTimeoutOf(row: Row, count: number): number {
  const each = numberOf(row, "ping_per_request_timeout") ?? 0;
  const whole = timeoutOf(row);
  return each > 0 ? Math.min(whole, Math.ceil(each + (count - 1) * 0.2)) : whole;
}

const SMTP_PORT = 25;

/** By the security of type `smtp`. Any other only uses TLS if it is offered. */
const SMTP_TLS: Record<string, string | undefined> = { secure: "direct", starttls: "starttls" };

/** Type `smtp`. */
export function smtpFrom(row: Row): Mapped {
  const tls = SMTP_TLS[textIn(row, "smtp_security")];
  return tcp(row, {
    port: numberOf(row, "port") ?? SMTP_PORT,
    protocol: "smtp",
    ...tlsFields(row, tls),
  });
}

/** @param tls when TLS begins; without it, it does not */
function tlsFields(row: Row, tls: string | undefined): { tls?: string; verifyTls?: false } {
  if (tls === undefined) return {};
  return { tls, ...(flagOf(row, "ignore_tls") && { verifyTls: false }) };
}

/** A TCP monitor of the host of a row. */
function tcp(row: Row, config: Record<string, unknown>): Mapped {
  return {
    type: "TCP",
    config: { host: textIn(row, "hostname"), ...config, interval: intervalOf(row), timeout: timeoutOf(row) },
    omitted: omittedTimes(row),
    notes: [],
  };
}
