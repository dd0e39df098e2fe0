import { type TSchema, Type } from "@sinclair/typebox";
import { closed, EXAMPLE, named, nullable } from "../../domain/schemas/schema.ts";

const FaultBody = Type.Object(
  {
    path: Type.String({ description: "Where, such as `monitors.shop.config.url`." }),
    message: Type.String({ description: "What would be right." }),
    got: Type.Optional(Type.String({ description: "The wrong text, if it is short and not a secret." })),
  },
  named("DocumentFault"),
);

/** Behavior 7.13. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "The error in words, for people." }),
    code: Type.Optional(Type.String({ description: "A code for programs. Only some errors have one." })),
    upgrade: Type.Optional(Type.Literal(true, { description: "Present if a larger plan would allow it." })),
    organizations: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
        description: "At a sign-in: the organizations to choose from.",
      }),
    ),
    faults: Type.Optional(
      Type.Array(FaultBody, {
        description: "What is wrong in a configuration document, at most 100 faults.",
      }),
    ),
  },
  { ...closed, title: "ErrorBody" },
);

const failures = {
  401: failure("The key is missing, malformed, unknown, expired or deleted.", { error: "Unauthorized" }),
  402: failure("The organization has no active subscription.", {
    error: "No active subscription",
    code: "no_subscription",
  }),
  403: failure("The role of the key does not allow this.", { error: "Forbidden" }),
  404: failure("The organization of the key has nothing with this ID.", { error: "Not found" }),
  409: failure("The check could not run because of a fault of stillup.", {
    error: "the check could not be made: try again",
  }),
  413: failure("The body is larger than 1 MiB.", { error: "the body must be at most 1048576 bytes" }),
  422: failure("The request is invalid, or the limit of the plan is reached.", {
    error: "name is required",
  }),
  431: { description: "The head of the request is too large." },
  429: failure("A rate limit is exceeded. `Retry-After` has the seconds to wait.", {
    error: "Too many failed attempts: try again in 1 s",
  }),
  503: failure(
    "The database can't be used now: it is full or away. Or too many clients are connected. `Retry-After` has the seconds to wait.",
    {
      error: "the database can't take this now: try again later",
    },
  ),
  500: failure("An internal error of stillup.", { error: "Internal error" }),
};

/** The responses of `failures` by the names that generated clients know them by. */
export const errorResponses = {
  Unauthorized: failures[401],
  NoSubscription: failures[402],
  Forbidden: failures[403],
  NotFound: failures[404],
  Refused: failures[409],
  TooLarge: failures[413],
  Invalid: failures[422],
  TooMany: failures[429],
  InternalError: failures[500],
  Unavailable: failures[503],
};

interface OperationOptions {
  /** Default: the tag of the `resource`. */
  tag?: string;
  /** The name of the method in generated clients. */
  operationId: string;
  summary: string;
  description: string;
  /** Parameters that are not in a schema of the route. */
  parameters?: {
    name: string;
    in: "path" | "query";
    required?: boolean;
    schema: TSchema;
    description: string;
  }[];
  /** The body of a success, and an example of it. Default: the example with which it is `named`. */
  answer: TSchema;
  example?: unknown;
  status?: 200 | 201 | 202;
  /** The response of a 201, if the operation can also create something. */
  created?: { answer: TSchema; example?: unknown };
  /** In addition to 500 and 503, and to 401 and 429 if a key is needed. */
  errors?: (keyof typeof failures)[];
  /** The type of a success. Default: `application/json`. */
  contentType?: string;
  /** The response of a 404 in another form than other errors of the API. */
  notFound?: { answer: TSchema; example?: unknown };
  /** An example of a 503 whose body has the schema of a success. */
  unhealthy?: unknown;
  /** Needs no key. */
  open?: boolean;
}

/** The `detail` of a route: how the OpenAPI document describes it. */
export const operation = later(describe);

