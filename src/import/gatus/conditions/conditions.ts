import { isIP } from "../../../domain/network/client-address.ts";
import { clamp } from "../../imported.ts";
import { type Environment, hasVariable, resolved } from "../../output-config.ts";
import { holds, INVALID, wholeNumber } from "./evaluation.ts";

/** A condition that is not taken over, or not exactly. */
export interface OmittedCondition {
  condition: string;
  why: string;
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
] as const;
type Placeholder = (typeof NAMES)[number];

const INVERTED = "it is healthy while nothing answers: stillup has no such expectation";

/**
 * The values that the placeholders of Gatus may have while a monitor of stillup is healthy. A placeholder that is not named may
 * have any value.
 */
export type Healthy = Partial<Record<Placeholder, (value: string) => boolean>> & {
  /** The value of a path of the body, if it does not depend on what a server sends. */
  valueAt?: (path: string) => string;
};

/** The values while a monitor of any type is healthy. */
export const CONNECTED: Healthy = { CONNECTED: (value) => value === "true", IP: isIP };
/** The values of a type of monitor that reads no status code, certificate or response code. */
export const WITHOUT_HTTP: Healthy = {
  ...CONNECTED,
  ...{ STATUS: isZero, CERTIFICATE_EXPIRATION: isZero, DNS_RCODE: isEmpty },
};
/** The values of a type of monitor that reads no text either. */
export const WITHOUT_BODY: Healthy = { ...WITHOUT_HTTP, BODY: isEmpty, valueAt: () => INVALID };

function isZero(value: string): boolean {
  return value === "0";
}

function isEmpty(value: string): boolean {
  return value === "";
}

const MAX = 4096;

interface Reader {
  env: Environment;
  healthy: Healthy;
  /** Why an endpoint that is only healthy if it has none of these values is not taken over. */
  inverted?: string;
  /** Returns why a condition is not taken over, or not exactly; undefined if it is. */
  read: (condition: Comparison) => string | undefined;
}

/**
 * Reads the conditions of an endpoint (behavior 16.112).
 *
 * @returns the conditions that are left out, so that the monitor is less strict than the endpoint. Or a refusal if the endpoint is
 *   never healthy while the monitor is: the monitor would judge the opposite
 */
export function readConditions(
  conditions: readonly string[],
  { env, healthy, inverted = INVERTED, read }: Reader,
): { omitted: OmittedCondition[]; refusal?: string } {
  const omitted: OmittedCondition[] = [];
  const parsed = conditions.map((text) => (text.length > MAX ? undefined : parseCondition(text, env)));
  const provesAnswer = parsed.some((one) => one !== undefined && !holdsWithoutAnswer(one, env));
  for (const [at, condition] of parsed.entries()) {
    const text = conditions[at] ?? "";
    if (!condition) {
      omitted.push({ condition: text, why: unreadable(text) });
      continue;
    }
    const why = read(condition);
    if (why === undefined) continue;
    omitted.push({ condition: text, why });
    if (!canHold(condition, { env, healthy, provesAnswer })) {
      const isInverted = holdsWithoutAnswer(condition, env);
      return { omitted, refusal: isInverted ? inverted : `nothing can meet its condition ${text}` };
    }
  }
  return { omitted };
}

function unreadable(text: string): string {
  if (text.length > MAX) return `it is longer than ${MAX} characters`;
  return /\[CONTEXT\]/i.test(text)
    ? "an expectation has no values of earlier steps"
    : "it does not compare one placeholder with a value";
}

/** By placeholder: its values in Gatus if nothing answers. */
const WITHOUT_ANSWER: Partial<Record<Placeholder, string[]>> = {
  ...{ CONNECTED: ["false"], STATUS: ["0"], RESPONSE_TIME: ["0"], CERTIFICATE_EXPIRATION: ["0"] },
  ...{ BODY: [""], IP: [""], DNS_RCODE: ["", "NXDOMAIN", "SERVFAIL", "REFUSED"] },
};

