import { quotedPattern } from "../../imported.ts";
import { type Environment, resolved } from "../../output-config.ts";
import { parseGoDuration } from "../variables.ts";
import type { Comparison } from "./conditions.ts";

/*
 * The meaning of a condition of Gatus for a value of its placeholder, to the letter of Gatus: an import may be less strict than a
 * condition only if it says so (behavior 16.112).
 */

/** The text of Gatus in place of the value of a path that a body lacks. */
export const INVALID = "(INVALID)";

/** Whether a condition holds. @param value of the placeholder, as the text that Gatus compares */
export function holds({ operand, operator, wanted }: Comparison, value: string, env: Environment): boolean {
  const seen = operand.wrapper === null ? value : wrapped(operand.wrapper, value);
  if (operator === "==" || operator === "!=") return isEqual(seen, wanted, env) === (operator === "==");
  const limit = wanted.kind === "text" ? wholeNumber(resolved(wanted.text, env)) : undefined;
  return compared(wholeNumber(seen) ?? 0n, limit ?? 0n)[operator];
}

function wrapped(wrapper: "len" | "has", value: string): string {
  const isThere = value !== "" && value !== INVALID;
  return wrapper === "has" ? String(isThere) : String(Buffer.byteLength(value));
}

function compared(value: bigint, limit: bigint) {
  return { "<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit };
}

function isEqual(value: string, wanted: Comparison["wanted"], env: Environment): boolean {
  if (wanted.kind === "pattern") return matchesPattern(resolved(wanted.pattern, env), value);
  if (wanted.kind === "any") return wanted.options.includes(value);
  const text = resolved(wanted.text, env);
  const [one, other] = [goInteger(value), goInteger(text)];
  return one !== undefined && other !== undefined ? one === other : value === text;
}

/** The number that Gatus compares by `<` and the like: durations in milliseconds, without decimals. Undefined for other texts. */
export function wholeNumber(text: string): bigint | undefined {
  const duration = parseGoDuration(text.replace(/^[+-]/, ""));
  if (duration !== undefined && duration !== 0)
    return BigInt(Math.trunc(text.startsWith("-") ? -duration : duration));
  const integer = goInteger(text);
  if (integer !== undefined) return integer;
  const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(decimal) ? BigInt(Math.trunc(decimal)) : undefined;
}

const INTEGER = /^([+-]?)(0x(?:_?[\da-f])+|0b(?:_?[01])+|0o?(?:_?[0-7])+|[1-9](?:_?\d)*|0)$/i;
const LARGEST = 2n ** 63n;

/** A text that `strconv.ParseInt` takes as a number of 64 bits, such as `0x1F` or `017`, which is octal. */
export function goInteger(text: string): bigint | undefined {
  const [, sign, digits = ""] = INTEGER.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const plain = digits.replaceAll("_", "");
  const size = BigInt(/^0\d/.test(plain) ? `0o${plain.slice(1)}` : plain);
  const value = sign === "-" ? -size : size;
  return value < LARGEST && value >= -LARGEST ? value : undefined;
}

/** The text that Gatus compares if a JSON document has this number, such as `1e+06`. */
export function goText(number: number): string {
  const [digits = "", exponent = "0"] = number.toExponential().split("e");
  const size = Number(exponent);
  if (size >= -4 && size < 6) return String(number);
  return `${digits}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
}

/** By `filepath.Match`, without all slashes. */
function matchesPattern(pattern: string, text: string): boolean {
  if (pattern === "*") return true;
  const expression = expressionOf(pattern.replaceAll("/", ""));
  return expression?.test(text.replaceAll("/", "")) ?? false;
}

/** The parts of a pattern of `filepath.Match`. */
const TOKEN = /\*|\?|\\(.)|\[(\^?)((?:\\.|[^\]\\])+)\]|([^*?\\[])/gsu;

/** Undefined for a malformed pattern, which nothing matches. */
function expressionOf(pattern: string): RegExp | undefined {
  const tokens = [...pattern.matchAll(TOKEN)];
  if (tokens.map(([token]) => token).join("") !== pattern) return undefined;
  const parts = tokens.map(([token, escaped, negation, set, plain]) => {
    if (token === "*") return "[^]*";
    if (token === "?") return "[^]";
    if (set !== undefined)
      return `[${negation}${set.replaceAll(/\\(.)/gs, "$1").replaceAll(/[\]\\[]/g, "\\$&")}]`;
    return RegExp.escape(escaped ?? plain ?? "");
  });
  try {
    return new RegExp(`^${parts.join("")}$`, "u");
  } catch {
    return undefined;
  }
}

/**
 * A pattern of Gatus as one of RE2 for a body with blanks around it. Undefined for a malformed one, which nothing matches. A slash is
 * itself here, and is neither of `?` nor of a negated set.
 */
export function re2Of(pattern: string): string | undefined {
  if (expressionOf(pattern) === undefined) return undefined;
  const parts = [...pattern.matchAll(TOKEN)].map(([token, escaped, negation, set, plain]) => {
    if (token === "*") return ".*";
    if (token === "?") return "[^/]";
    if (set === undefined) return quotedPattern(escaped ?? plain ?? "");
    const signs = set.replaceAll(/\\(.)|[[^]/gsu, (sign, quoted) =>
      quotedPattern(quoted ?? sign).replace(/^-$/, "\\-"),
    );
    return `[${negation === "" ? "" : "^/"}${signs}]`;
  });
  const start = pattern.startsWith("*") ? "" : "^\\s*";
  const end = pattern.endsWith("*") ? "" : "\\s*$";
  return `(?s)${start}${parts
    .join("")
    .replace(/^(\.\*)+/, "")
    .replace(/(?<!\\)(\.\*)+$/, "")}${end}`;
}
