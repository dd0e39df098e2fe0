import { literal } from "../../../domain/configuration/placeholder.ts";
import { quotedName, quotedPattern } from "../../imported.ts";
import { type Environment, hasVariable, resolved } from "../../output-config.ts";
import { type Comparison, isOpen, isOpenEnded, OPEN, textsBetweenStars, type Wanted } from "./conditions.ts";
import { goInteger, goText, re2Of, wholeNumber } from "./evaluation.ts";

type Limits = { min?: number; max?: number };
type JsonExpectation = string | number | boolean | Limits | { exists: boolean };

export interface BodyExpectations {
  contains: string[];
  lacks: string[];
  /** Patterns of RE2. */
  matches: string[];
  /** By path. */
  json: Map<string, JsonExpectation>;
  notes: string[];
}

const MAX_TEXTS = 10;

/** Gatus compares whole numbers. A number with decimals that is less than the limit must stay below it. */
const JUST_BELOW = 0.001;

export function newBodyExpectations(): BodyExpectations {
  return { contains: [], lacks: [], matches: [], json: new Map(), notes: [] };
}

/** Adds a condition for `[BODY]`. @returns why it is not taken over, or not exactly */
export function expectOfBody(condition: Comparison, draft: BodyExpectations, env: Environment) {
  const { path, wrapper } = condition.operand;
  if (wrapper === "len") return expectLength(condition, draft, env);
  if (wrapper === "has") return expectExistence(condition, draft, env);
  return path === "" ? expectText(condition, draft, env) : expectValue(condition, draft, env);
}

/** The pattern for a body of the length 0: no byte, or an array without elements. */
const EMPTY = "^(?:\\[[ \\t\\n\\r]*\\])?$";
const NOT_EMPTY = "^(?:[^\\[]|\\[[ \\t\\n\\r]*(?:[^\\] \\t\\n\\r]|$|\\][\\s\\S]))";

function expectLength({ operand, operator, wanted }: Comparison, draft: BodyExpectations, env: Environment) {
  const why = "stillup has no expectation of a length";
  if (operand.path !== "" || wanted.kind !== "text" || hasVariable(resolved(wanted.text, env))) return why;
  const comparison = `${operator} ${wholeNumber(resolved(wanted.text, env)) ?? 0n}`;
  if (["== 0", "<= 0", "< 1"].includes(comparison)) return added(draft.matches, [EMPTY]);
  return ["!= 0", "> 0", ">= 1"].includes(comparison) ? added(draft.matches, [NOT_EMPTY]) : why;
}

function expectText({ operator, wanted }: Comparison, draft: BodyExpectations, env: Environment) {
  if (operator !== "==" && operator !== "!=") return "stillup does not compare a whole body with a number";
  const texts = textsOf(wanted);
  const isOne = wanted.kind === "pattern" && isOpenEnded(wanted.pattern) && texts?.length === 1;
  if (operator === "==" && !isOne) return expectWhole(wanted, draft, env);
  if (operator === "!=" && wanted.kind === "text" && wanted.text === "") return added(draft.matches, ["\\S"]);
  if (!isOne || !texts) return "stillup only expects that a body lacks a text";
  if (operator === "==") return added(draft.contains, texts);
  const slashes = "Gatus ignores the slashes of both texts: here the body may have the text with other ones";
  return added(draft.lacks, texts) ?? (texts[0]?.includes("/") ? slashes : undefined);
}

/** A whole body, or all of a pattern. With a variable, only its texts are expected. */
function expectWhole(wanted: Wanted, draft: BodyExpectations, env: Environment): string | undefined {
  if (wanted.kind === "pattern" && wanted.pattern === "*") return undefined;
  const pattern = patternOf(wanted, env);
  if (pattern !== undefined && [...pattern].length <= MAX_PATTERN) {
    const isNumber = wanted.kind === "text" && goInteger(wanted.text) !== undefined;
    const number = isNumber
      ? "the body must be this text here: Gatus also takes other ways to write the number"
      : undefined;
    return added(draft.matches, [literal(pattern)]) ?? number;
  }
  const texts = textsOf(wanted);
  if (!texts) return "stillup expects texts and patterns of a body, without variables in a pattern";
  return added(draft.contains, texts) ?? inWords(texts);
}

