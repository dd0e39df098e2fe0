import { literal } from "../../domain/configuration/placeholder.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { isIP, isIPv6 } from "../../domain/network/client-address.ts";
import { isSet, numberOf, omitUnknown } from "../api-answers.ts";
import { intervalOf, timeoutField, timeoutOf } from "../check-fields.ts";
import { codesThat, statusEntries } from "../http-fields.ts";
import { type Refusal, requestConfig, type Surroundings } from "../http-monitor.ts";
import { clamp, listOf, type ReportOmission, recordOf, textOf } from "../imported.ts";

type Attributes = Record<string, unknown>;

export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
  confirmations?: number;
  recoveries?: number;
  isPaused?: boolean;
  note?: string;
}

type Mapper = (attributes: Attributes, surroundings: Surroundings) => Mapped | Refusal;

/** By the type of the monitor. */
const MAPPERS: Record<string, Mapper> = {
  status: mapHttp,
  expected_status_code: mapHttp,
  keyword: mapHttp,
  keyword_absence: mapHttp,
  ping: mapPing,
  tcp: mapTcp,
  smtp: mapMail,
  pop: mapMail,
  imap: mapMail,
  dns: mapDns,
};

/** The fields of a monitor that are read, or that say nothing about what is checked. */
const FIELDS = new Set([
  ...["url", "pronounceable_name", "monitor_type", "monitor_group_id", "check_frequency", "request_timeout"],
  ...["confirmation_period", "recovery_period", "required_keyword", "expected_status_codes", "http_method"],
  ...["request_headers", "request_body", "auth_username", "auth_password", "follow_redirects", "verify_ssl"],
  ...["ssl_expiration", "domain_expiration", "ip_version", "port", "proxy_host", "proxy_port", "regions"],
  ...["remember_cookies", "paused", "paused_at", "status", "maintenance_from", "maintenance_to"],
  ...["maintenance_timezone", "maintenance_days"],
  // Whom it notifies: reported once for all monitors.
  ...["call", "sms", "email", "push", "critical_alert", "team_wait", "policy_id", "expiration_policy_id"],
  // Fields of a browser script, which only monitors of that type have.
  ...["playwright_script", "scenario_name", "environment_variables"],
  ...["last_checked_at", "created_at", "updated_at", "team_name", "sort_index", "checks_version"],
]);

/** The monitor for a monitor of Better Stack (behavior 16.129). */
export function mapMonitor(attributes: Attributes, surroundings: Surroundings): Mapped | Refusal {
  const type = textOf(attributes.monitor_type) ?? "";
  const map = Object.hasOwn(MAPPERS, type) ? MAPPERS[type] : undefined;
  const shown = type.slice(0, 40);
  if (!map) return { refusal: `stillup has no monitors of the type ${JSON.stringify(shown)}`, type: shown };
  const mapped = map(attributes, surroundings);
  if ("refusal" in mapped) return mapped;
  omitUnknown(attributes, FIELDS, surroundings.omit);
  const interval = intervalIn(attributes, () => {});
  const checksIn = (field: string) => checksOf(attributes, { field, interval, omit: surroundings.omit });
  const [confirmations, recoveries] = [checksIn("confirmation_period"), checksIn("recovery_period")];
  return {
    ...(confirmations > 0 && { confirmations }),
    ...(recoveries > 0 && { recoveries }),
    ...mapped,
  };
}

const MAX_CHECKS = 10;
/** Seconds: stillup looks again after half the interval, and at most these. */
const MAX_STEP = 20;

/** The further checks that take as long as a period of Better Stack. */
function checksOf(
  attributes: Attributes,
  { field, interval, omit }: { field: string; interval: number; omit: ReportOmission },
): number {
  const seconds = Math.max(0, numberOf(attributes[field]) ?? 0);
  const step = Math.min(interval / 2, MAX_STEP);
  const wanted = Math.ceil(seconds / step);
  if (wanted > MAX_CHECKS)
    omit(
      field,
      `it is ${seconds} s; at most ${MAX_CHECKS} further checks are possible, which take ${MAX_CHECKS * step} s here`,
    );
  return Math.min(wanted, MAX_CHECKS);
}

const USUAL_INTERVAL = 180;
const USUAL_TIMEOUT = 30;

function intervalIn({ check_frequency }: Attributes, omit: ReportOmission): number {
  return intervalOf(numberOf(check_frequency) ?? USUAL_INTERVAL, (_, why) => omit("check_frequency", why));
}

/** @param unit of the timeout: requests have seconds, and everything else has milliseconds */
function timesOf(attributes: Attributes, { unit, omit }: { unit: 1 | 1000; omit: ReportOmission }) {
  const interval = intervalIn(attributes, omit);
  const given = numberOf(attributes.request_timeout);
  const wanted = given ? given / unit : unit === 1 ? USUAL_TIMEOUT : 5;
  return { interval, timeout: timeoutOf(wanted, { interval, omit, what: "request_timeout" }) };
}

