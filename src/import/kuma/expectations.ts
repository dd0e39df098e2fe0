import { quotedName } from "../untyped.ts";
import { jsonOf, type Row, textIn } from "./data.ts";
import type { Refused } from "./fields.ts";

type Expected = { expect: { json: Record<string, unknown> }; notes: string[] };

const HOW = "stillup reads plain paths such as $.a.b[0]";

/** Type `json-query`: a JSONata expression whose value is compared as text. */
export function expectedJson(row: Row): Expected | Refused {
  const path = pathFrom(textIn(row, "json_path"));
  if (path === undefined) return { why: `its JSON query is more than a path: ${HOW}` };
  const expected = textIn(row, "expected_value");
  const operator = textIn(row, "json_path_operator") || "==";
  if (operator === "==") {
    const value = scalarFrom(expected);
    const isText = typeof value === "string";
    const note = `its value must be the ${typeof value} ${expected}: write "${expected}" if the server sends a text`;
    return { expect: { json: { [path]: value } }, notes: isText ? [] : [note] };
  }
  const limit = expected === "" ? Number.NaN : Number(expected);
  const name = { ">=": "min", "<=": "max" }[operator];
  if (name !== undefined && Number.isFinite(limit))
    return { expect: { json: { [path]: { [name]: limit } } }, notes: [] };
  const right = "stillup compares for equality, and with min and max, which belong to the range";
  return { why: `its JSON query compares with ${JSON.stringify(operator.slice(0, 20))}: ${right}` };
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
  return text !== "" && String(Number(text)) === text ? Number(text) : text;
}

const COLUMN = "accepted_statuscodes_json";
const MAX_CODES = 20;

/** The accepted status codes: texts such as `200-299` or `301`. */
export function expectedStatus(row: Row): { status: (number | string)[] } | Refused {
  const codes = jsonOf(row, COLUMN);
  if ((row[COLUMN] ?? null) === null) return { status: ["2xx"] };
  const ranges = Array.isArray(codes) ? codes.map(rangeOf) : [];
  const known = [...new Set(ranges.filter((range) => range !== undefined))];
  if (known.length === 0 || ranges.includes(undefined))
    return { why: "its accepted status codes are not readable" };
  if (known.length > MAX_CODES) return { why: `it accepts more than ${MAX_CODES} status codes and ranges` };
  return { status: known };
}

function rangeOf(code: unknown): number | string | undefined {
  const [, first, last] = /^\s*([1-9]\d\d)(?:\s*-\s*([1-9]\d\d))?\s*$/.exec(String(code)) ?? [];
  if (first === undefined || first > "599") return undefined;
  if (last === undefined) return Number(first);
  if (last < first) return undefined;
  const end = last > "599" ? "599" : last;
  return first.endsWith("00") && end === `${first[0]}99` ? `${first[0]}xx` : `${first}-${end}`;
}
