import {
  codesThat,
  FIRST_CODE,
  isCode,
  LAST_CODE,
  type StatusCodes,
  statusEntries,
} from "../../http-fields.ts";
import { type Environment, resolved } from "../../output-config.ts";
import { type BodyExpectations, expectOfBody, newBodyExpectations } from "./body-conditions.ts";
import {
  CONNECTED,
  type Comparison,
  type Healthy,
  isOpen,
  type OmittedCondition,
  OPEN,
  readConditions,
  warnDaysOf,
} from "./conditions.ts";
import { holds, wholeNumber } from "./evaluation.ts";

/** The expectations for the conditions of an HTTP endpoint. */
export interface HttpConditions {
  expect?: Record<string, unknown>;
  /** How many days before the end of the certificate there is a warning. */
  expiryWarning?: number;
  /** The `warnDays` of the registration of the domain. */
  registrationDays?: number;
  /** Conditions that are not taken over, or not exactly. */
  omitted: OmittedCondition[];
  notes: string[];
  /** Why the endpoint has no counterpart at all. */
  refusal?: string;
}

/** Collects the expectations of all conditions. */
interface Draft extends BodyExpectations {
  codes: StatusCodes | null;
  within: number | null;
  expiryWarning: number | null;
  registrationDays: number | null;
}

type Read = (condition: Comparison, draft: Draft, surroundings: Surroundings) => string | undefined;

interface Surroundings {
  env: Environment;
  /** In milliseconds. */
  timeout: number;
  isHttps: boolean;
}

/** By the name of the placeholder. Each returns why a condition is not taken over, or undefined. */
const readers: Record<Comparison["operand"]["name"], Read> = {
  STATUS: readStatus,
  RESPONSE_TIME: readResponseTime,
  CERTIFICATE_EXPIRATION: readCertificate,
  CONNECTED: (condition, _, { env }) =>
    holds(condition, "true", env) ? undefined : "a monitor is up only while the server answers",
  BODY: (condition, draft, { env }) => expectOfBody(condition, draft, env),
  DOMAIN_EXPIRATION: readRegistration,
  IP: () =>
    "stillup has no expectation of the address that a name has; a DNS monitor with expected does that",
  DNS_RCODE: () => "it has a meaning for DNS only",
  CONTEXT: () => "an expectation has no values of earlier steps",
};

/** Translates conditions (behavior 16.111, 16.112). */
export function httpConditions(conditions: readonly string[], surroundings: Surroundings): HttpConditions {
  const draft: Draft = {
    ...newBodyExpectations(),
    ...{ codes: null, within: null, expiryWarning: null, registrationDays: null },
  };
  const healthy: Healthy = {
    ...CONNECTED,
    STATUS: (value) => /^[2-9]\d\d$/.test(value),
    RESPONSE_TIME: (value) => Number(value) >= 0 && Number(value) <= surroundings.timeout,
    CERTIFICATE_EXPIRATION: (value) => !surroundings.isHttps || Number(value) > 0,
  };
  const { omitted, refusal } = readConditions(conditions, {
    ...{ env: surroundings.env, healthy },
    read: (condition) => readers[condition.operand.name](condition, draft, surroundings),
  });
  if (refusal !== undefined) return { omitted, notes: [], refusal };
  const { expiryWarning, registrationDays } = draft;
  return {
    ...expectOf(draft, omitted),
    ...(expiryWarning !== null && { expiryWarning }),
    ...(registrationDays !== null && { registrationDays }),
    ...{ omitted, notes: draft.notes },
  };
}

function expectOf(draft: Draft, omitted: OmittedCondition[]): Pick<HttpConditions, "expect" | "refusal"> {
  const { codes, within, contains, lacks, matches, json } = draft;
  const others = {
    ...(contains.length > 0 && { contains: single(contains) }),
    ...(lacks.length > 0 && { lacks: single(lacks) }),
    ...(matches.length > 0 && { matches: single(matches) }),
    ...(json.size > 0 && { json: Object.fromEntries(json) }),
  };
  const time = within === null ? {} : { within };
  // If a condition is left out, and nothing else says what a good answer is, that is 2xx.
  const isGuessed = codes === null && omitted.length > 0 && Object.keys(others).length === 0;
  if (isGuessed) return { expect: { status: ["2xx"], ...time } };
  // Without an expectation, every answer is one.
  if (codes === null && within === null && Object.keys(others).length === 0) return {};
  const status = statusEntries(codes ?? codesThat(() => true));
  if (!status) return { refusal: "its conditions for [STATUS] accept no status, or too many ranges" };
  return { expect: { status, ...others, ...time } };
}

function single<T>(list: T[]): T | T[] {
  return list.length === 1 && list[0] !== undefined ? list[0] : list;
}

function readStatus(condition: Comparison, draft: Draft, { env }: Surroundings) {
  const { operator, wanted, operand } = condition;
  if (operand.wrapper) return `stillup has no ${operand.wrapper}() of a status`;
  if (isOpen(condition, env)) return OPEN;
  const isText = wanted.kind === "text" && wholeNumber(resolved(wanted.text, env)) === undefined;
  if (isText || (wanted.kind !== "text" && operator !== "==" && operator !== "!="))
    return "it does not compare the status with a number";
  const accepts = (code: number) => holds(condition, String(code), env);
  const codes = codesThat(accepts);
  draft.codes = draft.codes ? codes.intersection(draft.codes) : codes;
  return lostCodes(condition, accepts);
}

/** The accepted codes that a condition names, and that no expectation takes. */
function lostCodes({ operator, wanted }: Comparison, accepts: (code: number) => boolean): string | undefined {
  if (operator === "!=" || wanted.kind !== "any") return undefined;
  const lost = wanted.options.filter((option) => !accepts(Number(option)) || !isCode(Number(option)));
  return lost.length > 0
    ? `an answer has a status from ${FIRST_CODE} to ${LAST_CODE} here, and not ${lost.join(", ")}`
    : undefined;
}

/** An answer that takes longer than the timeout is down anyway. */
function readResponseTime(condition: Comparison, draft: Draft, { env, timeout }: Surroundings) {
  const { operator, wanted, operand } = condition;
  if (isOpen(condition, env)) return OPEN;
  const limit = wanted.kind === "text" ? wholeNumber(resolved(wanted.text, env)) : undefined;
  if (operand.wrapper || limit === undefined || (operator !== "<" && operator !== "<="))
    return "stillup has only a highest response time";
  if (limit < 1n) return "a response time must be at least 1 ms";
  const within = Math.min(Number(limit), draft.within ?? Number.POSITIVE_INFINITY);
  if (within < timeout) draft.within = within;
  return undefined;
}

function readCertificate(condition: Comparison, draft: Draft, { env, isHttps }: Surroundings) {
  if (isOpen(condition, env)) return OPEN;
  const warning = warnDaysOf(condition, env);
  if (!warning) return "stillup has only a shortest lifetime of a certificate";
  if (!isHttps) return "it has a meaning for https only";
  draft.expiryWarning = Math.max(warning.days, draft.expiryWarning ?? 0);
  return warning.why;
}

function readRegistration(condition: Comparison, draft: Draft, { env, isHttps }: Surroundings) {
  if (isOpen(condition, env)) return OPEN;
  const warning = warnDaysOf(condition, env);
  if (!warning) return "stillup has only a shortest time until a domain expires";
  if (!isHttps) return "a registration belongs to a TLS monitor, and the URL is one of http";
  draft.registrationDays = Math.max(warning.days, draft.registrationDays ?? 0);
  return warning.why;
}
