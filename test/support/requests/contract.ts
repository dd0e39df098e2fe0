import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";

interface Document {
  components: object;
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
}

/** A response that no operation shares. */
interface Response {
  content?: { "application/json"?: { schema: object } };
}

/** The name of the document in references, with which a schema is compiled once and not for each response that has it. */
const DOCUMENT = "openapi.json";

/** Validates responses against the OpenAPI document of the server. */
export class Contract {
  readonly #validators = new Map<object, ValidateFunction>();
  readonly #ajv = addFormats(new Ajv({ strict: false, allErrors: false, logger: false }), ["date-time"]);
  readonly #paths: [RegExp, Document["paths"][string]][];

  private constructor(private readonly document: Document) {
    this.#ajv.addSchema({ $id: DOCUMENT, components: document.components });
    this.#paths = Object.entries(document.paths)
      .map(([path, operations]) => [pattern(path), operations] as [RegExp, Document["paths"][string]])
      // Paths without a parameter precede paths with a parameter that would also match.
      .sort(([a], [b]) => Number(a.source.includes("[^/]+")) - Number(b.source.includes("[^/]+")));
  }

  static async of(url: string): Promise<Contract> {
    const response = await fetch(new URL("/docs/json", url));
    return new Contract(withClosedObjects(await response.json()) as Document);
  }

  /** @throws if the document has no such response */
  check(method: string, path: string, status: number, body: unknown): void {
    const { pathname } = new URL(path, "http://localhost");
    const operations = this.#paths.find(([candidate]) => candidate.test(pathname))?.[1];
    const operation = operations?.[method.toLowerCase()];
    if (!operation) return;
    const response: Response | undefined = dereference(operation.responses[status], this.document);
    const schema = response?.content?.["application/json"]?.schema;
    if (!schema)
      throw new Error(`${method} ${path} answered ${status}, which is not in the OpenAPI document`);
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(schema);
    this.#validators.set(schema, validate);
    if (!validate(body)) {
      throw new Error(
        `${method} ${path} answered ${status} with a body that does not match the OpenAPI document: ${JSON.stringify(validate.errors)}`,
      );
    }
  }
}

/** The part of a document that a reference points to; the same value if it is none. */
export function dereference<T>(part: object | undefined, document: object): T | undefined {
  if (part === undefined || !("$ref" in part)) return part as T | undefined;
  const [, path = ""] = String(part.$ref).split("#/");
  const names = path.split("/");
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T;
}

/** This version sends no field that is not in the document, although a later one may. */
function withClosedObjects(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withClosedObjects);
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part) return { ...part, $ref: `${DOCUMENT}${part.$ref}` };
  const inner = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === "example" || name === "examples" ? value : withClosedObjects(value),
    ]),
  );
  const isOpen = "properties" in part && "type" in part && !("additionalProperties" in part);
  return isOpen && part.type === "object" ? { ...inner, additionalProperties: false } : inner;
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