function holdsWithoutAnswer(condition: Comparison, env: Environment): boolean {
  const { name, path } = condition.operand;
  const values = path === "" ? (WITHOUT_ANSWER[name] ?? [""]) : [INVALID];
  return values.some((value) => holds(condition, value, env));
}

/** Whether a condition can hold while the monitor is healthy. */
function canHold(
  condition: Comparison,
  { env, healthy, provesAnswer }: { env: Environment; healthy: Healthy; provesAnswer: boolean },
): boolean {
  const { operand, wanted } = condition;
  const { name, path } = operand;
  if (isOpen(condition, env) || name === "CONTEXT") return true;
  if (path !== "") return healthy.valueAt === undefined || holds(condition, healthy.valueAt(path), env);
  // A set of characters has too many texts to try.
  if (wanted.kind === "pattern" && /[[\\]/.test(wanted.pattern)) return true;
  const mayBe = healthy[name] ?? ((value: string) => name !== "BODY" || provesAnswer || value !== "");
  return candidatesFor(condition, env).some((value) => mayBe(value) && holds(condition, value, env));
}

const TYPICAL = [
  ...["", "x", "0", "1", "200", "503", "true", "false", "NOERROR", "NXDOMAIN", "SERVING"],
  ...["192.0.2.1", "2001:db8::1", '{"status":"SERVING"}', "a.example.com."],
];

const MAX_LENGTH = 1_000_000;

/** Texts at which a comparison can turn over. */
function candidatesFor({ operand, wanted }: Comparison, env: Environment): string[] {
  if (wanted.kind === "any") return [...TYPICAL, ...wanted.options];
  if (wanted.kind === "pattern") return [...TYPICAL, ...matchesOf(resolved(wanted.pattern, env))];
  const text = resolved(wanted.text, env);
  const number = Number(wholeNumber(text) ?? 0n);
  const near = [number - 1, number, number + 1];
  if (operand.wrapper !== "len") return [...TYPICAL, text, ...near.map(String)];
  const lengths = near.filter((length) => length >= 0 && length <= MAX_LENGTH);
  return [...TYPICAL, ...lengths.map((length) => "x".repeat(length))];
}

/** Texts that a star of a pattern can be in a word, a number or an address. */
const PARTS = ["", "1", "x", "1.1", "1.1.1", "1.1.1.1", ":1", "::1", "2001:db8::"];

function matchesOf(pattern: string): string[] {
  const [first = "", ...others] = pattern.replaceAll("?", "1").split("*");
  return PARTS.flatMap((start) =>
    PARTS.map((rest) =>
      [first, ...others].reduce((text, part, at) => text + (at === 1 ? start : rest) + part),
    ),
  );
}

/** Whether a condition has a variable whose value is not known, so that nothing can be said about it. */
export function isOpen({ wanted }: Comparison, env: Environment): boolean {
  if (wanted.kind === "any") return wanted.options.some(hasVariable);
  return hasVariable(resolved(wanted.kind === "text" ? wanted.text : wanted.pattern, env));
}

export const OPEN = "it has a variable that is not set: set it for the import too";

const DAY = 86_400_000;
const MAX_DAYS = 365;

/**
 * The `warnDays` for a condition such as `[CERTIFICATE_EXPIRATION] > 48h`, with the reason if they are not exactly that time.
 * Undefined for other comparisons.
 */
export function warnDaysOf(
  { operand, operator, wanted }: Comparison,
  env: Environment,
): { days: number; why?: string } | undefined {
  const text = wanted.kind === "text" ? resolved(wanted.text, env) : "";
  const lifetime = wholeNumber(text);
  if (lifetime === undefined || operand.wrapper || (operator !== ">" && operator !== ">=")) return undefined;
  const days = clamp(1, Math.ceil(Number(lifetime) / DAY), MAX_DAYS);
  if (days * DAY === Number(lifetime)) return { days };
  return { days, why: `stillup counts in days, 1 to ${MAX_DAYS}: ${text} is ${days} here` };
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
  name: Placeholder;
  /** The path after `[BODY]`, such as `.data[0].id`. */
  path: string;
  /** `len([BODY].items)` */
  wrapper: "len" | "has" | null;
}

/** The other side: a text, or one of the functions `any` and `pat`. */
export type Wanted =
  | { kind: "text"; text: string }
  /** The values of variables are in it. @property hasVariable whether there are any */
  | { kind: "any"; options: string[]; hasVariable: boolean }
  | { kind: "pattern"; pattern: string };

/** A condition of Gatus, which compares a placeholder with a value. */
export interface Comparison {
  operand: Operand;
  operator: Operator;
  wanted: Wanted;
}

/** Parses a condition of Gatus, such as `[STATUS] == 200`. Undefined if it does not compare a placeholder with a text. */
function parseCondition(text: string, env: Environment): Comparison | undefined {
  const operator = OPERATORS.find((one) => text.includes(` ${one} `));
  if (!operator) return undefined;
  const [first = "", second = "", ...more] = text.split(` ${operator} `).map((side) => side.trim());
  if (more.length > 0) return undefined;
  const [left, right] = [operandOf(first), operandOf(second)];
  if ((left && right) || (!left && !right)) return undefined;
  const wanted = wantedOf(left ? second : first, env);
  if (!wanted) return undefined;
  if (left) return { operand: left, operator, wanted };
  return right && { operand: right, operator: MIRRORED[operator], wanted };
}

/** Only a body has parts, and a path of it is one word of the grammar, without operators or another placeholder. */
function operandOf(text: string): Operand | undefined {
  const [, wrapper, inner = text] = /^(len|has)\((.*)\)$/s.exec(text) ?? [];
  const [, given = "", path = ""] = /^\[([A-Za-z_]+)\](.*)$/s.exec(inner) ?? [];
  const name = NAMES.find((one) => one === given.toUpperCase());
  if (name === undefined) return undefined;
  const hasPath = name === "BODY" || name === "CONTEXT";
  if (path !== "" && (!hasPath || !/^[.[]/.test(path) || isExpression(path))) return undefined;
  return { name, path, wrapper: wrapper === "len" || wrapper === "has" ? wrapper : null };
}

/** Undefined for what Gatus takes as a text although its author meant more, such as `200 && [BODY] == x`. */
function wantedOf(text: string, env: Environment): Wanted | undefined {
  const [, name, inner = ""] = /^(any|pat)\((.*)\)$/s.exec(text) ?? [];
  if (name === "pat") return { kind: "pattern", pattern: inner };
  if (name === "any") {
    const [only = "", ...others] = inner.split(",").map((option) => option.trim());
    // Gatus compares a text with a number only if it is not an option.
    if (others.length === 0 && !/^[+-]?0.|,/.test(resolved(only, env))) return { kind: "text", text: only };
    const options = resolved(inner, env).split(",");
    return {
      kind: "any",
      options: options.map((option) => option.trim()),
      hasVariable: hasVariable(inner),
    };
  }
  const value = resolved(text, env);
  // A function can be the value of a variable.
  if (value !== text && /^(any|pat)\(.*\)$/s.test(value)) return wantedOf(value, {});
  return isExpression(value) || /^[A-Za-z_]+\(.*\)$/s.test(value) ? undefined : { kind: "text", text };
}

const PLACEHOLDER = new RegExp(`\\[(${NAMES.join("|")})\\]`, "i");

/** Whether a text has operators, functions or placeholders, which can't be inside of another one. */
function isExpression(text: string): boolean {
  return PLACEHOLDER.test(text) || / (&&|\|\||\||[<>=!]=|[<>=]) /.test(` ${text} `);
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
