import type { Fault } from "./fault.ts";

/** The deepest nesting; valid documents have less. */
const DEEPEST = 16;

/** The most values besides the history. */
const MOST_VALUES = 500_000;

/**
 * What no document has, and what would take validation long or can't be stored: deep nesting, half a million values besides the
 * history, text with an unpaired surrogate, and values that JSON does not have.
 */
export function plainFaults(value: unknown): Fault[] {
  const problem = hasTooMany(value) ? TOO_MANY : problemOf(value, 0);
  return problem === undefined ? [] : [{ path: "the document", message: problem }];
}

const TOO_MANY = `must have at most ${MOST_VALUES} values besides its history`;

/** Whether a value, of any depth, has more values than a document may have. */
function hasTooMany(value: unknown): boolean {
  let left = MOST_VALUES;
  const { history: _, ...counted } = Object(value) as { history?: unknown };
  const waiting: unknown[] = [counted];
  // The list shrinks and grows while it is read.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inner = valuesIn(Object(next));
    left -= inner.length;
    if (left < 0) return true;
    for (const one of inner) if (typeof one === "object" && one !== null) waiting.push(one);
  }
  return false;
}

const PLAIN = new Set(["undefined", "number", "boolean"]);

function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "must be Unicode text: it has an unpaired surrogate";
  if (value === null || PLAIN.has(typeof value)) return undefined;
  if (typeof value !== "object") return "must have only values that JSON has";
  if (depth === DEEPEST) return `must be at most ${DEEPEST} levels deep`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return "must have only values that JSON has";
  for (const inner of valuesIn(value)) {
    const problem = problemOf(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `Object.values` of an array takes ten times as long as the array. */
function valuesIn(value: object): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(value);
}
