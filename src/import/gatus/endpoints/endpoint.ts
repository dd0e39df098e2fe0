import { RECORD_TYPES, type RecordType } from "../../../domain/checks/observation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { isIPv4, isIPv6 } from "../../../domain/network/client-address.ts";
import { parseDnsServer } from "../../../domain/network/dns-server.ts";
import { intervalOf, TIMEOUT, timeoutOf } from "../../check-fields.ts";
import { listOf, type ReportOmission, recordOf, textOf } from "../../imported.ts";
import { type Environment, hasVariable, resolved, type Secrets } from "../../output-config.ts";
import { type Comparison, type Healthy, readConditions, WITHOUT_HTTP } from "../conditions/conditions.ts";
import { holds, INVALID } from "../conditions/evaluation.ts";
import { durationIn } from "../variables.ts";

/** An endpoint of Gatus. Texts of its fields are as a document writes them. */
export interface Endpoint {
  /** The ref of its monitor. */
  ref: string;
  fields: Record<string, unknown>;
  client: Record<string, unknown>;
  url: string;
  body: string;
  conditions: string[];
  /** Seconds. */
  interval: number;
  timeout: number;
  env: Environment;
  secrets: Secrets;
  omit: ReportOmission;
  /** A sentence about what was taken over. */
  note: (sentence: string) => void;
}

/** The monitor for an endpoint. */
export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
  /** The config of a further monitor, for the registration of the domain. */
  domain?: Record<string, unknown>;
  /** Whether it could only fail here, so that it is created paused. */
  isPaused?: boolean;
}

export interface Refusal {
  refusal: string;
  /** If stillup has no monitors of that type. */
  type?: string;
}

const MINUTE = 60_000;

export function readEndpoint(
  fields: Record<string, unknown>,
  { ref, env, secrets, omit, note }: Pick<Endpoint, "ref" | "env" | "secrets" | "omit" | "note">,
): Endpoint {
  const client = recordOf(fields.client);
  const interval = intervalIn(fields, env, omit);
  return {
    ...{ ref, fields, client, interval, env, secrets, omit, note },
    timeout: timeoutIn(client, { interval, env, omit }),
    url: textOf(fields.url) ?? "",
    body: bodyOf(fields, omit),
    conditions: listOf(fields.conditions).map((one) => textOf(one) ?? ""),
  };
}

/** @returns seconds */
function intervalIn({ interval }: Record<string, unknown>, env: Environment, omit: ReportOmission): number {
  const length = interval === undefined ? MINUTE : durationIn(interval, env);
  if (length === undefined)
    omit("interval", "it is not a duration, or a variable that is not set: it is 60 s");
  return intervalOf((length || MINUTE) / 1000, omit);
}

/** The default is the same in Gatus and here. @returns seconds */
function timeoutIn(
  { timeout }: Record<string, unknown>,
  { interval, env, omit }: { interval: number; env: Environment; omit: ReportOmission },
): number {
  const length = timeout === undefined ? 0 : durationIn(timeout, env);
  if (length === undefined)
    omit("client.timeout", `it is not a duration, or a variable that is not set: it is ${TIMEOUT} s`);
  const wanted = length && length >= 1 ? length / 1000 : TIMEOUT;
  return timeoutOf(wanted, { interval, omit, what: "client.timeout" });
}

function bodyOf(fields: Record<string, unknown>, omit: ReportOmission): string {
  const body = (textOf(fields.body) ?? "")
    .replaceAll("[ENDPOINT_NAME]", () => textOf(fields.name) ?? "")
    .replaceAll("[ENDPOINT_GROUP]", () => textOf(fields.group) ?? "")
    .replaceAll("[ENDPOINT_URL]", () => textOf(fields.url) ?? "");
  const [changing] = /\[(RANDOM_STRING_\d+|LOCAL_ADDRESS)\]/.exec(body) ?? [];
  if (changing) omit("body", `stillup sends ${changing} as it is written`);
  return body;
}

/** By the setting of the client. */
const MISSING_HERE: Record<string, string> = {
  oauth2: "stillup gets no token by OAuth 2",
  "identity-aware-proxy": "stillup gets no token of Google",
  tls: "stillup has no client certificates",
  "proxy-url": "stillup uses no proxy",
  tunnel: "stillup has no tunnels; a location in that network can check it",
};

const DIFFERENT_HERE: Record<string, string> = {
  "dns-resolver": "stillup looks names up itself: see --dns-servers",
  "store-cookies": "stillup keeps no cookies",
};

