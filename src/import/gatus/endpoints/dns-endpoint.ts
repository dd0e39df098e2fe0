import { RECORD_TYPES, type RecordType } from "../../../domain/checks/dns-record.ts";
import { parseDnsServer } from "../../../domain/network/dns-server.ts";
import { isIPv4, isIPv6 } from "../../../domain/network/ip-address.ts";
import { recordOf, textOf } from "../../untyped.ts";
import { hasVariable, resolved } from "../../variables.ts";
import { type Comparison, type Healthy, readConditions, WITHOUT_HTTP } from "../conditions/conditions.ts";
import { holds, INVALID } from "../conditions/evaluation.ts";
import type { Endpoint, Mapped, Refusal } from "./endpoint.ts";

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
