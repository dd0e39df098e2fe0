import { type Static, Type } from "@sinclair/typebox";
import { namesIn, parseSource } from "../../checks/carried-values.ts";
import { checkTimeout } from "../../checks/check-slot.ts";
import { assertExpectations, Expectations } from "../../checks/expectation-rules.ts";
import { fault } from "../../faults/fault.ts";
import { fieldOf } from "../../schemas/field-name.ts";
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
    name: Type.Optional(Type.String({ format: "name", examples: ["sign in"] })),
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
export const OF_ONE_REQUEST = [
  "url",
  "method",
  "headers",
  "body",
  "redirects",
  "expect",
  "everyAddress",
] as const;

/** As which a step writes a value that a step before takes. */
const MARK = "{{NAME}}";

/** How many values a check takes in all. */
const MAX_TAKEN = 10;

/** Refuses steps that can't be made (behavior 26.70, 26.80 to 26.86). */
export function assertSteps(config: HttpConfig): void {
  const { steps = [] } = config;
  fields.refuse(config, OF_ONE_REQUEST, (field) => fault("leaveOutWith", { field, other: "config.steps" }));
  const known = new Set<string>();
  for (const [at, step] of steps.entries()) {
    const place = `config.steps.${at}`;
    assertRequest(step, { at: place, timeout: checkTimeout(config) });
    assertNames(step, place, known);
    assertTake(step, place);
    for (const name of Object.keys(step.take ?? {})) known.add(name);
  }
  const taken = steps.reduce((sum, { take = {} }) => sum + Object.keys(take).length, 0);
  if (taken > MAX_TAKEN) throw fault("tooManyTaken", { field: "config.steps", count: MAX_TAKEN, got: taken });
}

/** Refuses `{{NAME}}` of a value that no step before takes, and where it would choose the recipient. */
function assertNames({ url, headers = {}, body = "" }: Step, at: string, known: ReadonlySet<string>): void {
  if (URL.parse(url)?.host.includes("{{")) throw fault("markInHost", { field: `${at}.url`, mark: MARK });
  const texts = Object.entries(headers).map(
    ([name, text]) => [fieldOf(`${at}.headers`, name), text] as const,
  );
  for (const [field, text] of [[`${at}.url`, url] as const, ...texts, [`${at}.body`, body] as const]) {
    const unknown = namesIn(text).find((name) => !known.has(name));
    if (unknown !== undefined) throw fault("unknownMark", { field, mark: `{{${unknown}}}` });
  }
  const host = Object.keys(headers).find((name) => name.toLowerCase() === "host");
  if (host !== undefined && namesIn(headers[host] ?? "").length > 0)
    throw fault("markInHostHeader", { field: fieldOf(`${at}.headers`, host), mark: MARK });
}

function assertTake({ take = {}, method }: Step, at: string): void {
  for (const [name, text] of Object.entries(take)) {
    const field = fieldOf(`${at}.take`, name);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw fault("takenName", { field });
    const source = parseSource(text);
    if (!source) throw fault("takenSource", { field });
    if (source.from === "json" && method === "HEAD") throw fault("takenWithHead", { field });
  }
}

/** The rules of one request. @param at its place @param timeout of the check, in milliseconds */
export function assertRequest(
  { method = "GET", headers = {}, body, expect }: Pick<HttpConfig, keyof typeof requestFields>,
  { at, timeout }: { at: string; timeout: number },
): void {
  assertRequestHeaders(headers, `${at}.headers`);
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw fault("bodyWithMethod", { field: `${at}.body`, method, other: `${at}.method` });
  if (expect) assertExpectations(expect, { at: `${at}.expect`, method, timeout });
}
