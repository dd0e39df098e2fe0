import { KindGuard, type Static, type TSchema } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import { type AppError, type FormFault, invalid, withFault } from "../../errors.ts";
import type { HintCode } from "../faults/fault.ts";
import { demandOf, explain } from "./explain.ts";
import { fieldName } from "./field-name.ts";
import { type FormatName, fitsFormat, isSecret, registerFormats, ruleOf } from "./format-rules.ts";
import { HINT, type Hinted } from "./schema.ts";

/**
 * Validates a value of a request.
 *
 * @param at the path of the value in the request, for example `config`; every message begins with it
 * @throws AppError `invalid` with one sentence that names the field and says what is expected
 */
export function parse<T extends TSchema>(schema: T, value: unknown, at: string): Static<T> {
  const [error] = errorsOf(schema, value);
  if (error) throw invalidValue(error, at);
  return value as Static<T>;
}

/** The fault of a wrong value, as an error. @param at the path of the value in the request */
export function invalidValue(error: ValueError, at = ""): AppError {
  return withFault(invalid(explain(error, at)), faultIn(error, at));
}

/** A fault and its sentence in the API. @property sentence empty for what the page finds itself */
export interface SaidFault extends FormFault {
  sentence: string;
}

/** All faults of a value. The first is the one that `parse` throws. */
export function faults(schema: TSchema, value: unknown, at: string): SaidFault[] {
  return [...errorsOf(schema, value)].map((error) => ({
    ...faultIn(error, at),
    sentence: explain(error, at),
  }));
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

/** The codes of the demands of schemas. A format has its name as its code. */
export type SchemaCode =
  | FormatName
  | HintCode
  | "unknownField"
  | "listedTwice"
  | "tooLong"
  | "exactly"
  | "oneOf"
  | "trueOrFalse"
  | "null"
  | "string"
  | "stringFromTo"
  | "stringMost"
  | "number"
  | "wholeNumber"
  | "wholeNumberFromTo"
  | "wholeNumberLeast"
  | "list"
  | "listFromTo"
  | "listLeast"
  | "listMost"
  | "lists"
  | "object"
  | "objectFromTo"
  | "objectMost"
  | "objectWith"
  | (typeof UNIONS)[keyof typeof UNIONS];

/** The codes whose text repeats a number that does not fit, as `got`. */
export type GotCode =
  `${"wholeNumber" | "wholeNumberFromTo" | "wholeNumberLeast" | "statuses" | "zeroOrMore"}Got`;

/** The fault of an error. It has no text if its schema is in no form. */
function faultIn(error: ValueError, at: string): FormFault {
  return { field: fieldName(at, error.path), ...codeOf(error) };
}

type Coded = Pick<FormFault, "code" | "values">;

function codeOf(error: ValueError): Coded {
  const { type, schema, value } = error;
  if (type === ValueErrorType.ObjectRequiredProperty) return coded("required");
  if (type === ValueErrorType.ObjectAdditionalProperties) return coded("unknownField");
  if (type === ValueErrorType.ArrayUniqueItems) return coded("listedTwice");
  // Then the length is the error to report.
  if (type === ValueErrorType.StringMaxLength && fitsFormat(error))
    return coded("tooLong", { count: schema.maxLength });
  const hint = (schema as Hinted)[HINT]?.(value);
  if (hint !== undefined) return typeof hint === "string" ? coded("") : hint;
  const { code, values } = codeOfSchema(schema);
  const got = typeof value === "number" && !isSecret(schema) ? { got: value } : {};
  return { code, values: { ...values, ...got } };
}

function coded(code: string, values: FormFault["values"] = {}): Coded {
  return { code, values };
}

function codeOfSchema(schema: TSchema): Coded {
  if (KindGuard.IsUnion(schema)) return codeOfUnion(schema.anyOf);
  if (KindGuard.IsLiteral(schema)) return coded("exactly", { choice: String(schema.const) });
  if (ruleOf(schema.format)) return coded(String(schema.format));
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, contains } = schema;
  switch (schema.type) {
    case "string":
      return bounded("string", minLength, maxLength);
    case "integer":
      return bounded("wholeNumber", minimum, maximum);
    case "number":
      return bounded("number", minimum, maximum);
    case "boolean":
      return coded("trueOrFalse");
    case "array":
      return contains ? coded("lists", codeOfSchema(contains).values) : bounded("list", minItems, maxItems);
    case "null":
      return coded("null");
  }
  return codeOfObject(schema);
}

/** The limits of a number, or of how many characters, entries or fields there are: then the last one is `count`. */
function bounded(code: string, least: number | undefined, count: number | undefined): Coded {
  if (least === undefined) return count === undefined ? coded(code) : coded(`${code}Most`, { count });
  return count === undefined
    ? coded(`${code}Least`, { count: least })
    : coded(`${code}FromTo`, { least, count });
}

function codeOfObject({ minProperties, maxProperties, properties = {} }: TSchema): Coded {
  const names = Object.keys(properties);
  if (maxProperties !== undefined || names.length === 0 || minProperties !== 1)
    return bounded("object", maxProperties === undefined ? undefined : minProperties, maxProperties);
  return coded("objectWith", { names: names.join(", ") });
}

/** The codes of some unions, by the codes of their parts. */
const UNIONS = {
  "exactly wholeNumberFromTo": "zeroOrMore",
  "expected-text listFromTo": "expectedTexts",
  "pattern listFromTo": "patterns",
  "wholeNumberFromTo status-range": "statuses",
  "exactly exactly exactly wholeNumberLeast": "majority",
  "page-logo object": "page-logo",
} as const;

/** Whether it may be null is no help to somebody with a form. */
function codeOfUnion(schemas: TSchema[]): Coded {
  const parts = schemas.filter(({ type }) => type !== "null").map(codeOfSchema);
  const [first = coded(""), ...others] = parts;
  if (others.length === 0) return first;
  if (parts.every(({ code }) => code === "exactly" || code === "oneOf"))
    return coded("oneOf", { choices: parts.map(({ values }) => values.choice ?? values.choices).join(", ") });
  const code = UNIONS[parts.map((part) => part.code).join(" ") as keyof typeof UNIONS] ?? "";
  return coded(code, Object.assign({}, ...parts.map(({ values }) => values)));
}
