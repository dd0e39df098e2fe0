import { type ObjectOptions, type Static, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { Hint } from "../faults/fault.ts";

/** A string from a list. */
export function oneOf<const Words extends readonly string[]>(words: Words): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>(Type.Union(words.map((word) => Type.Literal(word))));
}

export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
}

/** The key of the hint of a schema. It is a symbol, so that no document shows it. */
export const HINT = Symbol("hint");

/** The probable meaning of a wrong value, undefined without any. A text is for clients of the API only. */
type HintOf = (value: unknown) => Hint | string | undefined;

/** A schema that may have a hint. */
export interface Hinted {
  [HINT]?: HintOf;
}

/** The same schema with a hint. */
export function hinted<T extends TSchema>(schema: T, hint: HintOf): T {
  return { ...schema, [HINT]: hint };
}

/** The same schema with a description. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

/** The schema of a parameter in a query. OpenAPI has the examples of a parameter in another form: they are left out. */
export function parameter<T extends TSchema>(schema: T, description: string): T {
  const { examples: _, ...rest } = schema;
  return { ...(rest as unknown as T), description };
}

/** An object with values of one schema under any names. */
export function mapOf<T extends TSchema>(
  value: T,
  options: Omit<ObjectOptions, "additionalProperties"> = {},
): TUnsafe<Record<string, Static<T>>> {
  return Type.Unsafe<Record<string, Static<T>>>(Type.Object({}, { ...options, additionalProperties: value }));
}

/** For a query: unknown parameters are ignored, because clients add their own. */
export const open = { additionalProperties: true };

/** For a body: other fields are refused in a request, and do not occur in a response. */
export const closed = { additionalProperties: false };

/** The key of the example of a schema. It is a symbol, because a document shows the example beside the schema. */
export const EXAMPLE = Symbol("example");

/** A closed body with the name that its type has in generated clients. @param example of it, for documentation */
export function named(title: string, example?: unknown) {
  return {
    title,
    additionalProperties: false as const,
    ...(example !== undefined && { [EXAMPLE]: example }),
  };
}

/**
 * A rule for strings that a length or a pattern cannot express. It is a JSON Schema format, so that one schema validates,
 * documents and explains.
 */
export interface FormatRule {
  accepts: (text: string) => boolean;
  /** The rule in words that follow "must" in an error message. */
  must: string;
  /** Whether the value is a secret, which no message repeats. */
  isSecret?: true;
}

/** A field of a config, as a form shows it. The page has its words in each language. */
export interface ConfigField {
  /** Its place in the config of the API, such as `options.token`. */
  name: string;
  /** A value that is the same in each language. */
  example?: string;
  /** Default: one line of text. */
  kind?: FieldKind;
  /** The value that is offered for something new. */
  initial?: string;
  /** The values of a `choice`. The choice without a value is the default, which is not sent. */
  choices?: readonly Choice[];
  /** The lines of a text area; default: 3. */
  rows?: number;
  isShort?: true;
  /** Whether spaces at its ends are part of the value. */
  isExact?: true;
  /** Whether an empty text is sent, so that the API refuses it. */
  isRequired?: true;
  /** Whether it is a secret, although the reader sees it: no draft keeps it. */
  isSecret?: true;
  /** Whether most readers do not need it. */
  isRare?: true;
}

/**
 * - `lines`: several texts, one on each line
 * - `texts`: the same, with the spaces of each text; a single one is not a list
 * - `words`: several texts without spaces, separated by commas or spaces
 * - `text-area`: one text, with its spaces
 * - `escaped`: one text whose line breaks and tabs are shown as `\r`, `\n` and `\t`
 * - `switch`: true, or the default
 * - `duration`: seconds, shown in a unit
 */
type FieldKind =
  | "url"
  | "email"
  | "secret"
  | "number"
  | "lines"
  | "texts"
  | "words"
  | "text-area"
  | "escaped"
  | "choice"
  | "switch"
  | "duration";

/** @property label a name or a code, which no language translates. Without it, the page has its words, by the value */
export interface Choice {
  value?: string | number;
  label?: string;
}

/** The words of a field. @property choices by value; `default` are the words of the choice without a value */
export interface FieldWords {
  label: string;
  hint?: string;
  example?: string;
  choices?: Readonly<Record<string, string>>;
}
