import { RECORD_TYPES, type RecordType } from "../../domain/checks/observation.ts";
import { literal } from "../../domain/configuration/placeholder.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { hostAndPort, intervalOf, timeoutField, timeoutOf } from "../check-fields.ts";
import {
  addressOf,
  bodyField,
  codesThat,
  headersOf,
  MAX_REDIRECTS,
  METHODS,
  type StatusCodes,
  statusEntries,
} from "../http-fields.ts";
import { quotedPattern, type ReportOmission } from "../imported.ts";
import { isPlainHeader, type Secrets } from "../output-config.ts";
import type { Assertion, GivenMonitor } from "./given.ts";

export interface Surroundings {
  /** The ref of the monitor. */
  ref: string;
  secrets: Secrets;
  omit: ReportOmission;
}

export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
  confirmations: number;
}

export interface Refusal {
  refusal: string;
  /** If stillup has no monitors of that type. */
  type?: string;
}

/** By the kind of the monitor. */
const MAPPERS: Record<string, (monitor: Timed, surroundings: Surroundings) => Mapped | Refusal> = {
  http: mapHttp,
  tcp: mapTcp,
  dns: mapDns,
};

/** With its interval here, in seconds. */
type Timed = GivenMonitor & { interval: number };

/** The monitor for a monitor of openstatus (behavior 16.125). */
export function mapMonitor(monitor: GivenMonitor, surroundings: Surroundings): Mapped | Refusal {
  const { kind } = monitor;
  const map = Object.hasOwn(MAPPERS, kind) ? MAPPERS[kind] : undefined;
  if (!map)
    return {
      refusal: `stillup has no monitors of the type ${JSON.stringify(kind.slice(0, 40))}`,
      type: kind,
    };
  return map({ ...monitor, interval: intervalIn(monitor, surroundings.omit) }, surroundings);
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600 };
const USUAL_INTERVAL = 600;

/** @returns seconds */
function intervalIn({ periodicity }: GivenMonitor, omit: ReportOmission): number {
  const [, count, unit = ""] = /^(\d{1,6})([smh])$/.exec(periodicity) ?? [];
  if (count !== undefined) return intervalOf(Number(count) * (UNITS[unit] ?? 1), omit);
  omit(
    "periodicity",
    `it is ${JSON.stringify(periodicity)}, which is no time: it is ${USUAL_INTERVAL} s here`,
  );
  return USUAL_INTERVAL;
}

const USUAL_RETRY = 3;
const MAX_CONFIRMATIONS = 10;

/** Attempts after the first one confirm a failure. */
function confirmationsOf({ retry, kind }: GivenMonitor, omit: ReportOmission): number {
  const attempts = retry || USUAL_RETRY;
  // A connection is tried once more than the number says.
  const wanted = kind === "tcp" ? attempts : attempts - 1;
  const fitting = Math.min(Math.max(0, Math.round(wanted)), MAX_CONFIRMATIONS);
  if (fitting !== wanted)
    omit("retry", `it is ${attempts}; at most ${MAX_CONFIRMATIONS} further checks confirm a failure here`);
  return fitting;
}

const USUAL_TIMEOUT = 45_000;
const LONGEST = 60;

/** @returns seconds. 0 is no limit. */
function timeoutIn({ timeout, interval }: Timed, omit: ReportOmission): number {
  const wanted = timeout === 0 ? undefined : (timeout ?? USUAL_TIMEOUT) / 1000;
  if (wanted !== undefined) return timeoutOf(wanted, { interval, omit });
  const longest = Math.min(LONGEST, interval);
  omit("timeout", `it has none; the longest is ${longest} s here`);
  return longest;
}

function mapHttp(monitor: Timed, { ref, secrets, omit }: Surroundings): Mapped | Refusal {
  const { target, interval, followsRedirects } = monitor;
  const method = monitor.method.toUpperCase();
  if (!METHODS.includes(method)) return { refusal: `stillup does not send ${method}` };
  const timeout = timeoutIn(monitor, omit);
  const answer = expectationsOf(monitor.assertions, { method, omit });
  if ("refusal" in answer) return answer;
  const { url, user } = addressOf(target);
  const config = {
    ...{ url: literal(url), interval },
    ...(method !== "GET" && { method }),
    ...headersField(monitor, { method, hasBasicAuth: user !== undefined, ref, secrets, omit }),
    ...bodyFieldOf(monitor, method, omit),
    ...(user && {
      basicAuth: { user: literal(user.name), password: secrets.write(user.password, ref, "password") },
    }),
    ...timeoutField({ timeout, interval }),
    ...(followsRedirects && { redirects: MAX_REDIRECTS }),
    expect: { ...answer.expect, ...withinField(monitor, timeout) },
  };
  return { type: "HTTP", config, confirmations: confirmationsOf(monitor, omit) };
}

