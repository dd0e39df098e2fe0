import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../../errors.ts";
import { checkTimeout } from "../../checks/check-slot.ts";
import { assertExpectations, Expectations } from "../../checks/expectation-rules.ts";
import { HttpUrl } from "../../schemas/format.ts";
import { RequestHeaders } from "../../schemas/request-headers.ts";
import { mapOf, named, oneOf } from "../../schemas/schema.ts";
import { assertRequestHeaders } from "../header-rules.ts";
import * as fields from "./fields.ts";
import type { HttpConfig } from "./http.ts";

/** The parts of a request that a monitor and a step have. */
export const requestFields = {
  method: Type.Optional(oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
  headers: Type.Optional(RequestHeaders),
  body: Type.Optional(
    Type.String({ format: "request-body", minLength: 1, description: "The request body, 1 byte to 64 KiB." }),
  ),
  redirects: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: "How many redirects are followed. Default: 0.",
    }),
  ),
  expect: Type.Optional(Expectations),
};

const Step = Type.Object(
  {
    name: Type.Optional(Type.String({ format: "group-name", examples: ["sign in"] })),
    url: HttpUrl,
    ...requestFields,
    take: Type.Optional(
      mapOf(Type.String({ minLength: 1, maxLength: 1024 }), {
        minProperties: 1,
        maxProperties: 10,
        description:
          "Values of the answer, by a name with which later steps write `{{NAME}}`: `$.path` of a JSON body, `header:Name` or `cookie:Name`.",
        examples: [{ TOKEN: "$.token" }],
      }),
    ),
  },
  named("Step"),
);
export type Step = Static<typeof Step>;

/** Requests that a check makes in order (behavior 26.1). */
export const Steps = Type.Array(Step, {
  minItems: 2,
  maxItems: 10,
  description:
    "Requests that are made in order, in place of `url`, `method`, `headers`, `body` and `expect`.",
});

/** The fields that each step has for itself, and that a monitor with steps therefore does not have. */
const OF_ONE_REQUEST = ["url", "method", "headers", "body", "redirects", "expect", "everyAddress"] as const;

/** Refuses steps that can't be made (behavior 26.1). */
export function assertSteps(config: HttpConfig): void {
  fields.refuse(config, OF_ONE_REQUEST, "with config.steps");
  for (const [at, step] of (config.steps ?? []).entries()) {
    assertRequest(step, { at: `config.steps[${at}]`, timeout: checkTimeout(config) });
  }
}

/** The rules of one request. @param at its place @param timeout of the check, in milliseconds */
export function assertRequest(
  { method = "GET", headers = {}, body, expect }: Pick<HttpConfig, keyof typeof requestFields>,
  { at, timeout }: { at: string; timeout: number },
): void {
  assertRequestHeaders(headers, `${at}.headers`);
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw invalid(`${at}.body must be left out with ${method}: set ${at}.method, such as POST`);
  if (expect) assertExpectations(expect, { at: `${at}.expect`, method, timeout });
}
