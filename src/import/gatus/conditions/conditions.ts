import { clamp } from "../../untyped.ts";
import { type Environment, resolved } from "../../variables.ts";
import { numberIn } from "../numbers.ts";

/** A condition that is not taken over, or not exactly. */
export interface OmittedCondition {
  condition: string;
  why: string;
}

export const INVERTED = "it is healthy while nothing answers: stillup has no such expectation";

const MAX = 4096;

/** @param read returns why a condition is not taken over, or undefined */
export function readConditions(
  conditions: readonly string[],
  read: (condition: Condition) => string | undefined,
): OmittedCondition[] {
  const omitted: OmittedCondition[] = [];
  for (const text of conditions) {
    const why = whyOmitted(text, read);
    if (why !== undefined) omitted.push({ condition: text, why });
  }
  return omitted;
}

function whyOmitted(text: string, read: (condition: Condition) => string | undefined): string | undefined {
  if (text.length > MAX) return `it is longer than ${MAX} characters`;
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

const OPERATORS = ["==", "!=", "<=", ">=", ">", "<"] as const;
type Operator = (typeof OPERATORS)[number];

const MIRRORED: Record<Operator, Operator> = {
  "==": "==",
  "!=": "!=",
  "<=": ">=",
  ">=": "<=",
  ">": "<",
  "<": ">",
};

/** The placeholder that a condition compares, such as `STATUS` or `BODY`. */
interface Operand {
  /** In upper case, without brackets. */
  name: string;
  /** The path after `[BODY]`, such as `.data[0].id`. */
  path: string;
  /** `len([BODY].items)` */
  wrapper: "len" | "has" | null;
}

/** The other side: a text, or one of the functions `any` and `pat`. */
export type Wanted =
  | { kind: "text"; text: string }
  | { kind: "any"; options: string[] }
  | { kind: "pattern"; pattern: string };

export interface Condition {
  operand: Operand;
  operator: Operator;
  wanted: Wanted;
}

/** Parses a condition of Gatus, such as `[STATUS] == 200`. Undefined if it does not compare a placeholder with a text. */
function parseCondition(text: string): Condition | undefined {
  const operator = OPERATORS.find((one) => text.includes(` ${one} `));
  if (!operator) return undefined;
  const [first = "", second = "", ...more] = text.split(` ${operator} `).map((side) => side.trim());
  if (more.length > 0) return undefined;
  const [left, right] = [operandOf(first), operandOf(second)];
  if (left && !right) return { operand: left, operator, wanted: wantedOf(second) };
  if (right && !left) return { operand: right, operator: MIRRORED[operator], wanted: wantedOf(first) };
  return undefined;
}

const NAMES = [
  "STATUS",
  "RESPONSE_TIME",
  "BODY",
  "CONNECTED",
  "CERTIFICATE_EXPIRATION",
  "DOMAIN_EXPIRATION",
  "DNS_RCODE",
  "IP",
  "CONTEXT",
];

function operandOf(text: string): Operand | undefined {
  const [, wrapper, inner = text] = /^(len|has)\((.*)\)$/.exec(text) ?? [];
  const [, name = "", path = ""] = /^\[([A-Za-z_]+)\](.*)$/.exec(inner) ?? [];
  if (!NAMES.includes(name.toUpperCase())) return undefined;
  return { name: name.toUpperCase(), path, wrapper: wrapper === "len" || wrapper === "has" ? wrapper : null };
}

function wantedOf(text: string): Wanted {
  const [, name, inner = ""] = /^(any|pat)\((.*)\)$/s.exec(text) ?? [];
  if (name === "pat") return { kind: "pattern", pattern: inner };
  if (name !== "any") return { kind: "text", text };
  const options = inner.split(",").map((option) => option.trim());
  return options.length === 1 ? { kind: "text", text: options[0] ?? "" } : { kind: "any", options };
}

/** The texts between the stars of a pattern such as `*Basket*`. Undefined if it has other special characters. */
export function textsBetweenStars(pattern: string): string[] | undefined {
  if (/[?[\\]/.test(pattern)) return undefined;
  return pattern.split("*").filter((text) => text !== "");
}

/** Whether a pattern allows anything before and after its texts. */
export function isOpenEnded(pattern: string): boolean {
  return pattern.startsWith("*") && pattern.endsWith("*");
}
