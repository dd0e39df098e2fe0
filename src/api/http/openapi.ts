import { type TSchema, Type } from "@sinclair/typebox";
import { closed } from "../../domain/schemas/schema.ts";

/** The error model of the interface, section 7. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "For people." }),
    code: Type.Optional(Type.String({ description: "For machines, on some errors." })),
    upgrade: Type.Optional(Type.Literal(true, { description: "Where a larger plan would allow it." })),
  },
  closed,
);

const failures = {
  401: failure("No key, or one that is malformed, unknown, expired or revoked.", { error: "Unauthorized" }),
  402: failure("The organization has no active subscription.", {
    error: "No active subscription",
    code: "no_subscription",
  }),
  403: failure("The role of the key does not permit this.", { error: "Forbidden" }),
  404: failure("No such thing in the organization of the key.", { error: "Not found" }),
  409: failure("A fault of ours kept it from being done.", {
    error: "the check could not be made: try again",
  }),
  413: failure("The body is over 1 MiB.", { error: "the body must be at most 1048576 bytes" }),
  422: failure("The request is not valid, or the plan allows no more of these.", {
    error: "name is required",
  }),
  429: failure(
    "Too many of these from this client, of this monitor, or at the same time; `Retry-After` tells for how long.",
    {
      error: "Too many failed attempts: try again in 1 s",
    },
  ),
  503: failure("The disk is full, or the database can't be written to for another reason of ours.", {
    error: "the database can't take this now: try again later",
  }),
  500: failure("A fault of ours.", { error: "Internal error" }),
};

interface Described {
  tag: string;
  /** What generated clients call it. */
  operationId: string;
  summary: string;
  description?: string;
  /** Those that no schema of the route tells. */
  parameters?: {
    name: string;
    in: "path" | "query";
    required?: boolean;
    schema: TSchema;
    description: string;
  }[];
  /** What a success answers with, and an example of it. */
  answer: TSchema;
  example: unknown;
  status?: 200 | 201;
  /** Besides 500 and 503, and 401 and 429 where a key is needed. */
  errors?: (keyof typeof failures)[];
  /** An example of a 503 of the same form as the answer, in place of the error model. */
  unwell?: unknown;
  /** Needs no key. */
  open?: boolean;
}

/** The `detail` of a route: how the OpenAPI document describes it. */
export function operation({ tag, operationId, summary, description, ...described }: Described) {
  const { parameters, answer, example, status = 200, errors = [], unwell, open } = described;
  const codes = open ? ([...errors, 500, 503] as const) : ([401, ...errors, 429, 500, 503] as const);
  return {
    tags: [tag],
    operationId,
    summary,
    ...(description && { description }),
    ...(parameters && { parameters }),
    ...(open && { security: [] }),
    responses: {
      [status]: { description: "Success.", content: json(answer, example) },
      ...Object.fromEntries(codes.map((code) => [code, failures[code]])),
      ...(unwell !== undefined && { 503: { description: "It is not well.", content: json(answer, unwell) } }),
    },
  };
}

/** What a path names. @param thing with its article, as `a monitor` */
export function idOf(thing: string) {
  return Type.Object({ id: Type.String({ description: `The ID of ${thing}.` }) });
}

/** The envelope of a success (interface, conventions). */
export function dataOf<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema }, closed);
}

function failure(description: string, example: object) {
  return { description, content: json(ErrorBody, example) };
}

function json(schema: TSchema, example: unknown) {
  return { "application/json": { schema, example } };
}
