import { type Contents, type JsonSchema, type Naming, parameterSchema, simplify } from "./client-schema.ts";

/* The OpenAPI document in the form that generators of clients understand. */

interface Response {
  description: string;
  content?: Contents;
}

interface Operation {
  operationId: string;
  parameters?: { schema: JsonSchema }[];
  requestBody?: { content: Contents };
  responses: Record<string, Response | { $ref: string }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

/**
 * Gives the schemas of bodies names, so that a generator creates one type of each (behavior 16.181): by the operation, such as
 * `CreateMonitorRequest` and `CreateMonitorResponse`, and by the `title` of a schema in them.
 *
 * @param document what the plugin has collected; it is not changed
 * @param errors the responses that operations share, by name
 * @throws Error if two different schemas have the same title
 */
export function clientDocument(document: object, errors: Record<string, Response>): OpenApiDocument {
  const copy = plain(document) as OpenApiDocument;
  const responses = plain(errors);
  const schemas: Record<string, JsonSchema> = {};
  const nameOf = new Map(Object.entries(responses).map(([name, error]) => [JSON.stringify(error), name]));
  for (const operation of Object.values(copy.paths).flatMap(Object.values<Operation>)) {
    const title = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
    for (const parameter of operation.parameters ?? []) parameter.schema = parameterSchema(parameter.schema);
    nameContents(operation.requestBody?.content, `${title}Request`, { schemas, isResponse: false });
    for (const [code, response] of Object.entries(operation.responses)) {
      const name = nameOf.get(JSON.stringify(response));
      if (name) operation.responses[code] = { $ref: `#/components/responses/${name}` };
      else if ("content" in response)
        nameContents(response.content, `${title}Response`, { schemas, isResponse: true });
    }
  }
  for (const { content } of Object.values(responses))
    nameContents(content, undefined, { schemas, isResponse: true });
  return { ...copy, components: { ...copy.components, responses, schemas } };
}

/** @param title of a JSON body without a title of its own */
function nameContents(contents: Contents = {}, title: string | undefined, naming: Naming) {
  for (const [type, content] of Object.entries(contents)) {
    const own = type === "application/json" && title !== undefined ? { title } : {};
    content.schema = simplify({ ...own, ...content.schema }, naming);
  }
}

/** A copy without the symbols and the undefined fields of TypeBox. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
