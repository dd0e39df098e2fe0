import { KindGuard, type Static, type TSchema } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import { invalid } from "../../errors.ts";
import { fieldOf } from "./field-name.ts";
import { isSecret, registerFormats, ruleOf } from "./format-rules.ts";
import { HINT } from "./schema.ts";

/**
 * Validates a value of a request.
 *
 * @param at the path of the value in the request, for example `config`; every message begins with it
 * @throws AppError `invalid` with one sentence that names the field and says what is expected
 */
export function parse<T extends TSchema>(schema: T, value: unknown, at: string): Static<T> {
  const [error] = errorsOf(schema, value);
  if (error) throw invalid(explain(error, at));
  return value as Static<T>;
}

/** A sentence for each error in a value. The first is the one that `parse` throws. */
export function faults(schema: TSchema, value: unknown, at: string): string[] {
  return [...errorsOf(schema, value)].map((error) => explain(error, at));
}

/** An error as a sentence, for example `config.port must be a whole number from 1 to 65535`. */
export function explain(error: ValueError, at = ""): string {
  return `${fieldName(at, error.path)} ${demandOf(error)}`;
}

/** A field with a wrong value. @property message what follows its name in the sentence */
export interface WrongField {
  field: string;
  message: string;
  error: ValueError;
}

/**
 * Each wrong field of a value once, with its first error. A field that is missing has no wrong parts.
 *
 * @param most after so many fields, the rest of the value is not validated
 */
export function wrongFields(
  schema: TSchema,
  value: unknown,
  { at, most }: { at: string; most: number },
): WrongField[] {
  const found = new Map<string, WrongField>();
  for (const error of errorsOf(schema, value)) {
    if (found.size >= most) break;
    const field = fieldName(at, error.path);
    if (!found.has(field)) found.set(field, { field, message: demandOf(error), error });
  }
  return [...found.values()];
}

/** To look for errors takes several times as long as to see that there are none. */
function errorsOf(schema: TSchema, value: unknown): Iterable<ValueError> {
  registerFormats();
  return Check(schema, value) ? [] : Errors(schema, value);
}

/** The rest of the sentence about an error, after the name of the field. */
function demandOf(error: ValueError): string {
  if (error.type === ValueErrorType.ObjectRequiredProperty) return "is required";
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return "is not a known field";
  if (error.type === ValueErrorType.ArrayUniqueItems) return "must not list an entry twice";
  if (isOnlyTooLong(error)) return `must be at most ${error.schema.maxLength} characters long`;
  const hint = (error.schema as Hinted)[HINT]?.(error.value);
  return `must ${demand(error.schema)}${got(error)}${hint === undefined ? "" : `: ${hint}`}`;
}

interface Hinted {
  [HINT]?: (value: unknown) => string | undefined;
}

/** Whether a text fits its format and is only too long: then the length is the error to report. */
function isOnlyTooLong({ type, schema, value }: ValueError): boolean {
  return type === ValueErrorType.StringMaxLength && (ruleOf(schema.format)?.accepts(String(value)) ?? false);
}

function fieldName(at: string, path: string): string {
  if (path === "") return at || "the body";
  return path.slice(1).split("/").map(unescaped).reduce(fieldOf, at);
}

/** Unescapes a part of a JSON Pointer. */
function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

function demand(schema: TSchema): string {
  return ruleOf(schema.format)?.must ?? `be ${expectation(schema)}`;
}

/** The accepted values of a schema, in words that follow "must be". */
function expectation(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) return alternatives(schema.anyOf);
  if (KindGuard.IsLiteral(schema)) return String(schema.const);
  if (schema.type === "string")
    return ruleOf(schema.format)?.must.replace(/^be /, "") ?? `a string${lengths(schema)}`;
  if (schema.type === "integer") return `a whole number${range(schema)}`;
  if (schema.type === "number") return `a number${range(schema)}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "array") return `an array${entries(schema)}`;
  if (schema.type === "null") return "null";
  return `an object${fields(schema)}`;
}

function alternatives(schemas: TSchema[]): string {
  const words = schemas.map(expectation);
  return schemas.every(KindGuard.IsLiteral) ? `one of ${words.join(", ")}` : words.join(" or ");
}

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum !== undefined ? ` of at most ${maximum}` : "";
}

function entries({ minItems, maxItems, contains }: TSchema): string {
  if (contains) return ` that lists ${expectation(contains)} at least`;
  if (minItems === undefined) return maxItems === undefined ? "" : ` of at most ${maxItems} entries`;
  if (maxItems !== undefined) return ` of ${minItems} to ${maxItems} entries`;
  return minItems === 1 ? " of at least 1 entry" : ` of at least ${minItems} entries`;
}

function fields({ minProperties, maxProperties, properties = {} }: TSchema): string {
  const names = Object.keys(properties);
  if (maxProperties === undefined) {
    return minProperties === 1 && names.length > 0 ? ` with at least one of ${names.join(", ")}` : "";
  }
  return minProperties === undefined
    ? ` of at most ${maxProperties} fields`
    : ` of ${minProperties} to ${maxProperties} fields`;
}

function lengths({ minLength, maxLength }: TSchema): string {
  if (minLength !== undefined && maxLength !== undefined)
    return ` of ${minLength} to ${maxLength} characters`;
  if (minLength !== undefined) return ` of at least ${minLength} characters`;
  return maxLength !== undefined ? ` of at most ${maxLength} characters` : "";
}

/** The wrong value. A string and a value of a secret field are never repeated (behavior 7.8, 10.27). */
function got({ schema, value }: ValueError): string {
  if (isSecret(schema)) return "";
  if (value === null || typeof value === "number" || typeof value === "boolean") return `, got ${value}`;
  return "";
}
