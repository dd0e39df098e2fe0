import type { RefNames } from "../../domain/configuration/placeholder.ts";
import { isProtocolHeader } from "../../domain/monitors/kinds/http.ts";
import { parseConfig } from "../../domain/monitors/monitor.ts";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { faultIn } from "../checked.ts";
import { named, type Report } from "../imported.ts";
import { type Access, accessOf } from "./access.ts";
import {
  flagOf,
  idOf,
  intervalOf,
  isRow,
  jsonOf,
  MAX_NAME,
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
import { COMPUTED, headersOf, httpFrom } from "./http.ts";
import { dnsFrom, mysqlFrom, pingFrom, postgresFrom, redisFrom, smtpFrom, tcpFrom } from "./protocols.ts";
import type { Groups } from "./tags.ts";

const ONLY = "stillup calls only grpc.health.v1.Health/Check";

/** Type `grpc-keyword`: taken over if it asks for the health that servers have in common. */
function grpcFrom(row: Row): Mapped | Refused {
  const service = textIn(row, "grpc_service_name");
  const isHealth =
    /^\.?(grpc\.health\.v1\.)?Health$/.test(service) &&
    textIn(row, "grpc_method").toLowerCase() === "check" &&
    /\bpackage\s+grpc\.health\.v1\s*;/.test(textIn(row, "grpc_protobuf"));
  if (!isHealth) return { why: `its call is another one: ${ONLY}` };
  const keyword = textIn(row, "keyword").replaceAll('"', "");
  if (flagOf(row, "invert_keyword")) return { why: "its keyword is inverted: only SERVING is up here" };
  if (keyword !== "" && keyword !== "SERVING")
    return { why: "its keyword is not SERVING, which alone is up here" };
  const omitted = omittedTimes(row);
  return {
    type: "HTTP",
    config: {
      url: `${flagOf(row, "grpc_enable_tls") ? "https" : "http"}://${textIn(row, "grpc_url")}`,
      protocol: "grpc",
      ...serviceIn(row),
      ...headersIn(row, omitted),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    omitted,
    notes: [],
  };
}

/** The body of the call is the request as JSON. */
function serviceIn(row: Row): { service?: string } {
  const request = jsonOf(row, "grpc_body");
  const service = isRow(request) ? textIn(request, "service") : "";
  return service === "" ? {} : { service };
}

/** Whether stillup or the protocol sets a header. */
function isOwn(name: string): boolean {
  return COMPUTED.has(name.toLowerCase()) || isProtocolHeader(name, "grpc");
}

function headersIn(row: Row, omitted: OmittedPart[]): { headers?: Record<string, string> } {
  const metadata = jsonOf(row, "grpc_metadata");
  const entries = isRow(metadata) ? Object.entries(metadata) : [];
  const taken = entries.filter(([name]) => !isOwn(name));
  for (const [name] of entries.filter(([one]) => isOwn(one)))
    omitted.push({ part: `metadata ${name}`, why: "stillup sets it itself" });
  return taken.length === 0
    ? {}
    : { headers: Object.fromEntries(taken.map(([name, value]) => [name, String(value)])) };
}

/** Type `websocket-upgrade`. */
function webSocketFrom(row: Row): Mapped | Refused {
  const [, secure, rest] = /^ws(s?):\/\/(.+)$/is.exec(textIn(row, "url")) ?? [];
  if (rest === undefined) return { why: "its URL does not begin with ws:// or wss://" };
  const codes = jsonOf(row, "accepted_statuscodes_json");
  if (Array.isArray(codes) && !codes.some((code) => accepts(code, NORMAL_CLOSURE)))
    return { why: `it does not accept the close code ${NORMAL_CLOSURE}, which a working WebSocket has` };
  const subprotocols = textIn(row, "ws_subprotocol").replaceAll(/\s/g, "");
  const omitted = [...omittedTimes(row), ...omittedAccept(row)];
  const { headers, access } = signInOf(row, omitted);
  return {
    type: "HTTP",
    config: {
      url: `http${secure?.toLowerCase()}://${rest}`,
      protocol: "websocket",
      ...fieldOfHeaders({
        ...headers,
        ...(subprotocols !== "" && { "Sec-WebSocket-Protocol": subprotocols }),
      }),
      ...access.config,
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    omitted: [...omitted, ...access.omitted],
    notes: [],
    isPaused: access.isPaused,
  };
}

/** Newer versions of Uptime Kuma send headers and a sign-in. Here a WebSocket has Basic authentication only. */
function signInOf(row: Row, omitted: OmittedPart[]) {
  const given = headersOf(row, omitted);
  const own = Object.keys(given).filter((name) => isProtocolHeader(name, "websocket"));
  for (const name of own) omitted.push({ part: `header ${name}`, why: "stillup sets it itself" });
  const headers = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)));
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const access = accessOf(row, { proxies: [], hasAuthorization, user: { user: "", password: "" } });
  return { headers, access: withoutOthers(access) };
}

