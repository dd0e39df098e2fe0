import { clamp } from "../../untyped.ts";
import { type Environment, resolved } from "../../variables.ts";
import { numberIn } from "../numbers.ts";
import { type Condition, parseCondition } from "./condition.ts";

/** A condition that is not taken over, or not exactly. */
export interface LeftCondition {
  condition: string;
  why: string;
}

export const INVERTED = "it is healthy while nothing answers: stillup has no such expectation";

const LONGEST = 4096;

/** @param read returns why a condition is not taken over, or undefined */
export function readConditions(
  conditions: readonly string[],
  read: (condition: Condition) => string | undefined,
): LeftCondition[] {
  const left: LeftCondition[] = [];
  for (const text of conditions) {
    const why = whyLeft(text, read);
    if (why !== undefined) left.push({ condition: text, why });
  }
  return left;
}

function whyLeft(text: string, read: (condition: Condition) => string | undefined): string | undefined {
  if (text.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  const condition = parseCondition(text);
  return condition ? read(condition) : "it does not compare one placeholder with a value";
}

/** Whether a condition for `[CONNECTED]` wants no connection. A failed connection is trouble in any case. */
export function isAboutFailure({ operator, wanted }: Condition, env: Environment): boolean {
  const text = wanted.kind === "text" ? resolved(wanted.text, env).toLowerCase() : "";
  if (operator === "==") return text !== "true";
  return operator !== "!=" || text !== "false";
}

const DAY = 86_400_000;

/** The `warnDays` for a condition such as `[CERTIFICATE_EXPIRATION] > 48h`. Undefined for other comparisons. */
export function warnDaysOf({ operator, wanted }: Condition, env: Environment): number | undefined {
  const lifetime = wanted.kind === "text" ? numberIn(wanted.text, env) : undefined;
  if (lifetime === undefined || (operator !== ">" && operator !== ">=")) return undefined;
  return clamp(1, Math.ceil(lifetime / DAY), 365);
}
