import type { Environment } from "../../variables.ts";
import { numberIn } from "../numbers.ts";
import { type BodyExpectations, expectOfBody, newBodyExpectations } from "./body-conditions.ts";
import {
  type Condition,
  INVERTED,
  isAboutFailure,
  type OmittedCondition,
  readConditions,
  warnDaysOf,
} from "./conditions.ts";

/** The expectations for the conditions of an HTTP endpoint. */
export interface HttpConditions {
  expect?: Record<string, unknown>;
  /** The `warnDays` of a monitor for the certificate. */
  warnDays?: number;
  /** The `warnDays` of the registration of the domain. */
  registrationDays?: number;
  /** Conditions that are not taken over, or not exactly. */
  omitted: OmittedCondition[];
  /** Why the endpoint has no counterpart at all. */
  refusal?: string;
}

/** Collects the expectations of all conditions. */
interface Draft extends BodyExpectations {
  codes: StatusCodes | null;
  within: number | null;
  warnDays: number | null;
  registrationDays: number | null;
  refusal: string | null;
}

type Read = (condition: Condition, draft: Draft, surroundings: Surroundings) => string | undefined;

interface Surroundings {
  env: Environment;
  /** In milliseconds. */
  timeout: number;
  isHttps: boolean;
}

/** By the name of the placeholder. Each returns why a condition is not taken over, or undefined. */
const readers: Record<string, Read> = {
  STATUS: readStatus,
  RESPONSE_TIME: readResponseTime,
  CERTIFICATE_EXPIRATION: readCertificate,
  CONNECTED: (condition, draft, { env }) => {
    if (isAboutFailure(condition, env)) draft.refusal = INVERTED;
    return undefined;
  },
  BODY: (condition, draft, { env }) => expectOfBody(condition, draft, env),
  DOMAIN_EXPIRATION: readRegistration,
  IP: () =>
    "stillup has no expectation of the address that a name has; a DNS monitor with expected does that",
  DNS_RCODE: () => "it has a meaning for DNS only",
  CONTEXT: () => "stillup has no suites",
};

/** Translates conditions (behavior 16.111, 16.112). */
export function httpConditions(conditions: readonly string[], surroundings: Surroundings): HttpConditions {
  const draft: Draft = {
    ...newBodyExpectations(),
    ...{ codes: null, within: null, warnDays: null, registrationDays: null, refusal: null },
  };
  const omitted = readConditions(conditions, (condition) =>
    readers[condition.operand.name]?.(condition, draft, surroundings),
  );
  return { ...expectOf(draft, omitted), ...finished(draft), omitted };
}

function finished({
  warnDays,
  registrationDays,
  refusal,
}: Draft): Pick<HttpConditions, "warnDays" | "registrationDays" | "refusal"> {
  return {
    ...(warnDays !== null && { warnDays }),
    ...(registrationDays !== null && { registrationDays }),
    ...(refusal !== null && { refusal }),
  };
}

function expectOf(draft: Draft, omitted: OmittedCondition[]): Pick<HttpConditions, "expect" | "refusal"> {
  const { codes, within, contains, lacks, json } = draft;
  const status = statusEntries(codes ?? codesThat(() => true));
  if (!status) {
    omitted.push({ condition: "[STATUS]", why: "no answer can have a status that meets all conditions" });
    return { refusal: "its conditions for [STATUS] accept no status, or too many ranges" };
  }
  const others = {
    ...(contains.length > 0 && { contains: single(contains) }),
    ...(lacks.length > 0 && { lacks: single(lacks) }),
    ...(json.size > 0 && { json: Object.fromEntries(json) }),
    ...(within !== null && { within }),
  };
  if (codes === null && Object.keys(others).length === 0) return {};
  return { expect: { status, ...others } };
}

function single<T>(list: T[]): T | T[] {
  return list.length === 1 && list[0] !== undefined ? list[0] : list;
}

function readStatus({ operator, wanted, operand }: Condition, draft: Draft, { env }: Surroundings) {
  if (operand.wrapper) return `stillup has no ${operand.wrapper}() of a status`;
  const accepts = statusTest(operator, wanted, env);
  if (!accepts) return "it does not compare the status with a number";
  const codes = codesThat(accepts);
  draft.codes = draft.codes ? codes.intersection(draft.codes) : codes;
  return undefined;
}

