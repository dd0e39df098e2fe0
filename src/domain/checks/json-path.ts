import { JSONPathEnvironment, type JSONPathQuery } from "json-p3";

const environment = new JSONPathEnvironment();

/**
 * Parses a singular query of RFC 9535, such as `$.a.b[0]['x']`: it selects at most one value.
 *
 * @returns undefined for any other text
 */
export function parseJsonPath(path: string): JSONPathQuery | undefined {
  try {
    const query = environment.compile(path);
    return query.singularQuery() ? query : undefined;
  } catch {
    return undefined;
  }
}
