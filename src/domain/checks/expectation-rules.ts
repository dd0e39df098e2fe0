import { type Static, Type } from "@sinclair/typebox";
import { fault } from "../faults/fault.ts";
import { assertHeaderNames } from "../monitors/header-rules.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { closed, described, mapOf, named } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import { partOf, watchOf } from "./content-memory.ts";
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
    throw fault("onlyInterimStatuses", { field: `${at}.status` });
  }
  for (const field of ["contains", "lacks", "matches", "json", "complete"] as const) {
    if ((expect[field] ?? false) !== false && method === "HEAD") {
      throw fault("bodyOfHead", { field: `${at}.${field}` });
    }
  }
  if (expect.same !== undefined) assertWatched(expect.same, { at: `${at}.same`, method });
  assertHeaderNames(Object.keys(expect.headers ?? {}), `${at}.headers`);
  for (const [path, value] of Object.entries(expect.json ?? {})) {
    assertPath(path, fieldOf(`${at}.json`, path));
    assertJsonExpectation(value, fieldOf(`${at}.json`, path));
  }
  if (expect.within !== undefined && expect.within > timeout) {
    throw fault("overTimeout", { field: `${at}.within`, most: timeout, got: expect.within });
  }
}

function assertWatched(same: Same, { at, method }: { at: string; method: string }): void {
  if (typeof same === "object") parse(KeptPart, same, at);
  else parse(ComparedPart, same, at);
  const { part, name } = partOf(watchOf(same).of);
  if (part === "json") assertPath(name, at);
  if (method === "HEAD" && part !== "header") throw fault("headerOfHead", { field: at });
}

/** @param expected a code, a class such as `1xx` or a range such as `100-199` */
function isInterim(expected: number | string): boolean {
  if (typeof expected === "number") return expected < 200;
  const [, last = expected] = expected.split("-");
  return last.startsWith("1");
}

function assertPath(path: string, field: string): void {
  if (path.length > MAX_PATH_LENGTH) {
    throw fault("longPath", { field, count: MAX_PATH_LENGTH });
  }
  if (!parseJsonPath(path)) {
    throw fault("jsonPath", { field });
  }
}

function assertJsonExpectation(value: JsonExpectation, field: string): void {
  if (typeof value !== "object" || value === null) {
    parse(JsonScalar, value, field);
    return;
  }
  if (Array.isArray(value) || Object.keys(value).length === 0) {
    throw fault("jsonValue", { field });
  }
  if ("exists" in value) {
    parse(Existence, value, field);
    return;
  }
  const { min, max } = parse(NumberLimits, value, field);
  if (min !== undefined && max !== undefined && min > max) {
    throw fault("overMax", { field: `${field}.min`, max, got: min });
  }
}

const MAX_ENTRIES = { minProperties: 1, maxProperties: 10 };

const Status = Type.Union([
  Type.Integer({ minimum: 100, maximum: 999 }),
  Type.String({ format: "status-range", examples: ["2xx", "200-204"] }),
]);

/** Also the text that a TCP monitor waits for. */
export const ExpectedText = Type.String({ format: "expected-text", minLength: 1 });
const ExpectedTexts = Type.Union([ExpectedText, Type.Array(ExpectedText, { minItems: 1, maxItems: 10 })]);

const Pattern = Type.String({ format: "pattern", minLength: 1 });
const Patterns = Type.Union([Pattern, Type.Array(Pattern, { minItems: 1, maxItems: 10 })]);

const ComparedPart = Type.String({ format: "compared-part", maxLength: 1024, examples: ["text"] });

const KeptPart = Type.Object(
  { of: ComparedPart, keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })) },
  named("SameExpectation"),
);

/**
 * The part of an answer that is compared with earlier checks. The schema only documents it: `assertExpectations` validates it, so
 * that the message names the wrong part.
 */
export const Same = Type.Unsafe<Static<typeof ComparedPart> | Static<typeof KeptPart>>(
  Type.Unknown({ anyOf: [ComparedPart, KeptPart] }),
);

export type Same = Static<typeof Same>;

const JsonText = Type.String({ maxLength: 4096 });

/** The limits of a number; at least one of them. */
const NumberLimits = Type.Object(
  { min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) },
  { ...closed, minProperties: 1 },
);
const Existence = Type.Object({ exists: Type.Boolean() }, closed);

/** The types that a value of a JSON document may have in an expectation. */
const JsonScalar = Type.Union([JsonText, Type.Number(), Type.Boolean(), Type.Null()]);
export type JsonScalar = Static<typeof JsonScalar>;
export type JsonExpectation = JsonScalar | Static<typeof NumberLimits> | Static<typeof Existence>;

/** The schema only documents it: `assertExpectations` validates it, so that the message names the wrong part. */
const JsonExpectation = Type.Unsafe<JsonExpectation>(
  Type.Unknown({ anyOf: [...JsonScalar.anyOf, NumberLimits, Existence] }),
);

/** Milliseconds. */
export const MAX_WITHIN = 60_000;

/** The expectations of an HTTP monitor, all of which an answer must meet (behavior 10.16). */
export const Expectations = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Status, {
        minItems: 1,
        maxItems: 20,
        description:
          "Status codes, classes such as `2xx` and ranges such as `200-204`; not nothing but 1xx. Default: `2xx`.",
        examples: [["2xx", 304]],
      }),
    ),
    contains: Type.Optional(described(ExpectedTexts, "The body contains all of these texts.")),
    lacks: Type.Optional(described(ExpectedTexts, "The body contains none of these texts.")),
    matches: Type.Optional(
      described(Patterns, "The body matches all of these patterns, in the syntax of RE2 with its flags."),
    ),
    json: Type.Optional(
      mapOf(JsonExpectation, {
        ...MAX_ENTRIES,
        description:
          "Values of the JSON body by path, a singular query of RFC 9535. A value is equal in type and value, or has " +
          "limits (`min`, `max`), or exists.",
        examples: [{ "$.status": "ok", "$.queue.depth": { max: 100 }, "$.error": { exists: false } }],
      }),
    ),
    headers: Type.Optional(
      mapOf(ExpectedText, {
        ...MAX_ENTRIES,
        description: "Texts that the headers of these names contain. Names ignore case.",
        examples: [{ "content-type": "application/json" }],
      }),
    ),
    complete: Type.Optional(
      Type.Boolean({
        description:
          "Whether the body must arrive whole: to its length, its last chunk and the end of its coding. At most " +
          "16 MiB are read. Default: false.",
      }),
    ),
    same: Type.Optional(
      described(
        Same,
        "What must be the same as in an earlier check: `body`, `text` (the visible text of HTML), `json:$.path` or " +
          "`header:Name`. A value that no check of the last `keepDays` (default 7) has seen is `degraded`, until the " +
          "outage is acknowledged.",
      ),
    ),
    within: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WITHIN,
        description: "Milliseconds to the end of the answer. A slower one is `degraded`.",
      }),
    ),
  },
  named("Expectations"),
);
export type Expectations = Static<typeof Expectations>;
