import { cached } from "../cache.ts";
import { partOf, watchOf } from "./content-memory.ts";
import type { Expectations, JsonExpectation } from "./expectation-rules.ts";
import { parseJson, parseJsonPath } from "./json-document.ts";
import { statusWords } from "./status-phrases.ts";

/** The answer of a server, as far as it was read. Absent parts are not judged. */
export interface Answer {
  statusCode: number;
  headers?: readonly (readonly [name: string, value: string])[];
  body?: AnswerBody;
}

/** A decoded body. */
export interface AnswerBody {
  /** One character for each byte. */
  raw(): string;
  /** Whether the answer names no known character set other than UTF-8. */
  isUtf8(): boolean;
  /** In the character set that the answer names, else in UTF-8. Without a byte order mark. */
  text(): string;
  /** Undefined if the bytes are not UTF-8. Without a byte order mark. */
  utf8(): string | undefined;
  /** Whether the body has more than 1 MiB, so that the rest is missing here. */
  isCut: boolean;
}

/** The status that is expected if `expect` does not name one (behavior 10.17). */
const DEFAULT_STATUS = ["2xx"];

/**
 * Names the first expectation that an answer fails, and what was seen. Of the texts of a server, the message contains
 * none: only the status code, numbers, booleans, null and the kinds of values.
 *
 * @returns null if the answer meets all expectations
 */
export function judgeAnswer(expect: Expectations, answer: Answer): string | null {
  return (
    judgeStatus(expect, answer.statusCode) ??
    (answer.headers ? judgeHeaders(expect, answer.headers) : null) ??
    (answer.body ? (judgeText(expect, answer.body) ?? judgeJson(expect, answer.body)) : null)
  );
}

export function needsHeaders({ headers, same }: Expectations): boolean {
  return headers !== undefined || same !== undefined;
}

export function needsBody(expect: Expectations): boolean {
  return needsText(expect) || expect.complete === true;
}

/** Whether the decoded text of the body is judged, and not only whether it is whole. */
export function needsText({ contains, lacks, matches, json, same }: Expectations): boolean {
  return (contains ?? lacks ?? matches ?? json) !== undefined || watchesBody(same);
}

function watchesBody(same: Expectations["same"]): boolean {
  return same !== undefined && partOf(watchOf(same).of).part !== "header";
}

function judgeStatus({ status = DEFAULT_STATUS }: Expectations, code: number): string | null {
  if (status.some((expected) => isInStatus(expected, code))) return null;
  return `${statusWords(code)}, expected ${alternatives(status.map(String))}`;
}

/** @param expected a code, a class such as `2xx` or a range such as `200-204` */
function isInStatus(expected: number | string, code: number): boolean {
  if (typeof expected === "number") return code === expected;
  if (/^\dxx$/i.test(expected)) return Math.floor(code / 100) === Number(expected[0]);
  const [first = Number.NaN, last = first] = expected.split("-").map(Number);
  return first <= code && code <= last;
}

function judgeHeaders({ headers = {} }: Expectations, sent: NonNullable<Answer["headers"]>): string | null {
  for (const [name, text] of Object.entries(headers)) {
    const values = sent.filter(([other]) => other.toLowerCase() === name.toLowerCase());
    if (values.length === 0) return `the header ${name} is missing, expected ${quote(text)} in it`;
    // Several headers of one name are one list (RFC 9110, 5.3).
    const value = values.map(([, one]) => one).join(", ");
    if (!value.includes(bytesOf(text))) return `the header ${name} lacks ${quote(text)}`;
  }
  return null;
}

function judgeText({ contains = [], lacks = [] }: Expectations, body: AnswerBody): string | null {
  const wanted = [contains].flat();
  const unwanted = [lacks].flat();
  if (wanted.length + unwanted.length === 0) return null;
  const raw = body.raw();
  // Servers name other character sets for UTF-8, so the bytes count too.
  const has = (text: string) => raw.includes(bytesOf(text)) || (!body.isUtf8() && body.text().includes(text));
  const missing = wanted.find((text) => !has(text));
  if (missing !== undefined) return `the body lacks ${quote(missing)}`;
  const present = unwanted.find(has);
  return present === undefined ? null : `the body contains ${quote(present)}`;
}

function judgeJson({ json }: Expectations, body: AnswerBody): string | null {
  if (json === undefined) return null;
  if (body.isCut) return "the body is larger than 1 MiB";
  const document = parseJson(body.utf8());
  if ("failure" in document) return document.failure;
  for (const [path, expected] of Object.entries(json)) {
    const failure = judgeValue(valueAt(document.value, path), expected);
    if (failure !== null) return `${path} is ${failure}`;
  }
  return null;
}

/** Cached, because parsing a path costs more than a query. An invalid path has no query. */
const queryOf = cached((path: string) => parseJsonPath(path) ?? null, 10_000);

/** The value at a path. @returns undefined if there is no value, which no JSON document contains */
export function valueAt(document: unknown, path: string): unknown {
  const [node] = queryOf(path)?.query(document as never).nodes ?? [];
  return node?.value;
}

/** @returns what a value is and what was expected; null if the value is as expected */
function judgeValue(value: unknown, expected: JsonExpectation): string | null {
  if (typeof expected !== "object" || expected === null) return judgeScalar(value, expected);
  if ("exists" in expected) return judgeExistence(value, expected.exists);
  const { min, max } = expected;
  const number = numberOf(value);
  if (number === undefined) return `${kindOf(value)}, expected ${limits(min, max)}`;
  if (min !== undefined && number < min) return `${number}, expected at least ${min}`;
  return max !== undefined && number > max ? `${number}, expected at most ${max}` : null;
}

/** The grammar of JSON (RFC 8259, 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number, or a text that is one in JSON, without spaces (behavior 26.136). */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMBER.test(value) ? Number(value) : undefined;
}

function judgeScalar(value: unknown, expected: string | number | boolean | null): string | null {
  if (value === expected) return null;
  if (typeof value === "string" && typeof expected === "string") {
    return `a string other than ${quote(expected)}`;
  }
  return `${kindOf(value)}, expected ${JSON.stringify(expected)}`;
}

function judgeExistence(value: unknown, exists: boolean): string | null {
  if ((value !== undefined) === exists) return null;
  return exists ? "missing, expected any value" : `${kindOf(value)}, expected no value`;
}

/** Numbers, booleans and null as they are; of any other value the kind. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return "a string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function limits(min: number | undefined, max: number | undefined): string {
  const least = min === undefined ? [] : [`at least ${min}`];
  const most = max === undefined ? [] : [`at most ${max}`];
  return [...least, ...most].join(" and ");
}

function alternatives(words: string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${last}` : last;
}

function quote(text: string): string {
  return `"${text}"`;
}

/** The UTF-8 of a text, with one character for each byte, to be compared with the bytes of a server. */
function bytesOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
