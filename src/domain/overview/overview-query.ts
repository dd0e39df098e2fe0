import { RANGES, type Range } from "../results/range.ts";

/** The number of rows that most windows have room for. */
const FIRST = 12;

/** The range in the address of the page. */
export function rangeIn(params: URLSearchParams): Range {
  return RANGES.find((range) => range === params.get("range")) ?? "90d";
}

/** If there are more monitors than this, the server selects the ones that the page shows. */
export const MAX_LISTED = 1000;

/** The most monitors that a request leaves out before its own. */
export const MAX_SKIPPED = 1000;

/** The first request of the page: only the visible rows, if its address neither filters nor sorts. */
export function firstQuery(params: URLSearchParams): { range: Range; first?: string; upTo?: string } {
  const isPlain = [...params.keys()].every((name) => name === "range");
  return {
    range: rangeIn(params),
    ...(isPlain ? { first: String(FIRST) } : { upTo: String(MAX_LISTED) }),
  };
}
