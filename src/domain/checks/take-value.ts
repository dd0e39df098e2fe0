import type { Source } from "./carried-values.ts";
import { type AnswerBody, kindOf, valueAt } from "./expectations.ts";
import { parseJson } from "./json-document.ts";

/** An answer from which values are taken. @property body read if a source is `json` @property cookie gives its latest value */
export interface AnswerOfStep {
  headers: readonly (readonly [name: string, value: string])[];
  body: Pick<AnswerBody, "isCut" | "utf8"> | undefined;
  cookie(name: string): string | undefined;
}

/** A value, or why there is none, without any text of the server. */
type Found = { value: string } | { failure: string };

/** A longer value fails the step: few servers accept one in a header. Characters. */
const MAX_VALUE = 8192;

/** @param name that the value gets */
export function takeValue(name: string, source: Source, answer: AnswerOfStep): Found {
  const found = finders[source.from](source.name, answer);
  if (found === undefined) return { failure: `${wordsOf(source)} is missing, expected a value for ${name}` };
  if ("failure" in found || found.value.length <= MAX_VALUE) return found;
  return { failure: `${wordsOf(source)} has more than ${MAX_VALUE} characters` };
}

/** Undefined if there is no such value. */
const finders: Record<Source["from"], (name: string, answer: AnswerOfStep) => Found | undefined> = {
  json: findInBody,
  header: (name, { headers }) => {
    const values = headers.filter(([other]) => other.toLowerCase() === name.toLowerCase());
    return values.length === 0 ? undefined : { value: values.map(([, one]) => utf8(one)).join(", ") };
  },
  cookie: (name, { cookie }) => {
    const value = cookie(name);
    return value === undefined ? undefined : { value };
  },
};

/** A number is taken as it is written: an ID may have more digits than a number of JavaScript. */
function findInBody(path: string, { body }: AnswerOfStep): Found | undefined {
  if (!body || body.isCut) return { failure: "the body is larger than 1 MiB" };
  const document = parseJson(body.utf8(), { texts: "all" });
  if ("failure" in document) return document;
  const value = valueAt(document.value, path);
  if (value === undefined) return undefined;
  if (typeof value === "string" || typeof value === "boolean") return { value: String(value) };
  return { failure: `${path} is ${kindOf(value)}, expected a text, a number, true or false` };
}

function wordsOf({ from, name }: Source): string {
  return from === "json" ? name : `the ${from} ${name}`;
}

/** A header has one character for each byte, and servers write UTF-8. */
function utf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
}