function mapHttp(attributes: Attributes, surroundings: Surroundings): Mapped | Refusal {
  const { omit } = surroundings;
  const expect = expectationOf(attributes);
  if ("refusal" in expect) return expect as Refusal;
  const method = methodOf(attributes, omit);
  const body = textOf(attributes.request_body) ?? "";
  const hasBody = method !== "GET" && method !== "HEAD";
  if (!hasBody && body !== "") omit("request_body", `stillup sends no body with ${method}`);
  if (isSet(attributes.proxy_host)) omit("proxy_host", PROXY);
  const days = numberOf(attributes.ssl_expiration) ?? 0;
  const config = requestConfig(
    {
      ...{ url: textOf(attributes.url)?.trim() ?? "", method, body: hasBody ? body : "" },
      ...timesOf(attributes, { unit: 1, omit }),
      headers: headersIn(attributes),
      user: userIn(attributes),
      followsRedirects: attributes.follow_redirects !== false,
      verifiesTls: attributes.verify_ssl !== false,
      expiryWarning: days > 0 ? clamp(1, Math.round(days), 365) : undefined,
      ipFamily: ipFamilyIn(attributes),
      expect,
    },
    surroundings,
  );
  if ("refusal" in config) return config as Refusal;
  return { type: "HTTP", config, ...(isSet(attributes.proxy_host) && { isPaused: true }) };
}

const PROXY =
  "the answer does not say which protocol the proxy has, as config.proxy needs it: the monitor is paused";

function methodOf({ http_method, monitor_type }: Attributes, omit: ReportOmission): string {
  const method = (textOf(http_method) ?? "GET").toUpperCase();
  if (method !== "HEAD" || !(textOf(monitor_type) ?? "").startsWith("keyword")) return method;
  omit("http_method", "it is HEAD, whose answer has no body to look at: it is GET here");
  return "GET";
}

/** A monitor of a keyword judges the body, and no status. */
function expectationOf(attributes: Attributes): Record<string, unknown> | Refusal {
  const { monitor_type, expected_status_codes, required_keyword } = attributes;
  if (monitor_type === "status") return { status: ["2xx"] };
  if (monitor_type === "expected_status_code") {
    const codes = listOf(expected_status_codes).flatMap((code) => numberOf(code) ?? []);
    const status = statusEntries(codesThat((code) => codes.includes(code)));
    return status ? { status } : { refusal: "it expects no status code of 200 to 999, or too many" };
  }
  const text = textOf(required_keyword);
  if (text === undefined) return { refusal: "it has no keyword" };
  const status = statusEntries(codesThat(() => true));
  return { status, [monitor_type === "keyword" ? "contains" : "lacks"]: text };
}

function headersIn({ request_headers }: Attributes): [string, string][] {
  return listOf(request_headers)
    .map(recordOf)
    .flatMap(({ name, value }): [string, string][] => {
      const key = textOf(name);
      return key === undefined ? [] : [[key, textOf(value) ?? ""]];
    });
}

function ipFamilyIn({ ip_version }: Attributes): 4 | 6 | undefined {
  if (ip_version === "ipv4") return 4;
  return ip_version === "ipv6" ? 6 : undefined;
}

function userIn({ auth_username, auth_password }: Attributes) {
  if (!isSet(auth_username) && !isSet(auth_password)) return undefined;
  return { name: textOf(auth_username) ?? "", password: textOf(auth_password) };
}

/* Connections, names and jobs. */

