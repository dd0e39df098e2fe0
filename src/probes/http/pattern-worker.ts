/** Compiles patterns and looks for them in texts, one job at a time: see `patterns.ts`. */
import { getPriority, setPriority } from "node:os";
import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { cached } from "../../domain/cache.ts";
import type { PatternFault, PatternJob, PatternResult } from "./patterns.ts";

declare const self: Worker;

/** A lower priority than other threads have: checks and requests go before a pattern. On Linux, it belongs to the thread. */
const NICE = 5;

/** Steps of a compiled pattern: time and memory grow with them. A character class of Unicode that is repeated 1,000 times has 1,002. */
const MAX_SIZE = 10_000;

if (process.platform === "linux") setPriority(0, Math.max(NICE, getPriority(0)));

/** The same patterns are matched at each check. */
const compiled = cached((pattern: string) => RE2JS.compile(pattern), 20);

self.onmessage = ({ data: { patterns, text } }: MessageEvent<PatternJob>) => {
  const isWrong = (pattern: string) =>
    text === undefined ? faultOf(pattern) !== null : !compiled(pattern).test(text);
  const at = patterns.findIndex(isWrong);
  const fault = at >= 0 && text === undefined ? faultOf(patterns[at] ?? "") : null;
  self.postMessage({ at, fault } satisfies PatternResult);
};

function faultOf(pattern: string): PatternFault | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    if (size <= MAX_SIZE) return null;
    return { code: "patternTooLarge", size, most: MAX_SIZE };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { code: "patternSyntax", why: wordsOf(error) };
  }
}

function wordsOf(error: RE2JSException): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message;
  const part = error.getPattern();
  return part ? `${error.getDescription()}: ${part}` : error.getDescription();
}
