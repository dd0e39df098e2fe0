import { entry } from "../http-fields.ts";
import { quotedName, quotedPattern } from "../imported.ts";
import { accessOf, addressOf } from "./access.ts";
import {
  flagOf,
  intervalOf,
  isRow,
  jsonOf,
  type Mapped,
  numberOf,
  type OmittedPart,
  omittedTimes,
  type Refused,
  type Row,
  textIn,
  timeoutOf,
} from "./fields.ts";

const MAX_REDIRECTS = 10;

/** Types `http`, `keyword` and `json-query`. */
export function httpFrom(row: Row, { proxies }: { proxies: readonly Row[] }): Mapped | Refused {
  const status = expectedStatus(row);
  if ("why" in status) return status;
  const body = expectedBody(row);
  const omitted = [...omittedTimes(row), ...body.omitted];
  const { request, access } = requestOf(row, { proxies, omitted });
  return {
    type: "HTTP",
    config: {
      ...request,
      ...(request.method === "GET" && { method: undefined }),
      ...access.config,
      interval: intervalOf(row),
      timeout: timeoutOf(row),
      ...redirects(row, omitted),
      ...(flagOf(row, "ignore_tls") && { verifyTls: false }),
      ...ipFamily(row),
      expect: { ...status.expect, ...body.expect },
    },
    omitted: [...access.omitted, ...omitted],
    notes: [...access.notes, ...body.notes],
    isPaused: access.isPaused,
  };
}

function requestOf(row: Row, { proxies, omitted }: { proxies: readonly Row[]; omitted: OmittedPart[] }) {
  const { url, ...user } = addressOf(textIn(row, "url"));
  const method = textIn(row, "method").toUpperCase() || "GET";
  const headers = headersOf(row, omitted);
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const access = accessOf(row, { proxies, hasAuthorization, user });
  if (flagOf(row, "cache_bust"))
    omitted.push({ part: "cache bust", why: "no random parameter is added to the URL" });
  const request = {
    ...{ url, method },
    ...(Object.keys(headers).length > 0 && { headers }),
    ...bodyOf(row, { method, omitted }),
  };
  return { request, access };
}

/** Headers that stillup computes itself. */
export const COMPUTED = new Set(["content-length", "transfer-encoding", "connection"]);

/** With the token and the type of the body. */
export function headersOf(row: Row, omitted: OmittedPart[]): Record<string, string> {
  const given = jsonOf(row, "headers");
  const headers = new Map<string, string>();
  const isMissing = ["", "null"].includes(textIn(row, "headers")) && !isRow(given);
  if (isRow(given)) {
    for (const [name, value] of Object.entries(given)) {
      if (COMPUTED.has(name.toLowerCase()))
        omitted.push({ part: `header ${name}`, why: "stillup sets it itself" });
      else headers.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    }
  } else if (!isMissing) omitted.push({ part: "headers", why: "they are no JSON object" });
  const has = (name: string) => [...headers.keys()].some((one) => one.toLowerCase() === name);
  const token = textIn(row, "bearer_token");
  if (textIn(row, "auth_method") === "bearer" && token !== "" && !has("authorization"))
    headers.set("Authorization", `Bearer ${token}`);
  const contentType = CONTENT_TYPES[textIn(row, "http_body_encoding")];
  if (contentType && textIn(row, "body") !== "" && !has("content-type"))
    headers.set("Content-Type", contentType);
  return Object.fromEntries(headers);
}

/** By the encoding of the body. JSON bodies need no Content-Type here. */
const CONTENT_TYPES: Record<string, string | undefined> = {
  xml: "text/xml; charset=utf-8",
  form: "application/x-www-form-urlencoded",
};

function bodyOf(
  row: Row,
  { method, omitted }: { method: string; omitted: OmittedPart[] },
): { body?: string } {
  const body = textIn(row, "body");
  if (body === "") return {};
  if (method !== "GET" && method !== "HEAD") return { body };
  omitted.push({ part: "body", why: `a ${method} request has none` });
  return {};
}

function redirects(row: Row, omitted: OmittedPart[]): { redirects?: number } {
  const most = Math.max(0, Math.round(numberOf(row, "maxredirects") ?? MAX_REDIRECTS));
  if (most > MAX_REDIRECTS)
    omitted.push({
      part: "redirects",
      why: `${most} are allowed, and the most here are ${MAX_REDIRECTS}, which it follows`,
    });
  return most === 0 ? {} : { redirects: Math.min(most, MAX_REDIRECTS) };
}

function ipFamily(row: Row): { ipFamily?: 4 | 6 } {
  const family = textIn(row, "ip_family");
  if (family === "ipv4") return { ipFamily: 4 };
  return family === "ipv6" ? { ipFamily: 6 } : {};
}

/** The expectation of the body, by the type of the monitor. */
function expectedBody(row: Row): ExpectedBody {
  const type = textIn(row, "type");
  if (type === "json-query") return expectedJson(row);
  const keyword = String(row.keyword ?? "");
  if (type !== "keyword" || keyword === "") return { expect: {}, omitted: [], notes: [] };
  const isInverted = flagOf(row, "invert_keyword");
  const pattern = isInverted ? undefined : patternOfJson(keyword);
  if (pattern !== undefined) return { expect: { matches: pattern }, omitted: [], notes: [] };
  return {
    expect: { [isInverted ? "lacks" : "contains"]: keyword },
    omitted: [],
    notes: IN_JSON.test(keyword)
      ? ["its keyword must be in the body exactly as the server sends it: spaces in a JSON body count"]
      : [],
  };
}

