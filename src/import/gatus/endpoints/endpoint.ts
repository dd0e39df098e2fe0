import { isSameJson } from "../../../domain/canonical-json.ts";
import { RECORD_TYPES, type RecordType } from "../../../domain/checks/observation.ts";
import { literal } from "../../../domain/configuration/placeholder.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { isIPv4, isIPv6 } from "../../../domain/network/client-address.ts";
import { parseDnsServer } from "../../../domain/network/dns-server.ts";
import { intervalOf, TIMEOUT, timeoutOf } from "../../check-fields.ts";
import { listOf, type ReportOmission, recordOf, textOf } from "../../imported.ts";
import { type Environment, hasVariable, resolved, type Secrets } from "../../output-config.ts";
import {
  type Comparison,
  type Healthy,
  isOpen,
  isOpenEnded,
  readConditions,
  textsBetweenStars,
  type Wanted,
  WITHOUT_HTTP,
} from "../conditions/conditions.ts";
import { holds, INVALID, wholeNumber } from "../conditions/evaluation.ts";
import { durationIn } from "../variables.ts";
import type { Files } from "./access.ts";

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
  /** The files of its client. */
  files: Files;
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
  {
    ref,
    env,
    secrets,
    files,
    omit,
    note,
  }: Pick<Endpoint, "ref" | "env" | "secrets" | "files" | "omit" | "note">,
): Endpoint {
  const client = recordOf(fields.client);
  const interval = intervalIn(fields, env, omit);
  return {
    ...{ ref, fields, client, interval, env, secrets, files, omit, note },
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

/** By the setting of the client: the settings that no monitor has. */
const MISSING_HERE: Record<string, string> = {
  "identity-aware-proxy": "stillup gets no token of Google",
  tunnel: "stillup has no tunnels; a location in that network can check it",
};

/** By the setting of the client: the settings that only a monitor of `http` or `https` has. */
const MISSING_BESIDE_HTTP: Record<string, string> = {
  oauth2: "stillup gets a token only for HTTP",
  tls: "stillup sends a client certificate only over HTTP",
  "proxy-url": "stillup uses a proxy only for HTTP",
};

const DIFFERENT_HERE: Record<string, string> = {
  "dns-resolver": "stillup looks names up itself: see --dns-servers",
  "store-cookies": "stillup keeps cookies for the redirects of one check, and not for the next check",
};

/** Whether a check from here could only fail. */
export function isUnreachable({ client, omit }: Endpoint, { isHttp = false } = {}): boolean {
  for (const [name, why] of Object.entries(DIFFERENT_HERE)) if (client[name]) omit(`client.${name}`, why);
  const all = { ...(isHttp ? {} : MISSING_BESIDE_HTTP), ...MISSING_HERE };
  const missing = Object.entries(all).filter(([name]) => client[name]);
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
  const isNameless = endpoint.conditions.length > 0 && expectsNoRecord(endpoint.conditions, env);
  const draft: Draft = { recordType, env, isNameless, expected: {} };
  const { omitted, refusal } = readConditions(endpoint.conditions, {
    ...{ env, healthy: isNameless ? NO_RECORD : healthyOf(recordType), inverted: NAMELESS },
    read: (condition) => readCondition(condition, draft),
  });
  if (refusal !== undefined) return { refusal };
  for (const { condition, why } of omitted) endpoint.omit(`condition ${condition}`, why);
  const expected = isNameless ? { expected: [] } : draft.expected;
  return { type: "DNS", config: { hostname, interval, recordType, ...expected, ...serversField(endpoint) } };
}

const NAMELESS = "it is healthy while a lookup fails: stillup has no such expectation";

/** A DNS monitor is healthy while the name has records. */
function healthyOf(recordType: RecordType): Healthy {
  const isRecord: Partial<Record<RecordType, (text: string) => boolean>> = { A: isIPv4, AAAA: isIPv6 };
  return {
    ...{ ...WITHOUT_HTTP, DNS_RCODE: (value) => value === "NOERROR" },
    ...{ BODY: isRecord[recordType] ?? ((value) => value !== ""), valueAt: () => INVALID },
  };
}

/** One with `expected: []` is healthy while it has none. */
const NO_RECORD: Healthy = {
  ...{ ...WITHOUT_HTTP, BODY: (value) => value === "", valueAt: () => INVALID },
  DNS_RCODE: (value) => value === "NOERROR" || value === "NXDOMAIN",
};

interface Draft {
  recordType: RecordType;
  env: Endpoint["env"];
  isNameless: boolean;
  expected: { expected?: string[]; expectedAny?: string[]; expectedContains?: string[] };
}

function readCondition(condition: Comparison, draft: Draft): string | undefined {
  const { operand, operator, wanted } = condition;
  if (operand.name === "CONNECTED" && holds(condition, "true", draft.env)) return undefined;
  if (operand.name === "DNS_RCODE") return readCode(condition, draft);
  if (operand.name === "BODY" && operand.path === "" && isAboutNothing(condition, draft.env))
    return holds(condition, draft.isNameless ? "" : "192.0.2.1", draft.env)
      ? undefined
      : "it contradicts another condition";
  if (operand.name !== "BODY" || operand.path !== "" || operand.wrapper)
    return "a DNS monitor expects only records";
  if (isAnyAddress(condition)) return undefined;
  if (operator !== "==") return "a DNS monitor expects records, and not that there is another one";
  if (!COMPARABLE.includes(draft.recordType))
    return `Gatus shows only a part of a record of ${draft.recordType}`;
  if (wanted.kind === "text" && wanted.text === "") return "a record is never empty";
  const found = recordsOf(wanted, draft.recordType);
  if ("why" in found) return found.why;
  if (isSameJson(draft.expected, found.expected)) return undefined;
  if (Object.keys(draft.expected).length > 0) return "it contradicts another condition";
  draft.expected = found.expected;
  return found.line;
}

const MORE = "Gatus shows the last record only: here the name may have other records too";

/** @property line what is different here */
function recordsOf(
  wanted: Wanted,
  recordType: RecordType,
): { expected: Draft["expected"]; line?: string } | { why: string } {
  if (wanted.kind === "text") return { expected: { expected: [wanted.text] } };
  if (wanted.kind === "any")
    return wanted.hasVariable
      ? { why: "a DNS monitor expects no list with a variable" }
      : { expected: { expectedAny: [...new Set(wanted.options)].map(literal) }, line: MORE };
  const texts = isOpenEnded(wanted.pattern) ? textsBetweenStars(wanted.pattern) : undefined;
  const [text] = texts ?? [];
  const isAddress = recordType === "A" || recordType === "AAAA";
  if (texts?.length !== 1 || text === undefined || text.includes("/") || isAddress)
    return { why: "a DNS monitor expects records, or parts of the records of other types than A and AAAA" };
  return { expected: { expectedContains: [text] }, line: MORE };
}

/** Whether an endpoint is healthy while the name has no records, and only then. */
function expectsNoRecord(conditions: readonly string[], env: Endpoint["env"]): boolean {
  let isNameless = false;
  readConditions(conditions, {
    ...{ env, healthy: NO_RECORD },
    read: (condition) => {
      const { name, path } = condition.operand;
      const isBody = name === "BODY" && path === "" && isAboutNothing(condition, env);
      const isCode = name === "DNS_RCODE" && condition.operator === "==" && holds(condition, "NXDOMAIN", env);
      if ((isBody && holds(condition, "", env)) || (isCode && !holds(condition, "NOERROR", env)))
        isNameless = true;
      return undefined;
    },
  });
  return isNameless;
}

/** Whether a condition is only about whether there is a record: it holds for none, or else for each. */
function isAboutNothing(condition: Comparison, env: Endpoint["env"]): boolean {
  const { operand, operator, wanted } = condition;
  if (wanted.kind !== "text" || isOpen(condition, env)) return false;
  if (operand.wrapper === "has") return ["true", "false"].includes(resolved(wanted.text, env));
  if (operand.wrapper === null) return wanted.text === "";
  const comparison = `${operator} ${wholeNumber(resolved(wanted.text, env)) ?? 0n}`;
  return ["== 0", "<= 0", "< 1", "!= 0", "> 0", ">= 1"].includes(comparison);
}

function readCode(condition: Comparison, { env, isNameless }: Draft): string | undefined {
  const isOne = condition.wanted.kind === "text" || condition.operator === "!=";
  const takes = (code: string) => holds(condition, code, env);
  if (isNameless && takes("NXDOMAIN"))
    return takes("NOERROR") ? undefined : "a name that exists, but without such records, is healthy here too";
  if (isNameless && takes("NOERROR")) return "a name that does not exist is healthy here too";
  return isOne && takes("NOERROR") ? undefined : "a name without records is Missing in any case";
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
