import { invalid } from "../../errors.ts";
import { assertHeaderNames } from "../monitors/header-rules.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { parse } from "../schemas/validation.ts";
import {
  Existence,
  type Expectations,
  type JsonExpectation,
  JsonScalar,
  NumberLimits,
} from "./expectations-schema.ts";
import { parseJsonPath } from "./json-document.ts";

const MAX_PATH_LENGTH = 1024;

/**
 * Refuses expectations that no answer can meet or that cannot be judged (behavior 10.16).
 *
 * @param timeout of the check, in milliseconds
 */
export function assertExpectations(
  expect: Expectations,
  { at, method, timeout }: { at: string; method: string; timeout: number },
): void {
  if (expect.status?.every(isInterim)) {
    const right = "have a status from 200 to 599, because an answer of 1xx is never the final one";
    throw invalid(`${at}.status must ${right}`);
  }
  for (const field of ["contains", "lacks", "json", "complete"] as const) {
    if ((expect[field] ?? false) !== false && method === "HEAD") {
      throw invalid(`${at}.${field} must be left out with HEAD: the answer has no body`);
    }
  }
  assertHeaderNames(Object.keys(expect.headers ?? {}), `${at}.headers`);
  for (const [path, value] of Object.entries(expect.json ?? {})) {
    assertPath(path, fieldOf(`${at}.json`, path));
    assertJsonExpectation(value, fieldOf(`${at}.json`, path));
  }
  if (expect.within !== undefined && expect.within > timeout) {
    const limit = `the timeout of the check, ${timeout} ms`;
    throw invalid(`${at}.within must be at most ${limit}, got ${expect.within}`);
  }
}

/** @param expected a code, a class such as `1xx` or a range such as `100-199` */
function isInterim(expected: number | string): boolean {
  if (typeof expected === "number") return expected < 200;
  const [, last = expected] = expected.split("-");
  return last.startsWith("1");
}

function assertPath(path: string, field: string): void {
  if (path.length > MAX_PATH_LENGTH) {
    throw invalid(`${field} must be a path of at most ${MAX_PATH_LENGTH} characters`);
  }
  if (!parseJsonPath(path)) {
    const right = "a path to one value (a singular query of RFC 9535), such as $.a.b[0]['x']";
    throw invalid(`${field} must be ${right}`);
  }
}

function assertJsonExpectation(value: JsonExpectation, field: string): void {
  if (typeof value !== "object" || value === null) {
    parse(JsonScalar, value, field);
    return;
  }
  if (Array.isArray(value) || Object.keys(value).length === 0) {
    const right = "a string, a number, true, false, null, or an object with min, max or exists";
    throw invalid(`${field} must be ${right}`);
  }
  if ("exists" in value) {
    parse(Existence, value, field);
    return;
  }
  const { min, max } = parse(NumberLimits, value, field);
  if (min !== undefined && max !== undefined && min > max) {
    throw invalid(`${field}.min must be at most max, ${max}, got ${min}`);
  }
}
