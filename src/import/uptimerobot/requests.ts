import { parseJsonPath } from "../../domain/checks/json-document.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { intervalOf, timeoutOf } from "../check-fields.ts";
import { codesThat, statusEntries } from "../http-fields.ts";
import { type Refusal, requestConfig, type Surroundings } from "../http-monitor.ts";
import { clamp, quotedPattern, type ReportOmission, textOf } from "../imported.ts";
import type { GivenMonitor } from "./given.ts";

export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
  confirmations?: number;
  isPaused?: boolean;
  note?: string;
}

export const USUAL_INTERVAL = 300;
const USUAL_TIMEOUT = 30;

/** The interval and the timeout of a monitor, in seconds. */
export function timesOf({ interval: given, timeout: wanted }: GivenMonitor, omit: ReportOmission) {
  const interval = intervalOf(given ?? USUAL_INTERVAL, omit);
  return { interval, timeout: timeoutOf(wanted || USUAL_TIMEOUT, { interval, omit }) };
}

/** The monitor for a monitor of the type HTTP, KEYWORD or API. */
export function mapHttp(monitor: GivenMonitor, surroundings: Surroundings): Mapped | Refusal {
  const { omit } = surroundings;
  const { type, url, body } = monitor;
  const times = timesOf(monitor, omit);
  const method = methodOf(monitor, omit);
  const status = statusOf(monitor, omit);
  const text = textExpectation(monitor, omit);
  if ("refusal" in text) return text;
  if (!status) return { refusal: "its status codes are none of 200 to 999, or too many ranges" };
  const auth = authOf(monitor, omit);
  const config = requestConfig(
    {
      ...{ url, method, body: hasNoBody(method) ? "" : body, ...times },
      headers: [...headersOf(monitor), ...(auth.header ? [auth.header] : [])],
      ...{ user: auth.user, isDigest: auth.isDigest },
      followsRedirects: followsRedirects(monitor, omit),
      verifiesTls: monitor.checksTls ?? true,
      expiryWarning: expiryWarningOf(monitor, omit),
      ipFamily: monitor.ipFamily,
      expect: {
        status,
        ...text.expect,
        ...(type === "API" && assertionsOf(monitor, omit)),
        ...withinOf(monitor, { timeout: times.timeout, omit }),
      },
    },
    surroundings,
  );
  if ("refusal" in config) return config as Refusal;
  return { type: "HTTP", config, ...(auth.isImpossible && { isPaused: true }) };
}

/** A redirect that counts as a failure is not followed, so that it is seen. */
function followsRedirects(
  { refused, followsRedirects: follows }: GivenMonitor,
  omit: ReportOmission,
): boolean {
  const isRefused = refused.map(rangeOf).some(([first, last]) => last >= 300 && first < 400);
  if (follows && isRefused) omit("redirects", "none is followed, because some of them count as failures");
  return follows && !isRefused;
}

/** Without a method in the answer, GET. */
function methodOf({ type, method: given = "GET", body }: GivenMonitor, omit: ReportOmission): string {
  const method = given === "HEAD" && type !== "HTTP" ? "GET" : given;
  if (method !== given)
    omit("httpMethodType", "it is HEAD, whose answer has no body to look at: it is GET here");
  if (body !== "" && hasNoBody(method)) omit("postValueData", `stillup sends no body with ${method}`);
  return method;
}