/** Only Basic authentication is for a WebSocket. */
function withoutOthers(access: Access): Access {
  const others = Object.keys(access.config).filter((field) => field !== "basicAuth");
  const omitted = others.map((part) => ({
    part,
    why: "stillup opens a WebSocket without it: the monitor is paused",
  }));
  return {
    ...access,
    config: access.config.basicAuth ? { basicAuth: access.config.basicAuth } : {},
    omitted: [...access.omitted, ...omitted],
    isPaused: access.isPaused || others.length > 0,
  };
}

function fieldOfHeaders(headers: Record<string, string>): { headers?: Record<string, string> } {
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** Uptime Kuma closes what it opened, with this code. */
const NORMAL_CLOSURE = 1000;

/** @param range such as `1000` or `1000-1003` */
function accepts(range: unknown, code: number): boolean {
  const [first = Number.NaN, last = first] = String(range).split("-").map(Number);
  return first <= code && code <= last;
}

function omittedAccept(row: Row): OmittedPart[] {
  if (!flagOf(row, "ws_ignore_sec_websocket_accept_header")) return [];
  return [{ part: "ignored Sec-WebSocket-Accept", why: "a server whose value is wrong is down here" }];
}

/** A monitor that is taken over. It has the texts of Uptime Kuma: nothing is a placeholder yet. */
export interface MappedMonitor {
  ref: string;
  row: Row;
  name: string;
  type: Mapped["type"] | "TLS";
  config: Record<string, unknown>;
  enabled: boolean;
  tags: string[];
  confirmations: number;
  /** Seconds after which a channel is notified again; 0: never. */
  every: number;
}

interface MonitorContext {
  refOf: RefNames;
  groups: Groups;
  tagsOf: (row: Row) => string[];
  report: Report;
  proxies: readonly Row[];
  /** The push tokens of the monitors before. */
  tokens: Set<unknown>;
}

const TYPES: Record<string, (row: Row, file: { proxies: readonly Row[] }) => Mapped | Refused> = {
  http: httpFrom,
  keyword: httpFrom,
  "json-query": httpFrom,
  port: tcpFrom,
  dns: dnsFrom,
  push: pushFrom,
  ping: pingFrom,
  smtp: smtpFrom,
  redis: redisFrom,
  postgres: postgresFrom,
  mysql: mysqlFrom,
  "websocket-upgrade": webSocketFrom,
  "grpc-keyword": grpcFrom,
};

/** The monitor for a row (behavior 16.96); undefined if it is a group or cannot be taken over, which the report then says. */
export function monitorFrom(
  row: Row,
  { refOf, groups, tagsOf, report, proxies, tokens }: MonitorContext,
): MappedMonitor | undefined {
  const name = textIn(row, "name");
  const taken = mappedFrom(row, { groups, proxies });
  if (taken === undefined) return undefined;
  if ("why" in taken) {
    report.lose(named("monitor", name), taken.why, taken.type);
    return undefined;
  }
  const { pushToken, ...others } = taken.config;
  const isSecond = pushToken !== undefined && tokens.has(pushToken);
  if (isSecond) taken.omitted.push({ part: "push token", why: "another monitor has the same one" });
  tokens.add(pushToken);
  for (const { part, why } of [...taken.omitted, ...omittedFields(row)])
    report.omit(named("monitor", name, part), why);
  for (const note of taken.notes) report.note(`${named("monitor", name)}: ${note}`);
  const ref = refOf(name);
  return {
    ...{ ref, row, name: name || ref, type: taken.type, config: isSecond ? others : taken.config },
    enabled: flagOf(row, "active", true) && !groups.isPaused(row) && taken.isPaused !== true,
    tags: tagsOf(row),
    confirmations: taken.type === "SCHEDULED" ? 0 : Math.min(retriesOf(row), MAX_CONFIRMATIONS),
    every: reminderOf(row),
  };
}

/** @returns undefined for a group, which is a tag here */
function mappedFrom(
  row: Row,
  { groups, proxies }: Pick<MonitorContext, "groups" | "proxies">,
): Mapped | Refused | undefined {
  const type = textIn(row, "type");
  if (groups.tagOf(idOf(row)) !== undefined) return undefined;
  const from = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const shown = type.slice(0, 40);
  if (!from) return { why: `stillup has no monitors of the type ${JSON.stringify(shown)}`, type: shown };
  if (flagOf(row, "upside_down")) return { why: "it is upside down: stillup has no monitors that must fail" };
  const taken = from(row, { proxies });
  return "why" in taken ? taken : accepted({ ...taken, config: withoutUndefined(taken.config) });
}

/** Without what a server refuses of its access: then the monitor is paused. */
function accepted(taken: Mapped): Mapped | Refused {
  const fault = faultIn(() => parseConfig(taken.type, taken.config, "enterprise"));
  if (fault === undefined) return taken;
  const [, part] = /^config\.(clientCertificate|proxy|digestAuth|oauth2)\b/.exec(fault) ?? [];
  if (part === undefined || !(part in taken.config)) return { why: fault };
  const { [part]: _, ...config } = taken.config;
  const omitted = [...taken.omitted, { part, why: `${fault}: the monitor is paused` }];
  return accepted({ ...taken, config, omitted, isPaused: true });
}

function withoutUndefined(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

const MAX_CONFIRMATIONS = 10;
const MIN_REMINDER = 300;
const MAX_REMINDER = 604_800;

function retriesOf(row: Row): number {
  return Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
}

/** Uptime Kuma counts the checks between two reminders. */
function wantedReminder(row: Row): number {
  return Math.max(0, Math.round(numberOf(row, "resend_interval") ?? 0)) * intervalOf(row);
}

function reminderOf(row: Row): number {
  const wanted = wantedReminder(row);
  return wanted === 0 ? 0 : Math.min(Math.max(wanted, MIN_REMINDER), MAX_REMINDER);
}

/** Parts of monitors of all types that are not taken over. */
function omittedFields(row: Row): OmittedPart[] {
  const retries = retriesOf(row);
  const isProbed = textIn(row, "type") !== "push";
  const reminder = wantedReminder(row);
  const omitted: OmittedPart[] = [];
  if ([...textIn(row, "name")].length > MAX_NAME)
    omitted.push({ part: "name", why: `it has more than ${MAX_NAME} characters: it is cut` });
  if (textIn(row, "description") !== "")
    omitted.push({ part: "description", why: "a monitor has none here" });
  if (isProbed && retries > MAX_CONFIRMATIONS)
    omitted.push({
      part: "retries",
      why: `${retries} are more than the ${MAX_CONFIRMATIONS} confirmations that are possible, which it has here`,
    });
  if (reminder !== reminderOf(row))
    omitted.push({
      part: "reminders",
      why: `every ${reminder} s is not possible: it is ${reminderOf(row)} s`,
    });
  return omitted;
}

/** Type `push`: silence is one failed check, and each retry is one more interval. */
function pushFrom(row: Row): Mapped {
  const wanted = numberOf(row, "interval") || MIN_PERIOD;
  const period = Math.max(intervalOf(row), MIN_PERIOD);
  const retries = Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
  const retryInterval = Math.round(numberOf(row, "retry_interval") ?? 0) || intervalOf(row);
  const grace = GRACE + Math.min(retries * retryInterval, MAX_GRACE);
  const token = textIn(row, "push_token");
  const isUsable = isPushToken(token);
  const omitted = intervalOf(row) === period ? omittedInterval(row) : [];
  if (intervalOf(row) < period)
    omitted.push({
      part: "interval",
      why: `it is ${wanted} s; the shortest period is ${period} s, which it is here`,
    });
  if (retries * retryInterval > MAX_GRACE)
    omitted.push({
      part: "retries",
      why: `they take ${retries * retryInterval} s, and the longest are ${MAX_GRACE} s, which they are here`,
    });
  if (!isUsable) omitted.push({ part: "push token", why: "it must be 8 to 64 letters and digits" });
  return {
    type: "SCHEDULED",
    config: { period, grace, ...(isUsable && { pushToken: token }) },
    omitted,
    notes: [],
  };
}

/** Seconds that a job may be late in addition to its retries. */
const GRACE = 60;
const MAX_GRACE = 30_000_000;

/** Seconds. */
const MIN_PERIOD = 10;
