import { type Static, Type } from "@sinclair/typebox";
import { closed, described, mapOf, named } from "../schemas/schema.ts";

const MAX_ENTRIES = { minProperties: 1, maxProperties: 10 };

const Status = Type.Union([
  Type.Integer({ minimum: 100, maximum: 599 }),
  Type.String({ format: "status-range", examples: ["2xx", "200-204"] }),
]);

/** Also the text that a TCP monitor waits for. */
export const ExpectedText = Type.String({ format: "expected-text", minLength: 1 });
const ExpectedTexts = Type.Union([ExpectedText, Type.Array(ExpectedText, { minItems: 1, maxItems: 10 })]);

const JsonText = Type.String({ maxLength: 4096 });

/** The limits of a number; at least one of them. */
export const NumberLimits = Type.Object(
  { min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) },
  { ...closed, minProperties: 1 },
);
export const Existence = Type.Object({ exists: Type.Boolean() }, closed);

/** The types that a value of a JSON document may have in an expectation. */
export const JsonScalar = Type.Union([JsonText, Type.Number(), Type.Boolean(), Type.Null()]);
export type JsonScalar = Static<typeof JsonScalar>;
export type JsonExpectation = JsonScalar | Static<typeof NumberLimits> | Static<typeof Existence>;

/** The schema only documents it: `assertExpectations` validates it, so that the message names the wrong part. */
const JsonExpectation = Type.Unsafe<JsonExpectation>(
  Type.Unknown({ anyOf: [...JsonScalar.anyOf, NumberLimits, Existence] }),
);

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
    within: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 60_000,
        description: "Milliseconds to the end of the answer. A slower one is `degraded`.",
      }),
    ),
  },
  named("Expectations"),
);
export type Expectations = Static<typeof Expectations>;