/** A keyword with a mark of JSON between two values: Uptime Kuma looks for it in the JSON of a parsed body, which has no blanks. */
const IN_JSON = /["\]}][:,]\S/;

/** The marks of JSON with the sign that shows that they are marks, and not a part of a text. */
const MARK = /(?<=["\]}])[:,]|[:,](?=["[{])|(?<=[[{:,])[[{]|[\]}](?=[\]},])/g;
const MAX_PATTERN = 1024;

/** The pattern (RE2) for a keyword that also finds it with blanks at the marks of JSON. Undefined for any other keyword. */
function patternOfJson(keyword: string): string | undefined {
  if (!IN_JSON.test(keyword)) return undefined;
  let [pattern, end] = ["", 0];
  for (const { 0: mark, index } of keyword.matchAll(MARK)) {
    pattern += `${quotedPattern(keyword.slice(end, index))}\\s*${quotedPattern(mark)}\\s*`;
    end = index + mark.length;
  }
  pattern += quotedPattern(keyword.slice(end));
  return [...pattern].length > MAX_PATTERN ? undefined : pattern;
}

/** The expectation of a body, and what of it is not taken over. */
interface ExpectedBody {
  expect: Record<string, unknown>;
  omitted: OmittedPart[];
  notes: string[];
}

/** Type `json-query`: a JSONata expression whose value is compared as text, or as a number. */
function expectedJson(row: Row): ExpectedBody {
  const path = pathFrom(textIn(row, "json_path"));
  if (path === undefined)
    return withoutQuery("it is more than a path: stillup reads plain paths such as $.a.b[0]");
  const expected = textIn(row, "expected_value");
  const operator = textIn(row, "json_path_operator") || "==";
  if (operator === "==") return equalTo(expected, path);
  const limits = limitsFrom(operator, expected);
  if (limits) return { expect: { json: { [path]: limits } }, omitted: [], notes: [] };
  const right = "stillup compares for equality, and with a least and a highest number";
  return withoutQuery(`it compares with ${JSON.stringify(operator.slice(0, 20))}: ${right}`);
}

/** Uptime Kuma compares texts: a number is equal to a text with it. */
function equalTo(expected: string, path: string): ExpectedBody {
  const value = scalarFrom(expected);
  if (typeof value === "number")
    return { expect: { json: { [path]: { min: value, max: value } } }, omitted: [], notes: [] };
  const note = `its value must be the boolean ${expected}: write "${expected}" if the server sends a text`;
  return {
    expect: { json: { [path]: value } },
    omitted: [],
    notes: typeof value === "boolean" ? [note] : [],
  };
}

function withoutQuery(why: string): ExpectedBody {
  return {
    expect: {},
    omitted: [{ part: "JSON query", why: `${why}; only the status code counts` }],
    notes: [],
  };
}

/** The distance between a number with decimals and the next number. */
const STEP_OF_DECIMALS = 0.001;

function limitsFrom(operator: string, expected: string): { min: number } | { max: number } | undefined {
  const limit = expected === "" ? Number.NaN : Number(expected);
  if (!Number.isFinite(limit)) return undefined;
  const step = Number.isInteger(limit) ? 1 : STEP_OF_DECIMALS;
  if (operator === ">=") return { min: limit };
  if (operator === "<=") return { max: limit };
  if (operator === ">") return { min: limit + step };
  return operator === "<" ? { max: limit - step } : undefined;
}

const STEP = /(?:([A-Za-z_]\w*)|`([^`]+)`|"([^"\\]+)")((?:\[\d{1,9}\])*)/y;
const MAX_QUERY = 1000;

/** A path of RFC 9535 for a JSONata expression that is only a path; undefined for any other. */
function pathFrom(query: string): string | undefined {
  if (query.length > MAX_QUERY) return undefined;
  const [whole = "", indexes = ""] = /^\$((?:\[\d{1,9}\])*)(?:\.(?=.)|$)/s.exec(query) ?? [];
  let path = `$${indexes}`;
  for (let at = whole.length; at < query.length; ) {
    STEP.lastIndex = at;
    const step = STEP.exec(query);
    if (!step) return undefined;
    const [text, plain, ticked, quoted, positions] = step;
    path += (plain === undefined ? `[${quotedName(ticked ?? quoted ?? "")}]` : `.${plain}`) + positions;
    at += text.length;
    // A point separates two steps, and is not the end.
    if (at < query.length && (query[at++] !== "." || at === query.length)) return undefined;
  }
  return path;
}

/** JSON has numbers and booleans for texts that look like them. */
function scalarFrom(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : text;
}

const COLUMN = "accepted_statuscodes_json";
const MAX_CODES = 20;

/** The accepted status codes: texts such as `200-299` or `301`. */
function expectedStatus(row: Row): { expect: { status: (number | string)[] } } | Refused {
  const codes = jsonOf(row, COLUMN);
  if ((row[COLUMN] ?? null) === null) return { expect: { status: ["2xx"] } };
  const ranges = Array.isArray(codes) ? codes.map(rangeOf) : [];
  if (ranges.length === 0 || ranges.includes(undefined))
    return { why: "its accepted status codes are not readable" };
  const known = [...new Set(ranges)].filter((range) => range !== undefined);
  if (known.length > MAX_CODES) return { why: `it accepts more than ${MAX_CODES} status codes and ranges` };
  return { expect: { status: known } };
}

/** A code, class or range as it is written here. */
function rangeOf(code: unknown): number | string | undefined {
  const [, first, last = first] = /^\s*([1-9]\d\d)(?:\s*-\s*([1-9]\d\d))?\s*$/.exec(String(code)) ?? [];
  if (first === undefined || last === undefined || last < first) return undefined;
  return entry(Number(first), Number(last));
}
