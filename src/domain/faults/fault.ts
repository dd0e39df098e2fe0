import { AppError, type ErrorCode, type ErrorKind, withFault } from "../../errors.ts";
import { hints, sentences } from "./sentences.ts";

/** The names of the places in a text: `host` in `{host} is not known`. */
export type PlacesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlacesOf<Rest>
  : never;

type Sentences = typeof sentences;
export type RuleCode = keyof Sentences;

/** The values of a sentence. `field` is the path of the field in the request. */
export type ValuesOf<Code extends RuleCode> = { readonly [Place in PlacesOf<Sentences[Code]>]: Value };

type Value = string | number;

/** @property kind default: `invalid` */
interface Options {
  kind?: ErrorKind;
  errorCode?: ErrorCode;
  retryAfter?: number;
}

/** An error whose sentence the page says in the language of its reader (behavior 27.70). */
export function fault<Code extends RuleCode>(
  code: Code,
  values: ValuesOf<Code>,
  { kind = "invalid", errorCode, retryAfter }: Options = {},
): AppError {
  const { field = "", ...others } = values as Record<string, Value>;
  const sentence = fillPlaces(sentences[code] ?? "", values);
  return withFault(new AppError(kind, sentence, errorCode, retryAfter), {
    code,
    field: String(field),
    values: others,
  });
}

type TooManyCode = {
  [Code in RuleCode]: PlacesOf<Sentences[Code]> extends "seconds" ? Code : never;
}[RuleCode];

/** @param seconds until the caller may try again */
export function tooManyFault(code: TooManyCode, seconds: number): AppError {
  return fault(code, { seconds } as ValuesOf<typeof code>, { kind: "too_many", retryAfter: seconds });
}

type Hints = typeof hints;
export type HintCode = keyof Hints;

/** The probable meaning of a wrong value. */
export interface Hint {
  code: HintCode;
  values: Readonly<Record<string, Value>>;
}

export function hint<Code extends HintCode>(
  code: Code,
  values: { readonly [Place in PlacesOf<Hints[Code]>]: Value },
): Hint {
  return { code, values };
}

export function hintText({ code, values }: Hint): string {
  return fillPlaces(hints[code], values);
}

function fillPlaces(text: string, values: object): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    String((values as Record<string, Value>)[name] ?? place),
  );
}
