import { KindGuard, type TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { type Hint, hintText } from "../faults/fault.ts";
import { fieldName } from "./field-name.ts";
import { fitsFormat, isSecret, ruleOf } from "./format-rules.ts";
import { HINT, type Hinted } from "./schema.ts";

/* The sentences of the API about values that do not fit a schema. The page has its own texts, and gets an empty module in place of this one. */

/** An error as a sentence, for example `config.port must be a whole number from 1 to 65535`. */
export function explain(error: ValueError, at = ""): string {
  return `${fieldName(at, error.path)} ${demandOf(error)}`;
}

/** The rest of the sentence about an error, after the name of the field. */
export function demandOf(error: ValueError): string {
  if (error.type === ValueErrorType.ObjectRequiredProperty) return "is required";
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return "is not a known field";
  if (error.type === ValueErrorType.ArrayUniqueItems) return "must not list an entry twice";
  if (error.type === ValueErrorType.StringMaxLength && fitsFormat(error))
    return `must be at most ${error.schema.maxLength} characters long`;
  const hint = (error.schema as Hinted)[HINT]?.(error.value);
  return `must ${demand(error.schema)}${got(error)}${hint === undefined ? "" : `: ${textOf(hint)}`}`;
}

function textOf(hint: Hint | string): string {
  return typeof hint === "string" ? hint : hintText(hint);
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
