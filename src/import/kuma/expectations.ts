import { listOf, quotedName } from "../untyped.ts";
import { jsonOf, type Row, textIn } from "./data.ts";
import type { OmittedPart, Refused } from "./fields.ts";

/** The expectation of a body, and what of it is not taken over. */
export interface ExpectedBody {
  expect: Record<string, unknown>;
  omitted: OmittedPart[];
  notes: string[];
}

/** Type `json-query`: a JSONata expression whose value is compared as text, or as a number. */
export function expectedJson(row: Row): ExpectedBody {
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
export function expectedStatus(
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