function hostIn({ url }: Attributes): string {
  const text = (textOf(url) ?? "").trim().replace(/^[a-z][a-z\d+.-]*:\/\//i, "");
  return text.replace(/[/?#].*$/s, "").replace(/^\[(.*)\]$/, "$1");
}

/** Fields that a request has, and other monitors of stillup have not. */
function omitUnused(attributes: Attributes, omit: ReportOmission): void {
  if (isSet(attributes.ip_version)) omit("ip_version", "only an HTTP monitor has a version of IP");
}

function mapPing(attributes: Attributes, { omit }: Surroundings): Mapped {
  omitUnused(attributes, omit);
  const { interval, timeout } = timesOf(attributes, { unit: 1000, omit });
  const config = { host: literal(hostIn(attributes)), protocol: "icmp", interval };
  return { type: "TCP", config: { ...config, ...timeoutField({ timeout, interval }) } };
}

function mapTcp(attributes: Attributes, { omit }: Surroundings): Mapped | Refusal {
  omitUnused(attributes, omit);
  const port = portIn(attributes, omit);
  if (port === undefined) return { refusal: "it has no port" };
  const { interval, timeout } = timesOf(attributes, { unit: 1000, omit });
  const config = { host: literal(hostIn(attributes).replace(/:\d+$/, "")), port, interval };
  return { type: "TCP", config: { ...config, ...timeoutField({ timeout, interval }) } };
}

/** The first port of a list such as `25,465,587`: one monitor has one port. */
function portIn({ port, url }: Attributes, omit: ReportOmission): number | undefined {
  const inUrl = /^[^:]*:(\d{1,5})$/.exec(hostIn({ url }))?.[1];
  const ports = (textOf(port) ?? inUrl ?? "").split(",").flatMap((one) => numberOf(one) ?? []);
  const [first, ...others] = ports;
  if (others.length > 0)
    omit("port", `a monitor has one port, which is ${first} here: create others for ${others.join(", ")}`);
  return first;
}

const PROTOCOLS: Record<string, string> = { smtp: "smtp", pop: "pop3", imap: "imap" };

/** Ports at which a connection begins with TLS. */
const TLS_PORTS = [465, 993, 995];

function mapMail(attributes: Attributes, surroundings: Surroundings): Mapped | Refusal {
  const mapped = mapTcp(attributes, surroundings);
  if ("refusal" in mapped) return mapped;
  const protocol = PROTOCOLS[textOf(attributes.monitor_type) ?? ""];
  const isTls = TLS_PORTS.includes(Number(mapped.config.port));
  const tls = isTls && { tls: "direct", ...(attributes.verify_ssl === false && { verifyTls: false }) };
  return { ...mapped, config: { ...mapped.config, protocol, ...tls } };
}

/** The URL is the DNS server, and the body of the request is the name to look up. */
function mapDns(attributes: Attributes, { omit }: Surroundings): Mapped | Refusal {
  const hostname = textOf(attributes.request_body)?.trim().replace(/\.$/, "");
  const server = hostIn(attributes);
  if (hostname === undefined) return { refusal: "it has no name to look up" };
  if (!isIP(server))
    return { refusal: "its DNS server has a name, and stillup asks servers by their addresses" };
  omitUnused(attributes, omit);
  const port = portIn({ port: attributes.port }, omit);
  if (isSet(attributes.required_keyword))
    omit("required_keyword", "stillup compares whole records: see `expected` of a DNS monitor");
  const address = isIPv6(server) ? `[${server}]` : server;
  const servers = [port === undefined || port === 53 ? server : `${address}:${port}`];
  return {
    type: "DNS",
    config: { hostname: literal(hostname), interval: intervalIn(attributes, omit), servers },
  };
}

const MIN_PERIOD = 10;
const YEAR = 31_536_000;
const DAY = 86_400;

const HEARTBEAT_FIELDS = new Set([
  ...[
    "url",
    "name",
    "period",
    "grace",
    "server_timezone",
    "heartbeat_group_id",
    "paused",
    "paused_at",
    "status",
  ],
  ...[
    "maintenance_from",
    "maintenance_to",
    "maintenance_timezone",
    "maintenance_days",
    "call",
    "sms",
    "email",
  ],
  ...[
    "push",
    "critical_alert",
    "team_wait",
    "policy_id",
    "team_name",
    "sort_index",
    "created_at",
    "updated_at",
  ],
]);

/** The job for a heartbeat of Better Stack (behavior 16.129). */
export function mapHeartbeat(attributes: Attributes, { ref, secrets, omit }: Surroundings): Mapped {
  omitUnknown(attributes, HEARTBEAT_FIELDS, omit);
  const secondsIn = (field: string, usual: number, least: number) => {
    const wanted = numberOf(attributes[field]) ?? usual;
    const fitting = clamp(least, Math.round(wanted), YEAR);
    if (fitting !== wanted) omit(field, `it is ${wanted} s; it is ${fitting} s here`);
    return fitting;
  };
  if (isSet(attributes.server_timezone) && attributes.server_timezone !== "UTC")
    omit("server_timezone", "a period has no time zone: set cron and timezone in place of it");
  const url = textOf(attributes.url) ?? "";
  const token =
    url
      .replace(/[?#].*$/s, "")
      .split("/")
      .filter(Boolean)
      .at(-1) ?? "";
  const push = isPushToken(token) ? secrets.write(token, "SCHEDULED", ref, "pushToken") : undefined;
  if (push === undefined)
    omit("url", "its last part is no token here: the job calls the check-in URL that the page shows");
  const times = { period: secondsIn("period", DAY, MIN_PERIOD), grace: secondsIn("grace", 0, 0) };
  return {
    type: "SCHEDULED",
    config: { ...times, ...(push !== undefined && { pushToken: push }) },
    ...(push === token && { note: `its job calls /ping/${token} of this server in place of ${url}` }),
  };
}
