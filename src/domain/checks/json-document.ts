import { JSONPathEnvironment, type JSONPathQuery } from "json-p3";

/** A shorter text is parsed as it is: whatever it contains, its values need less than 4 MiB. */
const SMALL = 64 * 1024;

/** Arrays and objects need far more memory than their text, and each level of nesting needs some of the stack. */
const MAX_CONTAINERS = 50_000;
const MAX_VALUES = 250_000;

/** The value of a JSON text, or why there is none. */
export type ParsedJson = { value: unknown } | { failure: string };

/**
 * Parses JSON of a server within the memory of a check (behavior 10.31).
 *
 * @param text undefined if the bytes are not text
 * @param texts which numbers are the text that they have there: none, all, or `large`, those that a number of the language can't hold
 */
export function parseJson(
  text: string | undefined,
  { texts = "none" }: { texts?: "none" | "all" | "large" } = {},
): ParsedJson {
  const failure = "the body is not JSON";
  if (text === undefined) return { failure };
  if (text.length > SMALL && hasTooManyValues(text)) return { failure: "the body has too many JSON values" };
  try {
    if (texts === "all") return { value: JSON.parse(text, numberAsText) };
    return {
      value: texts === "large" && LARGE.test(text) ? JSON.parse(text, largeAsText) : JSON.parse(text),
    };
  } catch {
    return { failure };
  }
}

/** @param context has the text of a number, which the types of the language do not know yet */
function numberAsText(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}

/** Is in each text with such a number. */
const LARGE = /\d{16}|[eE]\+?\d{3}/;

function largeAsText(name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const isHeld = Number.isFinite(value) && !/^-?\d+$/.test(context?.source ?? "");
  return isHeld ? value : numberAsText(name, value, context);
}

/** Counts by the characters that begin a container and separate values, without those in strings. */
function hasTooManyValues(text: string): boolean {
  let [containers, values] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "[" || character === "{") containers++;
    else if (character === ",") values++;
  }
  return containers > MAX_CONTAINERS || values > MAX_VALUES;
}

/** @param start of a string @returns where its closing quote is, or the end of the text */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

const environment = new JSONPathEnvironment();

/**
 * Parses a singular query of RFC 9535, such as `$.a.b[0]['x']`: it selects at most one value.
 *
 * @returns undefined for any other text
 */
export function parseJsonPath(path: string): JSONPathQuery | undefined {
  try {
    const query = environment.compile(path);
    return query.singularQuery() ? query : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is one JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
