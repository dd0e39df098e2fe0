import { jsonOf, type Row } from "./data.ts";
import type { Refused } from "./fields.ts";

const COLUMN = "accepted_statuscodes_json";
const MOST = 20;

/** The accepted status codes: texts such as `200-299` or `301`. */
export function expectedStatus(row: Row): { status: (number | string)[] } | Refused {
  const codes = jsonOf(row, COLUMN);
  if ((row[COLUMN] ?? null) === null) return { status: ["2xx"] };
  const ranges = Array.isArray(codes) ? codes.map(rangeOf) : [];
  const known = [...new Set(ranges.filter((range) => range !== undefined))];
  if (known.length === 0 || ranges.includes(undefined))
    return { why: "its accepted status codes are not readable" };
  if (known.length > MOST) return { why: `it accepts more than ${MOST} status codes and ranges` };
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