const MAX_PATTERN = 1024;

/** Undefined if it has a variable, or if nothing can match. */
function patternOf(wanted: Wanted, env: Environment): string | undefined {
  if (wanted.kind === "any")
    return wanted.hasVariable ? undefined : wholeOf(`(?:${wanted.options.map(quotedPattern).join("|")})`);
  const written = wanted.kind === "text" ? wanted.text : wanted.pattern;
  if (hasVariable(written)) return undefined;
  const text = resolved(written, env);
  return wanted.kind === "pattern" ? re2Of(text) : wholeOf(quotedPattern(text));
}

/** Gatus compares a body without the blanks around it. */
function wholeOf(pattern: string): string {
  return `^\\s*${pattern}\\s*$`;
}

function inWords(texts: string[]): string {
  const list = texts.map((text) => JSON.stringify(text)).join(" and ");
  return `stillup expects only that the body contains ${list}`;
}

function textsOf(wanted: Wanted): string[] | undefined {
  const texts =
    wanted.kind === "pattern"
      ? textsBetweenStars(wanted.pattern)
      : wanted.kind === "text"
        ? [wanted.text]
        : [];
  return texts && texts.length > 0 && texts.every((text) => text !== "") ? texts : undefined;
}

function added(list: string[], texts: string[]): string | undefined {
  const further = texts.filter((text) => !list.includes(text));
  if (list.length + further.length > MAX_TEXTS) return `stillup expects at most ${MAX_TEXTS} texts`;
  list.push(...further);
  return undefined;
}

function expectExistence(condition: Comparison, draft: BodyExpectations, env: Environment) {
  const { operand, operator, wanted } = condition;
  if (isOpen(condition, env)) return OPEN;
  const text = wanted.kind === "text" ? resolved(wanted.text, env) : "";
  if (!["true", "false"].includes(text) || !["==", "!="].includes(operator))
    return "has() is compared with true or false only";
  const exists = (text === "true") === (operator === "==");
  if (operand.path === "") return added(draft.matches, [exists ? "\\S" : "^\\s*$"]);
  if (exists) draft.notes.push("has(): a value that is null is a value here, and none in Gatus");
  return expectJson(operand.path, { exists }, draft);
}

function expectValue(condition: Comparison, draft: BodyExpectations, env: Environment) {
  const { operand, operator, wanted } = condition;
  if (operator === "!=") return "stillup has no expectation that a value is another one";
  if (operator === "==") {
    // Gatus takes a missing value for this pattern too.
    if (wanted.kind === "pattern" && wanted.pattern === "*")
      return expectJson(operand.path, { exists: true }, draft);
    if (wanted.kind !== "text") return "stillup expects one value at a path, not one of several or a pattern";
    const { value, why } = scalarOf(wanted.text, env);
    return expectJson(operand.path, value, draft) ?? why;
  }
  if (isOpen(condition, env)) return OPEN;
  const limit = wanted.kind === "text" ? wholeNumber(resolved(wanted.text, env)) : undefined;
  if (limit === undefined) return "it does not compare the value with a number";
  if (!Number.isSafeInteger(Number(limit))) return "stillup compares numbers of up to 53 bits";
  return expectJson(operand.path, limits[operator](Number(limit)), draft);
}

/** Gatus drops the decimals of a value, so that -0.5 is 0. */
const limits = {
  "<": (limit: number): Limits => ({
    max: limit > 0 && limit < MAX_DECIMALS ? limit - JUST_BELOW : limit - 1,
  }),
  "<=": (limit: number): Limits => ({ max: limit }),
  ">": (limit: number): Limits => ({ min: limit + 1 }),
  ">=": (limit: number): Limits => ({ min: limit }),
};