function describe({ tag, operationId, summary, description, ...options }: OperationOptions) {
  const { parameters, answer, example = exampleOf(answer), status = 200, errors = [], open } = options;
  const { created, notFound, unhealthy, contentType = "application/json" } = options;
  const codes = open ? ([...errors, 500, 503] as const) : ([401, ...errors, 429, 500, 503] as const);
  return {
    ...(tag && { tags: [tag] }),
    operationId,
    summary,
    description,
    ...(parameters && { parameters }),
    ...(open && { security: [] }),
    responses: {
      [status]: { description: "Success.", content: { [contentType]: { schema: answer, example } } },
      ...(created && {
        201: {
          description: "Created.",
          content: json(created.answer, created.example ?? exampleOf(created.answer)),
        },
      }),
      ...Object.fromEntries(codes.map((code) => [code, failures[code]])),
      ...(notFound && {
        404: {
          description: "Not found.",
          content: json(notFound.answer, notFound.example ?? exampleOf(notFound.answer)),
        },
      }),
      ...(unhealthy !== undefined && {
        503: { description: "Unhealthy.", content: json(answer, unhealthy) },
      }),
    },
  };
}

/** An operation whose success is `{ data }`. @property example of the data */
export type DataOptions = Omit<OperationOptions, "status">;

function describeData({ answer, example = exampleOf(answer), ...options }: DataOptions) {
  return describe({ ...options, answer: dataOf(answer), example: { data: example } });
}

/** The `detail` of a route that answers with data. */
export const answering = later(describeData);

/** The `detail` of a route that answers with a whole list. @property answer one item */
export const listing = later(({ answer, example = exampleOf(answer), ...options }: DataOptions) =>
  describeData({ ...options, answer: Type.Array(answer), example: [example] }),
);

/** The `detail` of a route that answers with one page of a list. @property answer one item */
export const pagedListing = later((given: DataOptions) => {
  const { answer, example = exampleOf(answer), errors = [], ...options } = given;
  const page = Type.Object({ data: Type.Array(answer), cursor: nullable(Type.String()) }, closed);
  return describe({
    ...options,
    answer: page,
    example: { data: [example], cursor: null },
    errors: [...errors, 422],
  });
});

/** The `detail` of a route that creates something. */
export const creation = later((given: DataOptions) => {
  const { answer, example = exampleOf(answer), errors = [], ...options } = given;
  const body = { answer: dataOf(answer), example: { data: example } };
  return describe({ ...options, ...body, status: 201, errors: [...errors, 403, 413, 422] });
});

/** The `detail` of a route that changes what its path names. */
export const change = later(({ errors = [], ...options }: DataOptions) =>
  describeData({ ...options, errors: [...errors, 403, 404, 413, 422] }),
);

/** The `detail` of a route that deletes what its path names. */
export const deletion = later(({ errors = [], ...options }: Omit<DataOptions, "answer" | "example">) => {
  const deleted = Type.Object({ id: Type.String() }, named("Deleted"));
  const example = { id: "5Y8kqvJfZk1q0TDgYxQ2Wd" };
  return describeData({ ...options, answer: deleted, example, errors: [...errors, 403, 404] });
});

/** The `detail` of a route that sends CSV. @property columns the names of its columns, in order */
export const csvOperation = later(
  ({
    columns,
    ...options
  }: Omit<OperationOptions, "answer" | "example"> & { columns: readonly string[] }) => {
    const example = `${columns.join(",")}\r\n`;
    return describe({ ...options, answer: Type.String(), example, contentType: "text/csv" });
  },
);

type Detail = ReturnType<typeof describe>;

/** Until somebody asks for the OpenAPI document, a route has only a function that creates its detail. */
interface LateDetail {
  create: () => Detail;
}

/** Creating the details of all routes would delay each start. */
function later<Options>(create: (options: Options) => Detail): (options: Options) => Detail {
  return (options) => ({ create: () => create(options) }) satisfies LateDetail as unknown as Detail;
}

/** The detail of a route, as one of the functions above or Elysia itself has created it. */
export function createdDetail(detail: object): object {
  const { create, ...own } = detail as Partial<LateDetail>;
  return create ? { ...own, ...create() } : own;
}

/** The schema of a path with an ID. @param thing with its article, for example `a monitor` */
export function idOf(thing: string) {
  return Type.Object({ id: Type.String({ description: `The ID of ${thing}.` }) });
}

/** The body of a success (behavior 7.14). */
export function dataOf<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema }, closed);
}

function exampleOf(schema: TSchema): unknown {
  return Reflect.get(schema, EXAMPLE);
}

function failure(description: string, example: object) {
  return { description, content: json(ErrorBody, example) };
}

function json(schema: TSchema, example: unknown) {
  return { "application/json": { schema, example } };
}