function hasNoBody(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** The headers of a request, with the content type of its body. */
function headersOf({ headers, method = "GET", contentType }: GivenMonitor): [string, string][] {
  const isGiven = headers.some(([name]) => name.toLowerCase() === "content-type");
  if (contentType === undefined || isGiven || hasNoBody(method)) return headers;
  return [...headers, ["Content-Type", contentType]];
}

interface Auth {
  user?: { name: string; password: string | undefined };
  isDigest?: boolean;
  header?: [string, string];
  /** Whether the check could only fail. */
  isImpossible?: boolean;
}

function authOf({ auth, user, password }: GivenMonitor, omit: ReportOmission): Auth {
  if (auth === "NONE") return {};
  if (auth === "HTTP_BASIC" || auth === "DIGEST") {
    if (user === "" && password === undefined) return {};
    return { user: { name: user, password }, isDigest: auth === "DIGEST" };
  }
  const token = password ?? user;
  if (auth === "BEARER" && token !== "") return { header: ["Authorization", `Bearer ${token}`] };
  const why = auth === "BEARER" ? "the answer has no token" : `stillup has no ${auth.slice(0, 20)}`;
  omit("authType", `${why}: the monitor is paused`);
  return { isImpossible: true };
}

const USUAL_CODES = ["2xx", "3xx"];

function statusOf({ accepted, refused }: GivenMonitor, omit: ReportOmission) {
  for (const text of accepted ?? [])
    if (rangeOf(text)[0] === 0)
      omit("successHttpResponseCodes", `it has ${text.slice(0, 20)}, which is no code of an answer`);
  const [good, bad] = [accepted ?? USUAL_CODES, refused].map((texts) => texts.map(rangeOf));
  const has = (ranges: [number, number][] | undefined, code: number) =>
    (ranges ?? []).some(([first, last]) => first <= code && code <= last);
  return statusEntries(codesThat((code) => has(good, code) && !has(bad, code)));
}

/** A text such as `404`, `2xx` or `200-204`. Of any other text, no code. */
function rangeOf(text: string): [first: number, last: number] {
  const [, digit] = /^([1-5])xx$/i.exec(text.trim()) ?? [];
  if (digit !== undefined) return [Number(digit) * 100, Number(digit) * 100 + 99];
  const [, first, last = first] = /^([1-9]\d\d)(?:\s*-\s*([1-9]\d\d))?$/.exec(text.trim()) ?? [];
  return first === undefined ? [0, 0] : [Number(first), Number(last)];
}

const MAX_VARIANTS = 10;

/** `ALERT_EXISTS`: the text is the sign of a failure, so that the body must lack it. */
function textExpectation(
  { type, keyword }: GivenMonitor,
  omit: ReportOmission,
): { expect: Record<string, unknown> } | Refusal {
  if (type !== "KEYWORD") return { expect: {} };
  const { text, alertIf, ignoresCase } = keyword;
  if (text === "") return { refusal: "it has no keyword" };
  if (alertIf !== "ALERT_EXISTS" && alertIf !== "ALERT_NOT_EXISTS")
    return {
      refusal: `it does not say whether its keyword is the sign of a failure: ${JSON.stringify(alertIf)}`,
    };
  const isSame = text.toLowerCase() === text.toUpperCase();
  const must = alertIf === "ALERT_EXISTS" ? "lacks" : "contains";
  if (!ignoresCase || isSame) return { expect: { [must]: text } };
  if (must === "contains") return { expect: { matches: `(?i)${quotedPattern(text)}` } };
  const lower = text.toLowerCase();
  const variants = [text, lower, text.toUpperCase(), lower.replace(/^./u, (first) => first.toUpperCase())];
  omit("keywordCaseType", "upper and lower case matter here: four ways to write the keyword are looked for");
  return { expect: { lacks: [...new Set(variants)].slice(0, MAX_VARIANTS) } };
}

/** UptimeRobot notifies of a slow answer. */
function withinOf(
  { thresholds }: GivenMonitor,
  { timeout, omit }: { timeout: number; omit: ReportOmission },
): { within?: number } {
  if (thresholds.length === 0) return {};
  const wanted = Math.max(...thresholds);
  const least = Math.min(...thresholds);
  if (least !== wanted)
    omit(
      "regionalData.THRESHOLD",
      `it is ${least} to ${wanted} ms by region; there is one here: ${wanted} ms`,
    );
  const within = clamp(1, Math.round(wanted), timeout * 1000);
  if (within !== wanted)
    omit("responseTimeThreshold", `it is ${wanted} ms; the timeout is ${timeout} s: it is ${within} ms here`);
  return { within };
}

const USUAL_DAYS = 30;

/** UptimeRobot notifies on several days; a monitor is Degraded from the first of them on. */
function expiryWarningOf({ certificateDays, url }: GivenMonitor, omit: ReportOmission): number | undefined {
  if (certificateDays === undefined || !/^https:/i.test(url)) return undefined;
  const wanted = certificateDays.length > 0 ? Math.max(...certificateDays) : USUAL_DAYS;
  const days = clamp(1, Math.round(wanted), 365);
  const others = certificateDays.filter((day) => day !== days).sort((a, b) => b - a);
  if (days !== wanted) omit("config.sslExpirationPeriodDays", `it is ${wanted}; it is ${days} here`);
  else if (others.length > 0)
    omit(
      "config.sslExpirationPeriodDays",
      `there is one warning, ${days} days before the end, and none at ${others.slice(0, 10).join(", ")}`,
    );
  return days;
}

/** The assertions of a monitor of an API, if all of them must hold. */
function assertionsOf(
  { assertions }: GivenMonitor,
  omit: ReportOmission,
): { json?: Record<string, unknown> } {
  const { logic, checks } = assertions;
  if (logic === "OR" && checks.length > 1) {
    omit(
      "config.apiAssertions",
      "one of them is enough there, and here all must hold: only the status counts",
    );
    return {};
  }
  const json: Record<string, unknown> = {};
  for (const check of checks) {
    const { property, comparison } = check;
    const path = textOf(property) ?? "";
    const value = expectationOf(check);
    const shown = `config.apiAssertions ${path} ${textOf(comparison) ?? ""}`;
    if (typeof value === "string" || !parseJsonPath(path))
      omit(shown, typeof value === "string" ? value : "stillup reads only a path to one value");
    else if (path in json) omit(shown, "stillup expects one thing of each path");
    else {
      json[path] = value.wanted;
      if (value.note !== undefined) omit(shown, value.note);
    }
  }
  return Object.keys(json).length > 0 ? { json } : {};
}

/** The value that is expected; or why stillup has no such expectation. */
function expectationOf({
  comparison,
  target,
}: Record<string, unknown>): { wanted: unknown; note?: string } | string {
  const isScalar = ["string", "number", "boolean"].includes(typeof target);
  const limit = typeof target === "number" ? target : Number.NaN;
  switch (comparison) {
    case "equals":
      return isScalar
        ? { wanted: typeof target === "string" ? target.toWellFormed() : target }
        : "stillup compares with texts, numbers, true and false";
    case "greater_than":
      return Number.isFinite(limit) ? { wanted: { min: nextUp(limit) } } : "its target is not a number";
    case "less_than":
      return Number.isFinite(limit) ? { wanted: { max: -nextUp(-limit) } } : "its target is not a number";
    case "is_null":
      return { wanted: null, note: "a value that is missing is not null here" };
    case "is_not_null":
      return { wanted: { exists: true }, note: "the value must exist here, and may be null" };
    default:
      return "stillup has no such comparison";
  }
}

/** The next number above one. */
function nextUp(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + (number > 0 ? 1n : -1n));
  return view.getFloat64(0);
}