function statusTest(operator: string, wanted: Condition["wanted"], env: Environment) {
  if (wanted.kind === "text") {
    const number = numberIn(wanted.text, env);
    return number === undefined ? undefined : comparison(operator, number);
  }
  const isOneOf = wanted.kind === "any" ? anyOf(wanted.options, env) : patternTest(wanted.pattern);
  if (!isOneOf || (operator !== "==" && operator !== "!=")) return undefined;
  return (code: number) => isOneOf(code) === (operator === "==");
}

function anyOf(options: string[], env: Environment) {
  const numbers = options.map((option) => numberIn(option, env));
  return numbers.includes(undefined) ? undefined : (code: number) => numbers.includes(code);
}

/** A pattern such as `2*` or `20?`. */
function patternTest(pattern: string) {
  if (!/^[\d*?]+$/.test(pattern)) return undefined;
  const expression = new RegExp(`^${pattern.replaceAll("*", "\\d*").replaceAll("?", "\\d")}$`);
  return (code: number) => expression.test(String(code));
}

function comparison(operator: string, wanted: number): (code: number) => boolean {
  if (operator === "==") return (code) => code === wanted;
  if (operator === "!=") return (code) => code !== wanted;
  if (operator === "<") return (code) => code < wanted;
  if (operator === "<=") return (code) => code <= wanted;
  return operator === ">" ? (code) => code > wanted : (code) => code >= wanted;
}

/** An answer that takes longer than the timeout is down anyway. */
function readResponseTime(
  { operator, wanted, operand }: Condition,
  draft: Draft,
  { env, timeout }: Surroundings,
) {
  const limit = wanted.kind === "text" ? numberIn(wanted.text, env) : undefined;
  if (operand.wrapper || limit === undefined || (operator !== "<" && operator !== "<="))
    return "stillup has only a highest response time";
  if (limit < 1) return "a response time must be at least 1 ms";
  const within = Math.min(Math.round(limit), draft.within ?? Number.POSITIVE_INFINITY);
  if (within < timeout) draft.within = within;
  return undefined;
}

function readCertificate(condition: Condition, draft: Draft, { env, isHttps }: Surroundings) {
  const warnDays = warnDaysOf(condition, env);
  if (warnDays === undefined) return "stillup has only a shortest lifetime of a certificate";
  if (!isHttps) return "it has a meaning for https only";
  draft.warnDays = warnDays;
  return undefined;
}

function readRegistration(condition: Condition, draft: Draft, { env, isHttps }: Surroundings) {
  const warnDays = warnDaysOf(condition, env);
  if (warnDays === undefined) return "stillup has only a shortest time until a domain expires";
  if (!isHttps) return "a registration belongs to a TLS monitor, and the URL is one of http";
  draft.registrationDays = warnDays;
  return undefined;
}

/** Codes that an answer can have: 1xx is never a final one. */
const FIRST = 200;
const LAST = 599;

/** Most entries of an expectation. */
const MAX_ENTRIES = 20;

type StatusCodes = ReadonlySet<number>;

/** The codes that a condition accepts. */
function codesThat(accepts: (code: number) => boolean): StatusCodes {
  const codes = new Set<number>();
  for (let code = FIRST; code <= LAST; code++) if (accepts(code)) codes.add(code);
  return codes;
}

/** The entries of `expect.status` for some codes, such as `["2xx", 301]`. Undefined for none, or if they are too many. */
function statusEntries(codes: StatusCodes): (string | number)[] | undefined {
  const entries = [2, 3, 4, 5].flatMap((digit) => entriesOfClass(codes, digit));
  return entries.length > 0 && entries.length <= MAX_ENTRIES ? entries : undefined;
}

function entriesOfClass(codes: StatusCodes, digit: number): (string | number)[] {
  const entries: (string | number)[] = [];
  const end = digit * 100 + 99;
  for (let first = digit * 100; first <= end; first++) {
    if (!codes.has(first)) continue;
    let last = first;
    while (last < end && codes.has(last + 1)) last++;
    entries.push(entry(first, last));
    first = last;
  }
  return entries;
}

function entry(first: number, last: number): string | number {
  if (last - first === 99) return `${first / 100}xx`;
  return first === last ? first : `${first}-${last}`;
}
