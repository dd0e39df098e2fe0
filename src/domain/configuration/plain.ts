import type { Fault } from "./fault.ts";

/** The deepest nesting; valid documents have less. */
const DEEPEST = 16;

/**
 * What no document has, and what would take validation long or can't be stored: deep nesting, text with an unpaired surrogate,
 * and values that JSON does not have.
 */
export function plainFaults(value: unknown): Fault[] {
  const problem = problemOf(value, 0);
  return problem === undefined ? [] : [{ path: "the document", message: problem }];
}

function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "must be Unicode text: it has an unpaired surrogate";
  if (value === null || ["undefined", "number", "boolean"].includes(typeof value)) return undefined;
  if (typeof value !== "object") return "must have only values that JSON has";
  if (depth === DEEPEST) return `must be at most ${DEEPEST} levels deep`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return "must have only values that JSON has";
  for (const inner of Object.values(value)) {
    const problem = problemOf(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
