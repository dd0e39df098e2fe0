import { RANGES, type Range } from "../results/range.ts";

/** As many rows as most windows have room for. */
const FIRST = 12;

/** The range that an address asks for. */
export function rangeIn(params: URLSearchParams): Range {
  return RANGES.find((range) => range === params.get("range")) ?? "90d";
}

/** What the page asks for first. Where its address neither filters nor sorts, that is what its window has room for. */
export function firstQuery(params: URLSearchParams): { range: Range; first?: string } {
  const isPlain = [...params.keys()].every((name) => name === "range");
  return { range: rangeIn(params), ...(isPlain && { first: String(FIRST) }) };
}