/** From here on, a number can't be just below another one. */
const MAX_DECIMALS = 1_000_000_000;

/** The value that has this text in Gatus, which compares texts: of a number, only that text which Gatus writes for it. */
function scalarOf(text: string, env: Environment): { value: JsonExpectation; why?: string } {
  const value = resolved(text, env);
  const isBoolean = value === "true" || value === "false";
  const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d\d+)?$/.test(value) ? Number(value) : Number.NaN;
  const isNumber = Number.isFinite(number) && goText(number) === value;
  if (hasVariable(text)) {
    const why = "it is the value of the variable as a text: a number, true and false are other values";
    return { value: text, ...((isBoolean || isNumber || hasVariable(value)) && { why }) };
  }
  if (isBoolean) return { value: value === "true" };
  if (isNumber) return { value: number };
  const same = goInteger(value);
  if (same !== undefined && String(same) !== value)
    return {
      value: text,
      why: `it is the text ${JSON.stringify(value)} here; Gatus takes the number ${same} too`,
    };
  if (same !== undefined)
    return {
      value: text,
      why: `it is the text ${JSON.stringify(value)}: Gatus writes the number as ${goText(number)}`,
    };
  return { value: text };
}

function expectJson(path: string, expected: JsonExpectation, { json }: BodyExpectations) {
  const query = jsonPathOf(path);
  if (query === undefined) return "stillup does not know this path";
  const known = json.get(query);
  if (known === undefined && json.size === MAX_TEXTS) return `stillup expects at most ${MAX_TEXTS} values`;
  const both = known === undefined ? expected : bothOf(known, expected);
  if (both === undefined) return "stillup has one expectation for each path";
  json.set(query, both);
  return undefined;
}

/** An expectation that is met if two are. Undefined if there is none. */
function bothOf(one: JsonExpectation, other: JsonExpectation): JsonExpectation | undefined {
  if (isLimits(one) && isLimits(other)) return bothLimits(one, other);
  if (isThere(other) || Object.is(one, other)) return isMissing(one) ? undefined : one;
  if (isThere(one)) return isMissing(other) ? undefined : other;
  return isMissing(one) && isMissing(other) ? one : undefined;
}

function isThere(value: JsonExpectation): boolean {
  return typeof value === "object" && "exists" in value && value.exists;
}

function isMissing(value: JsonExpectation): boolean {
  return typeof value === "object" && "exists" in value && !value.exists;
}

function isLimits(value: JsonExpectation): value is Limits {
  return typeof value === "object" && !("exists" in value);
}

function bothLimits(one: Limits, other: Limits): Limits | undefined {
  const min = Math.max(one.min ?? Number.NEGATIVE_INFINITY, other.min ?? Number.NEGATIVE_INFINITY);
  const max = Math.min(one.max ?? Number.POSITIVE_INFINITY, other.max ?? Number.POSITIVE_INFINITY);
  if (min > max) return undefined;
  return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) };
}

/** A path of Gatus, such as `.data[0].id`, as a query of RFC 9535: `$.data[0].id`. Undefined if it has none. */
export function jsonPathOf(path: string): string | undefined {
  let query = "$";
  for (const key of keysOf(path.replace(/^\./, ""))) {
    const [, name = "", indexes = ""] = /^([^[\]]*)((?:\[\d+\])*)$/.exec(key) ?? [];
    if (name === "" && indexes === "") return undefined;
    query += (name === "" ? "" : member(name)) + indexes.replaceAll(/\[0+(?=\d)/g, "[");
  }
  return query;
}

/** A dot in brackets does not separate keys. */
function keysOf(path: string): string[] {
  return path.split(/\.(?![^[]*\])/);
}

function member(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return `[${quotedName(name)}]`;
}