/** Whether a check from here could only fail. */
export function isUnreachable({ client, omit }: Endpoint): boolean {
  for (const [name, why] of Object.entries(DIFFERENT_HERE)) if (client[name]) omit(`client.${name}`, why);
  const missing = Object.entries(MISSING_HERE).filter(([name]) => client[name]);
  for (const [name, why] of missing) omit(`client.${name}`, `${why}: the monitor is paused`);
  return missing.length > 0;
}

/** Types whose only value Gatus shows in the form of a zone file. */
const COMPARABLE: RecordType[] = ["A", "AAAA", "CNAME", "NS", "PTR", "TXT"];

/** A DNS monitor (behavior 16.113). */
export function mapDns(endpoint: Endpoint): Mapped | Refusal {
  const { fields, env, interval } = endpoint;
  const dns = recordOf(fields.dns);
  const hostname = textOf(dns["query-name"])?.replace(/\.$/, "");
  if (hostname === undefined) return { refusal: "it has no dns.query-name" };
  const type = resolved(textOf(dns["query-type"]) ?? "", env).toUpperCase();
  const recordType = RECORD_TYPES.find((one) => one === type);
  if (!recordType)
    return { refusal: `stillup does not look up records of the type ${type || "that is not given"}` };
  const draft: Draft = { recordType, env, expected: undefined };
  const { omitted, refusal } = readConditions(endpoint.conditions, {
    ...{ env, healthy: healthyOf(recordType), inverted: NAMELESS },
    read: (condition) => readCondition(condition, draft),
  });
  if (refusal !== undefined) return { refusal };
  for (const { condition, why } of omitted) endpoint.omit(`condition ${condition}`, why);
  const expected = draft.expected === undefined ? {} : { expected: [draft.expected] };
  return { type: "DNS", config: { hostname, interval, recordType, ...expected, ...serversField(endpoint) } };
}

const NAMELESS = "it is healthy while the name has no records: stillup has no such expectation";

/** A DNS monitor is healthy while the name has records. */
function healthyOf(recordType: RecordType): Healthy {
  const isRecord: Partial<Record<RecordType, (text: string) => boolean>> = { A: isIPv4, AAAA: isIPv6 };
  return {
    ...{ ...WITHOUT_HTTP, DNS_RCODE: (value) => value === "NOERROR" },
    ...{ BODY: isRecord[recordType] ?? ((value) => value !== ""), valueAt: () => INVALID },
  };
}

interface Draft {
  recordType: RecordType;
  env: Endpoint["env"];
  expected: string | undefined;
}

function readCondition(condition: Comparison, draft: Draft): string | undefined {
  const { operand, operator, wanted } = condition;
  if (operand.name === "CONNECTED" && holds(condition, "true", draft.env)) return undefined;
  if (operand.name === "DNS_RCODE") return readCode(condition, draft.env);
  if (operand.name !== "BODY" || operand.path !== "" || operand.wrapper)
    return "a DNS monitor expects only records";
  if (isAnyAddress(condition)) return undefined;
  if (operator !== "==" || wanted.kind !== "text") return "a DNS monitor expects exact records, no pattern";
  if (!COMPARABLE.includes(draft.recordType))
    return `Gatus shows only a part of a record of ${draft.recordType}`;
  if (draft.expected === wanted.text) return undefined;
  if (draft.expected !== undefined) return "it contradicts another condition";
  if (wanted.text === "") return "a record is never empty";
  draft.expected = wanted.text;
  return undefined;
}

/** A name without records is Missing in any case. */
function readCode(condition: Comparison, env: Endpoint["env"]): string | undefined {
  const isOne = condition.wanted.kind === "text" || condition.operator === "!=";
  return isOne && holds(condition, "NOERROR", env)
    ? undefined
    : "a name without records is Missing in any case";
}

/** A pattern such as `*.*.*.*`. */
function isAnyAddress({ operator, wanted }: Comparison): boolean {
  return operator === "==" && wanted.kind === "pattern" && /^[*.:]+$/.test(wanted.pattern);
}

function serversField({ url, env, omit }: Endpoint): { servers?: string[] } {
  const server = url.replace(/^(dns|udp|tcp):\/\//, "");
  if (server === "") return {};
  if (parseDnsServer(resolved(server, env)) || hasVariable(server)) return { servers: [server] };
  omit("url", "stillup takes only IP addresses as DNS servers: it asks its own");
  return {};
}
