import { decoded, listOf, quotedName } from "../imported.ts";
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

/** Ways of authentication that need more than a header, so that the check could only fail. */
const OTHER_AUTH: Record<string, string> = {
  ntlm: "NTLM",
  mtls: "client certificates",
  "oauth2-cc": "OAuth 2 client credentials",
};

/** Types `http`, `keyword` and `json-query`. */
export function httpFrom(row: Row): Mapped | Refused {
  const status = expectedStatus(row);
  if ("why" in status) return status;
  const body = expectedBody(row);
  const unreachable = omittedConnection(row);
  const omitted = [...unreachable, ...omittedTimes(row), ...status.omitted, ...body.omitted];
  const request = requestOf(row, omitted);
  return {
    type: "HTTP",
    config: {
      ...request,
      ...(request.method === "GET" && { method: undefined }),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
      ...redirects(row, omitted),
      ...(flagOf(row, "ignore_tls") && { verifyTls: false }),
      ...ipFamily(row),
      expect: { ...status.expect, ...body.expect },
    },
    ...{ omitted, notes: body.notes, isPaused: unreachable.length > 0 },
  };
}

/** The parts of a connection that the check needs and stillup does not have. */
function omittedConnection(row: Row): OmittedPart[] {
  const auth = textIn(row, "auth_method").toLowerCase();
  const omitted: OmittedPart[] = [];
  if (Object.hasOwn(OTHER_AUTH, auth))
    omitted.push({
      part: "authentication",
      why: `stillup has no ${OTHER_AUTH[auth]}: the monitor is paused`,
    });
  if ((numberOf(row, "proxy_id") ?? 0) > 0)
    omitted.push({ part: "proxy", why: "stillup uses none: the monitor is paused" });
  return omitted;
}

function requestOf(row: Row, omitted: OmittedPart[]) {
  const { url, user, password } = addressOf(textIn(row, "url"));
  const method = textIn(row, "method").toUpperCase() || "GET";
  const headers = headersOf(row, omitted);
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const basicAuth =
    user === "" && textIn(row, "auth_method") === "basic"
      ? { user: textIn(row, "basic_auth_user"), password: String(row.basic_auth_pass ?? "") }
      : { user, password };
  const hasUser = basicAuth.user !== "" || basicAuth.password !== "";
  if (flagOf(row, "cache_bust"))
    omitted.push({ part: "cache bust", why: "no random parameter is added to the URL" });
  return {
    url,
    method,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...bodyOf(row, { method, omitted }),
    ...(hasUser && !hasAuthorization && { basicAuth }),
  };
}

/** The user info of a URL is sent as basic authentication. */
function addressOf(text: string): { url: string; user: string; password: string } {
  const url = URL.parse(text);
  if (!url || (url.username === "" && url.password === "")) return { url: text, user: "", password: "" };
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  return { url: url.href, user, password };
}

/** Headers that stillup computes itself. */
export const COMPUTED = new Set(["content-length", "transfer-encoding", "connection"]);

function headersOf(row: Row, omitted: OmittedPart[]): Record<string, string> {
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
  // Uptime Kuma looks for the keyword in the JSON of a parsed body, which has no blanks.
  const isJson = /["\]}][:,]\S/.test(keyword);
  return {
    expect: { [flagOf(row, "invert_keyword") ? "lacks" : "contains"]: keyword },
    omitted: [],
    notes: isJson
      ? ["its keyword must be in the body exactly as the server sends it: spaces in a JSON body count"]
      : [],
  };
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
  if (operator === "==") {
    const value = scalarFrom(expected);
    const isText = typeof value === "string";
    const note = `its value must be the ${typeof value} ${expected}: write "${expected}" if the server sends a text`;
    return { expect: { json: { [path]: value } }, omitted: [], notes: isText ? [] : [note] };
  }
  const limits = limitsFrom(operator, expected);
  if (limits) return { expect: { json: { [path]: limits } }, omitted: [], notes: [] };
  const right = "stillup compares for equality, and with a least and a highest number";
  return withoutQuery(`it compares with ${JSON.stringify(operator.slice(0, 20))}: ${right}`);
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

/** The accepted status codes: texts such as `200-299` or `301`. Codes above 599 are no status of an answer here. */
function expectedStatus(
  row: Row,
): { expect: { status: (number | string)[] }; omitted: OmittedPart[] } | Refused {
  const codes = jsonOf(row, COLUMN);
  if ((row[COLUMN] ?? null) === null) return { expect: { status: ["2xx"] }, omitted: [] };
  const ranges = Array.isArray(codes) ? codes.map(rangeOf) : [];
  if (ranges.length === 0 || ranges.includes(undefined))
    return { why: "its accepted status codes are not readable" };
  const known = [
    ...new Set(ranges.flatMap((range) => (range && range.first <= LAST ? writtenRange(range) : []))),
  ];
  const lost = listOf(codes).filter((_, at) => (ranges[at]?.last ?? 0) > LAST);
  const why = `an answer has a status up to ${LAST} here, and not all of ${lost.join(", ")}`;
  if (known.length === 0) return { why };
  if (known.length > MAX_CODES) return { why: `it accepts more than ${MAX_CODES} status codes and ranges` };
  return { expect: { status: known }, omitted: lost.length > 0 ? [{ part: "status codes", why }] : [] };
}

const LAST = 599;

interface Range {
  first: number;
  last: number;
}

function rangeOf(code: unknown): Range | undefined {
  const [, first, last = first] = /^\s*([1-9]\d\d)(?:\s*-\s*([1-9]\d\d))?\s*$/.exec(String(code)) ?? [];
  if (first === undefined || last === undefined || last < first) return undefined;
  return { first: Number(first), last: Number(last) };
}

function writtenRange({ first, last }: Range): number | string {
  const end = Math.min(last, LAST);
  if (first === last) return first;
  return first % 100 === 0 && end === first + 99 ? `${first / 100}xx` : `${first}-${end}`;
}
