/* The OpenAPI document in the form that generators of clients understand. */

/** A JSON schema, or another part of the document. */
interface Part {
  [key: string]: unknown;
}

type Contents = Record<string, { schema: Part }>;

interface Response extends Part {
  content?: Contents;
}

interface Operation extends Part {
  operationId: string;
  parameters?: { schema: Part }[];
  requestBody?: { content: Contents };
  responses: Record<string, Response>;
}

export interface OpenApiDocument extends Part {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

interface Naming {
  schemas: Record<string, Part>;
  /** Objects of responses are open, because a later version can add fields. */
  isResponse: boolean;
}

/**
 * Gives the schemas of bodies names, so that a generator creates one type of each (behavior 16.181): by the operation, such as
 * `CreateMonitorRequest` and `CreateMonitorResponse`, and by the `title` of a schema in them. Choices of words become enums.
 *
 * @param document what the plugin has collected; it is not changed
 * @param errors the responses that operations share, by name
 * @throws Error if two different schemas have the same title
 */
export function clientDocument(document: object, errors: Record<string, Response>): OpenApiDocument {
  const copy = plain(document) as OpenApiDocument;
  const responses = plain(errors);
  const schemas: Record<string, Part> = {};
  const nameOf = new Map(Object.entries(responses).map(([name, error]) => [JSON.stringify(error), name]));
  for (const operation of Object.values(copy.paths).flatMap(Object.values<Operation>)) {
    const title = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
    for (const parameter of operation.parameters ?? [])
      parameter.schema = simplify(parameter.schema, { schemas, isResponse: false });
    nameContents(operation.requestBody?.content, `${title}Request`, { schemas, isResponse: false });
    operation.responses = mapValues(operation.responses, (response) => {
      const name = nameOf.get(JSON.stringify(response));
      if (name) return { $ref: `#/components/responses/${name}` };
      nameContents(response.content, `${title}Response`, { schemas, isResponse: true });
      return response;
    });
  }
  for (const { content } of Object.values(responses))
    nameContents(content, undefined, { schemas, isResponse: true });
  return { ...copy, components: { ...copy.components, responses, schemas } };
}

/** @param title of a body without a title of its own */
function nameContents(contents: Contents | undefined, title: string | undefined, naming: Naming) {
  const json = contents?.["application/json"];
  if (json) json.schema = simplify({ ...(title && { title }), ...json.schema }, naming);
}

/** A schema in the simplest words; a reference to it if it has a title. */
function simplify({ title, ...schema }: Part, naming: Naming): Part {
  const simple = withoutEmptyParts(withEnum(withNull(simplifyParts(schema, naming))));
  return typeof title === "string" ? reference(title, simple, naming) : simple;
}

function reference(title: string, { description, ...schema }: Part, { schemas }: Naming): Part {
  const known = schemas[title];
  const { description: knownDescription, ...knownSchema } = known ?? {};
  if (known && JSON.stringify(knownSchema) !== JSON.stringify(schema))
    throw new Error(`two different schemas have the title ${title}`);
  schemas[title] ??= { ...(description !== undefined && { description }), ...schema };
  const hasOwn = known && description !== undefined && description !== knownDescription;
  return { ...(hasOwn && { description }), $ref: `#/components/schemas/${title}` };
}

function simplifyParts(schema: Part, naming: Naming): Part {
  const { properties, items, additionalProperties, anyOf, pattern, ...rest } = schema;
  const inner = (part: unknown) => simplify(part as Part, naming);
  // The members of a choice stay closed, because they differ by their fields.
  const member = (part: unknown) => simplify(part as Part, { ...naming, isResponse: false });
  const isOpen = naming.isResponse && additionalProperties === false;
  return {
    ...rest,
    // A format says more. Some generators do not accept both.
    ...(pattern !== undefined && schema.format === undefined && !naming.isResponse && { pattern }),
    ...(isPart(properties) && { properties: mapValues(properties, inner) }),
    ...(isPart(items) && { items: inner(items) }),
    ...(isPart(additionalProperties) && { additionalProperties: inner(additionalProperties) }),
    ...(typeof additionalProperties === "boolean" && !isOpen && { additionalProperties }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(isNullable(anyOf) ? inner : member) }),
  };
}

/** A choice between a simple type and null is one type. */
function withNull(schema: Part): Part {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !isNullable(anyOf)) return schema;
  const { type, enum: words, ...value } = anyOf[0];
  if (typeof type !== "string" || type === "object") return schema;
  return { ...value, ...rest, type: [type, "null"], ...(words && { enum: [...words, null] }) };
}

/** The constants of a choice are one enum. */
function withEnum(schema: Part): Part {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const constants = anyOf.filter((one) => "const" in one);
  const others = anyOf.filter((one) => !("const" in one));
  if (constants.length < 2) return schema;
  const choice = { type: constants[0].type, enum: constants.map((one) => one.const) };
  return others.length === 0 ? { ...rest, ...choice } : { ...rest, anyOf: [choice, ...others] };
}

/** What is only a choice or a map has no properties of its own. */
function withoutEmptyParts(schema: Part): Part {
  const { properties, ...rest } = schema;
  if (!isPart(properties) || Object.keys(properties).length > 0) return schema;
  const { type, additionalProperties, ...choice } = rest;
  return choice.anyOf === undefined ? rest : choice;
}

function isNullable(anyOf: Part[]): boolean {
  return anyOf.length === 2 && anyOf[1]?.type === "null";
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}

function mapValues<T, U>(parts: Record<string, T>, map: (part: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, map(part)]));
}

/** A copy without the symbols and the undefined fields of TypeBox. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
