import { type Row, textOf } from "./data.ts";
import type { Refused } from "./fields.ts";

type Expected = { expect: { json: Record<string, unknown> }; notes: string[] };

const HOW = "stillup reads plain paths such as $.a.b[0]";

/** Type `json-query`: a JSONata expression whose value is compared as text. */
export function expectedJson(row: Row): Expected | Refused {
  const path = pathFrom(textOf(row, "json_path"));
  if (path === undefined) return { why: `its JSON query is more than a path: ${HOW}` };
  const expected = textOf(row, "expected_value");
  const operator = textOf(row, "json_path_operator") || "==";
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
const LONGEST = 1000;

/** A path of RFC 9535 for a JSONata expression that is only a path; undefined for any other. */
function pathFrom(query: string): string | undefined {
  if (query.length > LONGEST) return undefined;
  const [whole = "", indexes = ""] = /^\$((?:\[\d{1,9}\])*)(?:\.(?=.)|$)/s.exec(query) ?? [];
  let path = `$${indexes}`;
  for (let at = whole.length; at < query.length; ) {
    STEP.lastIndex = at;
    const step = STEP.exec(query);
    if (!step) return undefined;
    const [text, plain, ticked, quoted, positions] = step;
    path += (plain === undefined ? `[${quote(ticked ?? quoted ?? "")}]` : `.${plain}`) + positions;
    at += text.length;
    // A point separates two steps, and is not the end.
    if (at < query.length && (query[at++] !== "." || at === query.length)) return undefined;
  }
  return path;
}

function quote(name: string): string {
  return `'${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** JSON has numbers and booleans for texts that look like them. */
function scalarFrom(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && String(Number(text)) === text ? Number(text) : text;
}