function headersField(
  { headers: given }: GivenMonitor,
  { method, hasBasicAuth, ref, secrets, omit }: Surroundings & { method: string; hasBasicAuth: boolean },
): { headers?: Record<string, string> } {
  const write = (value: string, name: string) =>
    isPlainHeader(name) ? literal(value) : secrets.write(value, ref, name);
  // The last of several headers of one name counts, and its name is the first one.
  const last = new Map(given.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  const headers = headersOf(last.values(), { hasBasicAuth, omit, write });
  if (method === "POST" && !last.has("content-type")) headers["Content-Type"] = "application/json";
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function bodyFieldOf(
  { body, headers }: GivenMonitor,
  method: string,
  omit: ReportOmission,
): { body?: string } {
  const isBinary = headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && value === "application/octet-stream",
  );
  if (method === "POST" && isBinary && body !== "") {
    omit("body", "it is a file, and stillup sends texts");
    return {};
  }
  return bodyField(literal(body), method, omit);
}

/** A slower answer than the timeout is down anyway. */
function withinField({ degradedAfter }: GivenMonitor, timeout: number): { within?: number } {
  if (!degradedAfter || degradedAfter >= timeout * 1000) return {};
  return { within: Math.max(1, Math.round(degradedAfter)) };
}

/* The assertions of an answer of HTTP: all of them must hold. */

interface Draft {
  codes: StatusCodes | null;
  contains: string[];
  lacks: string[];
  /** Patterns of RE2. */
  matches: string[];
  headers: Map<string, string>;
}

const EVERY = codesThat(() => true);
const MAX_TEXTS = 10;

interface Expected {
  expect: Record<string, unknown>;
}

function expectationsOf(
  assertions: readonly Assertion[],
  { method, omit }: { method: string; omit: ReportOmission },
): Expected | Refusal {
  if (assertions.length === 0) return { expect: { status: ["2xx"] } };
  const draft: Draft = { codes: null, contains: [], lacks: [], matches: [], headers: new Map() };
  let lost = 0;
  for (const assertion of assertions) {
    const impossible = impossibilityOf(assertion, method);
    if (impossible !== undefined) return { refusal: impossible };
    const why = read(assertion, draft, method);
    if (why === undefined) continue;
    if (!isWeakened(assertion)) lost++;
    omit(`assertion ${shownOf(assertion)}`, why);
  }
  return expectOf(draft, lost);
}

/** Whether a header must be equal to a text: stillup expects that it contains the text. */
function isWeakened({ compare, kind }: Assertion): boolean {
  return compare === "eq" && kind === "header";
}

function shownOf({ kind, compare, target, key }: Assertion): string {
  const about = key === "" ? kind : `${kind} ${key}`;
  return `${about} ${compare} ${JSON.stringify(target)}`;
}

const COMPARISONS = [
  "eq",
  "not_eq",
  "contains",
  "not_contains",
  "empty",
  "not_empty",
  "gt",
  "gte",
  "lt",
  "lte",
];

/** Why an assertion never holds, so that the monitor is always down there. */
function impossibilityOf({ kind, compare, target }: Assertion, method: string): string | undefined {
  if (kind === "other") return undefined;
  if (!COMPARISONS.includes(compare) && kind !== "status")
    return `its assertion ${JSON.stringify(compare)} never holds`;
  const needsBody = (compare === "contains" || compare === "eq") && target !== "";
  if (kind === "body" && method === "HEAD" && needsBody)
    return "an answer to HEAD has no body, which its assertion needs";
  return undefined;
}

/** @returns why an assertion is not taken over, or not exactly */
function read(assertion: Assertion, draft: Draft, method: string): string | undefined {
  if (assertion.kind === "status") return readStatus(assertion, draft);
  if (assertion.kind === "header") return readHeader(assertion, draft);
  if (assertion.kind === "body") return readBody(assertion, draft, method);
  return "openstatus does not judge it";
}

const NUMBERS: Record<string, (code: number, target: number) => boolean> = {
  eq: (code, target) => code === target,
  not_eq: (code, target) => code !== target,
  gt: (code, target) => code > target,
  gte: (code, target) => code >= target,
  lt: (code, target) => code < target,
  lte: (code, target) => code <= target,
};

function readStatus({ compare, target }: Assertion, draft: Draft): string | undefined {
  const holds = NUMBERS[compare];
  const wanted = Number(target);
  if (!holds || target === "" || !Number.isFinite(wanted))
    return "it does not compare the status with a number";
  draft.codes = codesThat((code) => holds(code, wanted)).intersection(draft.codes ?? EVERY);
  return undefined;
}

function readHeader({ compare, target, key }: Assertion, draft: Draft): string | undefined {
  const name = key.toLowerCase();
  if ((compare !== "contains" && compare !== "eq") || target === "")
    return "stillup expects only that a header contains a text";
  if (draft.headers.has(name)) return "stillup expects one text of each header";
  if (draft.headers.size === MAX_TEXTS) return `stillup expects at most ${MAX_TEXTS} headers`;
  draft.headers.set(name, target);
  return compare === "eq" ? `stillup expects only that it contains ${JSON.stringify(target)}` : undefined;
}

function readBody({ compare, target }: Assertion, draft: Draft, method: string): string | undefined {
  if (method === "HEAD")
    return ["not_contains", "empty"].includes(compare) ? undefined : "an answer to HEAD has no body";
  if (target === "" && (compare === "contains" || compare === "gte")) return undefined;
  const pattern = wholeBody(compare, target);
  const isText = (compare === "contains" || compare === "not_contains") && target !== "";
  if (!isText && pattern === undefined)
    return "stillup expects only that a body is a text, contains one, or lacks one";
  const texts = compare === "not_contains" ? draft.lacks : isText ? draft.contains : draft.matches;
  if (texts.length === MAX_TEXTS) return `stillup expects at most ${MAX_TEXTS} texts`;
  texts.push(pattern ?? target);
  return undefined;
}

/** The pattern of all of a body. Undefined for a comparison with a part of it. */
function wholeBody(compare: string, target: string): string | undefined {
  if (compare === "empty") return "^$";
  if (compare === "not_empty" || (compare === "not_eq" && target === "")) return "[\\s\\S]";
  return compare === "eq" ? `^${quotedPattern(target)}$` : undefined;
}

function expectOf({ codes, contains, lacks, matches, headers }: Draft, lost: number): Expected | Refusal {
  const others = {
    ...(contains.length > 0 && { contains: single(contains) }),
    ...(lacks.length > 0 && { lacks: single(lacks) }),
    ...(matches.length > 0 && { matches: single(matches) }),
    ...(headers.size > 0 && {
      headers: Object.fromEntries([...headers].map(([name, text]) => [name, literal(text)])),
    }),
  };
  // If an assertion is left out, and nothing else says what a good answer is, that is 2xx.
  const isGuessed = codes === null && lost > 0 && Object.keys(others).length === 0;
  if (isGuessed) return { expect: { status: ["2xx"] } };
  const status = statusEntries(codes ?? EVERY);
  return status
    ? { expect: { status, ...others } }
    : { refusal: "its assertions accept no status, or too many ranges" };
}

function single(texts: string[]): string | string[] {
  const [first = "", ...others] = texts.map(literal);
  return others.length === 0 ? first : [first, ...others];
}

/* Connections and names. */

function mapTcp(monitor: Timed, { omit }: Surroundings): Mapped | Refusal {
  const { target, interval } = monitor;
  const address = hostAndPort(target.replace(/^tcp:\/\//i, ""), {});
  if (address?.port === undefined) return { refusal: "its target is not of the form HOST:PORT" };
  omitDegraded(monitor, omit);
  const timeout = timeoutIn(monitor, omit);
  const { host, port } = address;
  const config = { host: literal(host), port, interval, ...timeoutField({ timeout, interval }) };
  return { type: "TCP", config, confirmations: confirmationsOf(monitor, omit) };
}

function omitDegraded({ degradedAfter, kind }: GivenMonitor, omit: ReportOmission): void {
  if (degradedAfter) omit("degradedAfter", `a ${kind.toUpperCase()} monitor has no highest response time`);
}

/** One monitor looks up one type of record. */
function mapDns(monitor: Timed, { omit }: Surroundings): Mapped | Refusal {
  const { target, interval, assertions } = monitor;
  const host = hostAndPort(target.replace(/\.$/, ""), {});
  if (!host || host.port !== undefined) return { refusal: "its target is not a name" };
  omitDegraded(monitor, omit);
  const types = assertions.map(({ key }) => RECORD_TYPES.find((one) => one === key.toUpperCase()));
  const recordType = types.find((one) => one !== undefined);
  const expected: string[] = [];
  for (const assertion of assertions) {
    const why = readRecord(assertion, { recordType, expected });
    if (why !== undefined) omit(`assertion ${shownOf(assertion)}`, why);
  }
  const config = {
    ...{ hostname: literal(host.host), interval },
    ...(recordType && { recordType }),
    ...(expected.length > 0 && { expected: expected.map(literal) }),
  };
  return { type: "DNS", config, confirmations: confirmationsOf(monitor, omit) };
}

const EXACT = "stillup expects that the records are these and no others";

function readRecord(
  { kind, compare, target, key }: Assertion,
  { recordType, expected }: { recordType: RecordType | undefined; expected: string[] },
): string | undefined {
  if (kind !== "record" || recordType === undefined) return "stillup does not look up such records";
  if (key.toUpperCase() !== recordType)
    return `a monitor looks up one type of record, which is ${recordType} here`;
  if (compare !== "eq" || target === "") return "a DNS monitor expects exact records";
  expected.push(recordOf(target, recordType));
  return EXACT;
}

/** openstatus writes the preference of a mail server behind its name, and ends names by a point. */
function recordOf(target: string, type: RecordType): string {
  const [, host = target, preference] = /^(.*?)\.?:(\d{1,5})$/.exec(type === "MX" ? target : "") ?? [];
  if (preference !== undefined) return `${preference} ${host}`;
  return type === "CNAME" || type === "NS" ? target.replace(/\.$/, "") : target;
}
