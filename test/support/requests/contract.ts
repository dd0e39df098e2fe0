import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";

interface Operation {
  responses: Record<string, { content?: { "application/json"?: { schema: object } } }>;
}

/** Validates responses against the OpenAPI document of the server. */
export class Contract {
  readonly #validators = new Map<object, ValidateFunction>();
  readonly #ajv = addFormats(new Ajv({ strict: false, allErrors: false, logger: false }), ["date-time"]);
  readonly #paths: [RegExp, Record<string, Operation>][];

  private constructor(document: { paths: Record<string, Record<string, Operation>> }) {
    this.#paths = Object.entries(document.paths)
      .map(([path, operations]) => [pattern(path), operations] as [RegExp, Record<string, Operation>])
      // Paths without a parameter precede those with one that would also match.
      .sort(([a], [b]) => Number(a.source.includes("[^/]+")) - Number(b.source.includes("[^/]+")));
  }

  static async of(url: string): Promise<Contract> {
    const response = await fetch(new URL("/docs/json", url));
    return new Contract((await response.json()) as never);
  }

  /** @throws if the document has no such response */
  check(method: string, path: string, status: number, body: unknown): void {
    const { pathname } = new URL(path, "http://localhost");
    const operations = this.#paths.find(([candidate]) => candidate.test(pathname))?.[1];
    const operation = operations?.[method.toLowerCase()];
    if (!operation) return;
    const schema = operation.responses[status]?.content?.["application/json"]?.schema;
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

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
