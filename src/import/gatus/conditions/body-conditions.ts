import { quotedName } from "../../untyped.ts";
import { type Environment, hasVariable, resolved } from "../../variables.ts";
import { numberIn } from "../numbers.ts";
import { type Condition, isOpenEnded, textsBetweenStars, type Wanted } from "./conditions.ts";

type Limits = { min?: number; max?: number };
type JsonExpectation = string | number | boolean | Limits | { exists: boolean };

export interface BodyExpectations {
  contains: string[];
  lacks: string[];
  /** By path. */
  json: Map<string, JsonExpectation>;
}

const MAX_TEXTS = 10;

/** Gatus compares whole numbers. A number with decimals that is less than the limit must stay below it. */
const JUST_BELOW = 0.001;

export function newBodyExpectations(): BodyExpectations {
  return { contains: [], lacks: [], json: new Map() };
}

/** Adds a condition for `[BODY]`. @returns why it is not taken over, or not exactly */
export function expectOfBody(condition: Condition, draft: BodyExpectations, env: Environment) {
  const { path, wrapper } = condition.operand;
  if (wrapper === "len") return "stillup has no expectation of a length";
  if (wrapper === "has") return expectExistence(condition, draft, env);
  return path === "" ? expectText(condition, draft) : expectValue(condition, draft, env);
}

function expectText({ operator, wanted }: Condition, draft: BodyExpectations): string | undefined {
  if (operator !== "==" && operator !== "!=") return "stillup does not compare a whole body with a number";
  const texts = textsOf(wanted);
  if (!texts) return "stillup only expects that a body contains texts, or lacks them";
  const isExact = wanted.kind === "pattern" && isOpenEnded(wanted.pattern);
  if (operator === "!=") {
    if (!isExact || texts.length !== 1) return "stillup only expects that a body lacks a text";
    return added(draft.lacks, texts);
  }
  return added(draft.contains, texts) ?? (isExact && texts.length === 1 ? undefined : inWords(texts));
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
  if (list.length + texts.length > MAX_TEXTS) return `stillup expects at most ${MAX_TEXTS} texts`;
  list.push(...texts);
  return undefined;
}

function expectExistence(
  { operand, operator, wanted }: Condition,
  draft: BodyExpectations,
  env: Environment,
) {
  const text = wanted.kind === "text" ? resolved(wanted.text, env) : "";
  if (!["true", "false"].includes(text) || !["==", "!="].includes(operator))
    return "has() is compared with true or false only";
  if (operand.path === "") return "stillup has no expectation that a body is there";
  return expectJson(operand.path, { exists: (text === "true") === (operator === "==") }, draft);
}

function expectValue({ operand, operator, wanted }: Condition, draft: BodyExpectations, env: Environment) {
  if (operator === "!=") return "stillup has no expectation that a value is another one";
  if (operator === "==") {
    if (wanted.kind === "pattern" && wanted.pattern === "*")
      return expectJson(operand.path, { exists: true }, draft);
    if (wanted.kind !== "text") return "stillup expects one value at a path, not one of several or a pattern";
    return expectJson(operand.path, scalarOf(wanted.text, env), draft);
  }
  const limit = wanted.kind === "text" ? numberIn(wanted.text, env) : undefined;
  if (limit === undefined) return "it does not compare the value with a number";
  return expectJson(operand.path, limits[operator](limit), draft);
}

const limits = {
  "<": (limit: number): Limits => ({ max: limit - JUST_BELOW }),
  "<=": (limit: number): Limits => ({ max: limit }),
  ">": (limit: number): Limits => ({ min: Math.floor(limit) + 1 }),
  ">=": (limit: number): Limits => ({ min: limit }),
};

/** Gatus compares texts, so that it does not matter to it whether a value is a number or a text. */
function scalarOf(text: string, env: Environment): JsonExpectation {
  const value = resolved(text, env);
  if (value === "true" || value === "false") return value === "true";
  const number = Number(value);
  const isNumber =
    /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && Number.isFinite(number) && Math.abs(number) < 2 ** 53;
  return isNumber && !hasVariable(text) ? number : text;
}

function expectJson(path: string, expected: JsonExpectation, { json }: BodyExpectations) {
  const query = jsonPathOf(path);
  if (query === undefined) return "stillup does not know this path";
  const known = json.get(query);
  if (known !== undefined && !(isLimits(known) && isLimits(expected)))
    return "stillup has one expectation for each path";
  if (known === undefined && json.size === MAX_TEXTS) return `stillup expects at most ${MAX_TEXTS} values`;
  json.set(query, isLimits(known) && isLimits(expected) ? both(known, expected) : expected);
  return undefined;
}

function isLimits(value: JsonExpectation | undefined): value is Limits {
  return typeof value === "object" && !("exists" in value);
}

function both(one: Limits, other: Limits): Limits {
  const min = Math.max(one.min ?? Number.NEGATIVE_INFINITY, other.min ?? Number.NEGATIVE_INFINITY);
  const max = Math.min(one.max ?? Number.POSITIVE_INFINITY, other.max ?? Number.POSITIVE_INFINITY);
  return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) };
}

/** A path of Gatus, such as `.data[0].id`, as a query of RFC 9535: `$.data[0].id`. Undefined if it has none. */
function jsonPathOf(path: string): string | undefined {
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
